#pragma once
// Nodes for `cairn-bench load`: lines of properties joined with rows of vectors.

#include "tools/bench/number_file.hpp"

#include <cairn/result.hpp>
#include <cairn/transaction.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <future>
#include <string>
#include <vector>

namespace cairn::tools {

/// Parses one batch on a thread of its own while the caller stores the one before.
class NodeFeed {
 public:
  /// `label` is given to every node, `property` holds its vector.
  /// Errors: those of VectorFile::open(); not_found.
  [[nodiscard]] static Result<std::unique_ptr<NodeFeed>> open(const std::filesystem::path& lines,
                                                              VectorFile vectors, std::string label,
                                                              std::string property);
  /// The next nodes in order, empty at the end.
  /// Errors: invalid_argument naming the line, also where there are more lines than rows or fewer.
  [[nodiscard]] Result<std::vector<NewNode>> next();

 private:
  NodeFeed(std::ifstream lines, VectorFile vectors, std::string label, std::string property);
  Result<std::vector<NewNode>> read_batch();
  Result<NewNode> make_node(const std::string& line);
  void begin_batch();

  std::ifstream lines_;
  VectorFile vectors_;
  const std::string label_;
  const std::string property_;
  std::uint64_t number_ = 0;                         // lines read
  std::future<Result<std::vector<NewNode>>> batch_;  // under way; the members above are its own
};

/// A map of properties, or {"labels", "properties"} with or without APOC's other fields.
/// Errors: invalid_argument.
[[nodiscard]] Result<NewNode> parse_node(const std::string& line);

}  // namespace cairn::tools
