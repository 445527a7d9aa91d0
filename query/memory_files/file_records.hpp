#pragma once
// FileRecords: memory files as records of one statement. A file is a document with its path as `file_path`, a directory that was
// made a node :MemoryDirectory; one is there as well as long as a file is beneath it.

#include "query/execute/call/memory_calls.hpp"

#include <cairn/memory/memory.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

struct MemoryFile {
  std::int64_t id = 0;
  std::string path;
  std::string text;
};

struct ListedFile {
  std::int64_t id = 0;
  std::string path;
  std::uint64_t bytes = 0;
};

/// Errors of all: as of statements and memory calls. Paths are of memory_path(). Lifetime: of memory and call.
class FileRecords {
 public:
  FileRecords(memory::Memory& memory, const MemoryCall& call) : memory_(memory), call_(call) {}

  [[nodiscard]] Result<std::optional<MemoryFile>> find(const std::string& path) const;
  /// Those beneath a directory, by path.
  [[nodiscard]] Result<std::vector<ListedFile>> list(const std::string& directory) const;
  /// Directories beneath one that were made, by path.
  [[nodiscard]] Result<std::vector<std::string>> directories(const std::string& directory) const;
  [[nodiscard]] Result<bool> has_directory(const std::string& path) const;

  /// With the directories above it.
  [[nodiscard]] Status add(const std::string& path, const std::string& text);
  /// The text before goes to the history of the record.
  [[nodiscard]] Status set_text(std::int64_t id, const std::string& text);
  [[nodiscard]] Status move(const ListedFile& file, const std::string& path);
  /// Hide it; memory.restore shows it again.
  [[nodiscard]] Status hide(std::int64_t id);
  /// The directories above a path.
  [[nodiscard]] Status make_parents(std::string_view path);
  /// A directory and those beneath it, but for files.
  [[nodiscard]] Status move_directories(const std::string& from, const std::string& to);
  [[nodiscard]] Status remove_directories(const std::string& path);

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
