#pragma once
// Texts that are longer than a line of the terminal.

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::tools {

/// A text broken at blanks into lines of at most `width` columns, each but the first with `indent` blanks before it.
/// The first one has `indent` columns less as well, since something stands there. A word that is wider than a line
/// has one of its own. As it is where `width` is 0. Without an end of line at its end.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

// How much room standard output has.

/// Columns of the terminal that standard output goes to, now; 80 where it has none.
[[nodiscard]] std::size_t terminal_width();

}  // namespace cairn::tools
