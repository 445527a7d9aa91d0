#pragma once
// Texts of memory files as a model sees and edits them: numbered lines, one replacement, an insertion.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::query {

/// First and last line, from 1 on; a last one of -1 is the end, and -3 two before it.
using LineRange = std::pair<std::int64_t, std::int64_t>;

/// Lines with their numbers before them, within `max_tokens` by estimate. What is left out is named with the range that
/// shows it; of a line that is too long alone the beginning is shown.
[[nodiscard]] std::string numbered_lines(std::string_view text, std::optional<LineRange> range,
                                         std::size_t max_tokens);

struct ReplacedText {
  std::string text;
  std::string snippet;  ///< the numbered lines around the change
};

/// The first `old_text` of a line. Errors: invalid_argument, where no line or several have it, which are named: a text of more
/// than a line is in none.
[[nodiscard]] Result<ReplacedText> replace_in(std::string_view text, std::string_view old_text,
                                              std::string_view new_text, const std::string& path);

/// Put a text behind so many lines. Errors: invalid_argument, where there are fewer.
[[nodiscard]] Result<std::string> insert_in(std::string_view text, std::int64_t line,
                                            std::string_view inserted);

/// "0B", "1.5K", "2M".
[[nodiscard]] std::string file_size_text(std::uint64_t bytes);

}  // namespace cairn::query
