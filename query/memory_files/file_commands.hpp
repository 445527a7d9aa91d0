#pragma once
// The commands of a model's memory tool: view, create, str_replace, insert, delete and rename of files below /memories; and
// texts of these files as a model sees and edits them, in numbered lines.

#include "query/memory_files/file_records.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::query {

/// First and last line, from 1 on. -1 as the last line is the end of the file; -3 leaves out the last three lines.
using LineRange = std::pair<std::int64_t, std::int64_t>;

/// The lines of a range with their numbers, within an estimate of `max_tokens`. If lines are left out, the answer ends
/// with a hint that names the range to ask for. If the first line alone is too long, its beginning is shown.
[[nodiscard]] std::string numbered_lines(std::string_view text, std::optional<LineRange> range,
                                         std::size_t max_tokens);

/// The text, or its beginning within an estimate of `max_tokens`, with "…" in place of the rest.
[[nodiscard]] std::string within_tokens(std::string_view text, std::size_t max_tokens);

struct ReplacedText {
  std::string text;
  std::string snippet;  ///< the numbered lines around the change
};

/// Replaces the only occurrence of `old_text`. Errors: invalid_argument if no line or several lines contain it (their
/// numbers are in the error). A text with a line end is never found, as the search looks at single lines. What would
/// make the answer larger than `max_tokens` is cut: lines of the snippet, the numbers and the old text in an error.
[[nodiscard]] Result<ReplacedText> replace_in(std::string_view text, std::string_view old_text,
                                              std::string_view new_text, const std::string& path,
                                              std::size_t max_tokens);

/// Inserts a text after line number `line`; 0 inserts at the beginning. Errors: invalid_argument if the text has fewer
/// lines.
[[nodiscard]] Result<std::string> insert_in(std::string_view text, std::int64_t line,
                                            std::string_view inserted);

/// A size for people: "0B", "1.5K", "2M".
[[nodiscard]] std::string file_size_text(std::uint64_t bytes);

/// The arguments of a command. Each command needs some of them (see check_needs()).
struct FileRequest {
  std::optional<std::string> path;
  std::optional<LineRange> view_range;
  std::size_t max_tokens = 2'000;  ///< limit for the answer
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
