#pragma once
// Texts of memory files as a model sees and edits them: numbered lines, the replacement of a text, the insertion of a
// line.

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

struct ReplacedText {
  std::string text;
  std::string snippet;  ///< the numbered lines around the change
};

/// Replaces the only occurrence of `old_text`. Errors: invalid_argument if no line or several lines contain it (their
/// numbers are in the error). A text with a line end is never found, as the search looks at single lines.
[[nodiscard]] Result<ReplacedText> replace_in(std::string_view text, std::string_view old_text,
                                              std::string_view new_text, const std::string& path);

/// Inserts a text after line number `line`; 0 inserts at the beginning. Errors: invalid_argument if the text has fewer
/// lines.
[[nodiscard]] Result<std::string> insert_in(std::string_view text, std::int64_t line,
                                            std::string_view inserted);

/// A size for people: "0B", "1.5K", "2M".
[[nodiscard]] std::string file_size_text(std::uint64_t bytes);

}  // namespace cairn::query
