#pragma once
// FileRecords: memory files as records of one transaction. A file is a document with its path as `file_path`; a directory
// is there as long as a file is beneath it.

#include "tools/mcp/memory/memory_caller.hpp"

#include <cairn/result.hpp>
#include <cairn/transaction.hpp>

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::tools::mcp {

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

/// Errors of all: as of the statements. Paths are of memory_path(). Lifetime: of caller and transaction.
class FileRecords {
 public:
  FileRecords(const MemoryCaller& caller, Transaction& transaction, std::stop_token stop)
      : caller_(caller), transaction_(transaction), stop_(std::move(stop)) {}

  [[nodiscard]] Result<std::optional<MemoryFile>> find(const std::string& path) const;
  /// Those beneath a directory, by path.
  [[nodiscard]] Result<std::vector<ListedFile>> list(const std::string& directory) const;
  [[nodiscard]] Result<bool> has_directory(const std::string& path) const;

  [[nodiscard]] Status add(const std::string& path, const std::string& text);
  [[nodiscard]] Status set_text(std::int64_t id, const std::string& text);
  [[nodiscard]] Status set_path(std::int64_t id, const std::string& path);
  /// Hide it; forget_memories restores.
  [[nodiscard]] Status hide(std::int64_t id);

 private:
  [[nodiscard]] Status change(std::string_view statement, const Parameters& parameters);

  const MemoryCaller& caller_;
  Transaction& transaction_;
  std::stop_token stop_;
};

}  // namespace cairn::tools::mcp
