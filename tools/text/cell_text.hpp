#pragma once
// Values as text for a terminal, and the width of text there.

#include <cairn/value.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::tools {

/// Returns a value on one line: strings, dates and times without quotes, control and direction
/// characters escaped, long vectors shortened to their first components, also in nodes.
[[nodiscard]] std::string cell_text(const Value& value);
/// Like cell_text(value), with `null_text` for null if given.
[[nodiscard]] std::string cell_text(const Value& value,
                                    const std::optional<std::string>& null_text);

/// Makes control, ANSI, bidirectional and zero-width characters visible, so that stored text cannot
/// control a terminal.
[[nodiscard]] std::string make_visible(std::string_view text);

/// Like make_visible(), but keeps line ends.
[[nodiscard]] std::string visible_lines(std::string_view text);

/// Returns the columns that UTF-8 `text` takes in a terminal: 2 for wide characters, 0 for
/// combining ones.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// Cuts `text` to at most `width` columns, with an ellipsis if something was cut.
[[nodiscard]] std::string fit_width(std::string_view text, std::size_t width);

}  // namespace cairn::tools
