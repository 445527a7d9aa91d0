#pragma once
// The commands of a model's memory tool: view, create, str_replace, insert, delete and rename of files below /memories.

#include "query/memory_files/file_records.hpp"
#include "query/memory_files/file_text.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::query {

/// The arguments of a command. Each command needs some of them (see check_needs()).
struct FileRequest {
  std::optional<std::string> path;
  std::optional<LineRange> view_range;
  std::size_t max_tokens = 2'000;  ///< limit for the answer of a view
  std::optional<std::string> file_text;
  std::optional<std::string> old_str;
  std::string new_str;
  std::optional<std::int64_t> insert_line;
  std::optional<std::string> insert_text;
  std::optional<std::string> old_path;
  std::optional<std::string> new_path;
};

/// Runs a command and returns its answer for the model. Errors: invalid_argument with the wording of the memory tool,
/// also for an unknown command and for a missing argument.
[[nodiscard]] Result<std::string> run_file_command(std::string_view name,
                                                   const FileRequest& request,
                                                   FileRecords& records);

}  // namespace cairn::query
