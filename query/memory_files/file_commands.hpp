#pragma once
// The commands of the memory tool: view, create, str_replace, insert, delete and rename of files beneath /memories.

#include "query/memory_files/file_records.hpp"
#include "query/memory_files/file_text.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::query {

/// What a command is given; each needs some of it.
struct FileRequest {
  std::optional<std::string> path;
  std::optional<LineRange> view_range;
  std::size_t max_tokens = 2'000;  ///< of a view
  std::optional<std::string> file_text;
  std::optional<std::string> old_str;
  std::string new_str;
  std::optional<std::int64_t> insert_line;
  std::optional<std::string> insert_text;
  std::optional<std::string> old_path;
  std::optional<std::string> new_path;
};

/// What a command says. Errors: invalid_argument with the words of that tool; for an unknown command, and for one that lacks what
/// it needs.
[[nodiscard]] Result<std::string> run_file_command(std::string_view name,
                                                   const FileRequest& request,
                                                   FileRecords& records);

}  // namespace cairn::query
