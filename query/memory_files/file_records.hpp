#pragma once
// FileRecords: reads and writes memory files as records. A file is a document with its path in `file_path`. A directory
// is a node :MemoryDirectory; a directory also exists, without a node, as long as a file is below it.

#include "query/execute/call/memory_calls.hpp"

#include <cairn/memory/memory.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

/// A file with its text.
struct MemoryFile {
  std::int64_t id = 0;
  std::string text;
};

/// The records with one path.
struct FilesOfPath {
  std::vector<std::int64_t> ids;  ///< the file, and then the older ones
  bool are_own = false;           ///< of the namespace of the statement; others may only be read
};

/// A file without its text.
struct ListedFile {
  std::int64_t id = 0;
  std::string path;
};

/// A file of a listing.
struct SizedFile {
  std::string path;
  std::uint64_t bytes = 0;  ///< size of the text
};

/// Several records may have one path: a deleted file was restored beside a new one, or another program added a record. The
/// file of that path is the one that was created last, of the namespace of the statement if that has one.
///
/// Paths must be canonical (memory_path()). Errors of all methods: those of statements and memory calls. `memory` and
/// `call` must outlive the object.
class FileRecords {
 public:
  FileRecords(memory::Memory& memory, const MemoryCall& call) : memory_(memory), call_(call) {}

  /// Returns nullopt if no file has the path.
  [[nodiscard]] Result<std::optional<MemoryFile>> find(const std::string& path) const;
  /// All records with the path. Those of other namespaces are only among them if the namespace of the statement has none.
  /// Reads no text.
  [[nodiscard]] Result<FilesOfPath> find_all(const std::string& path) const;
  /// All records below a directory, ordered by path. Of those with one path, the file is the first. Reads no text.
  [[nodiscard]] Result<std::vector<ListedFile>> list(const std::string& directory) const;
  /// The files below a directory with their sizes, ordered by path. Holds some of their texts at a time, not all.
  [[nodiscard]] Result<std::vector<SizedFile>> sizes(const std::string& directory) const;
  /// The directories below a directory that have a node, ordered by path.
  [[nodiscard]] Result<std::vector<std::string>> directories(const std::string& directory) const;
  [[nodiscard]] Result<bool> has_directory(const std::string& path) const;

  /// Adds a file, and nodes for its parent directories.
  [[nodiscard]] Status add(const std::string& path, const std::string& text);
  /// Replaces a text. The record's history preserves the previous text.
  [[nodiscard]] Status set_text(std::int64_t id, const std::string& text);
  /// Changes the path of a file.
  [[nodiscard]] Status move(const ListedFile& file, const std::string& path);
  /// Soft-deletes a file; memory.restore makes it visible again.
  [[nodiscard]] Status hide(std::int64_t id);
  /// Creates nodes for all parent directories of a path.
  [[nodiscard]] Status make_parents(std::string_view path);
  /// Moves or removes the nodes of a directory and of all directories below it; files are not changed.
  [[nodiscard]] Status move_directories(const std::string& from, const std::string& to);
  [[nodiscard]] Status remove_directories(const std::string& path);

  /// Counters of all changes made through this object, for the result of the statement.
  [[nodiscard]] const Changes& changes() const noexcept { return changes_; }

 private:
  using Table = std::vector<std::vector<Value>>;
  [[nodiscard]] Result<Table> read(std::string_view statement, const Parameters& parameters) const;
  [[nodiscard]] Status write(std::string_view statement, const Parameters& parameters);

  memory::Memory& memory_;
  const MemoryCall& call_;
  Changes changes_;
};

}  // namespace cairn::query
