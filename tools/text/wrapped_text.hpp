#pragma once
// Wraps long texts for a terminal.

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::tools {

/// Breaks a text at blanks into lines of at most `width` columns. Lines after the first are
/// indented by `indent` blanks; the first is shortened by `indent` columns, because other text
/// precedes it. A word wider than a line has its own line. Returns the text unchanged if `width` is
/// 0. The last line has no line end.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

// The width of standard output.

/// Returns the current width of the terminal of standard output, in columns; 80 if it has none.
[[nodiscard]] std::size_t terminal_width();

}  // namespace cairn::tools
