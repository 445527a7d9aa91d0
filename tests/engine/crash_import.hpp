#pragma once
// CrashImport: the files that a crash test imports, and the data that they must have left.
//
// Everything depends only on the seed and the number of operations, as in a CrashHistory. A file takes 1 +
// batches_of_file operations. The first operation is a statement that erases the records of the previous file and
// counts the files. Each other operation is a batch of lines, which the import stores completely or not at all.

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

namespace cairn::test {

class CrashImport {
 public:
  static constexpr std::size_t batches_of_file = 8;
  static constexpr std::size_t nodes_of_batch = 4;
  static constexpr std::size_t lines_of_batch =
      2 * nodes_of_batch;  // a relationship after each node
  static constexpr std::uint64_t operations_of_file = 1 + batches_of_file;
  /// The external id of the node that counts the files, and the label of what files have.
  static constexpr const char* counter = "importer";
  static constexpr const char* label = "Imported";

  explicit CrashImport(std::uint64_t seed) : seed_(seed) {}

  /// The lines of a file, which are counted from 1.
  [[nodiscard]] std::string lines_of(std::uint64_t file) const;
  /// What must be there after so many operations: nodes and relationships, each in a line.
  void describe(std::uint64_t operations, std::set<std::string>& lines) const;
  /// The external id of a node.
  [[nodiscard]] static std::string name_of(std::uint64_t file, std::size_t batch, std::size_t node);

 private:
  std::uint64_t seed_;
};

}  // namespace cairn::test
