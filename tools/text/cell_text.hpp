#pragma once
// Values as a person reads them in a terminal, and how wide they are there.

#include <cairn/value.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::tools {

/// A cell's text on one line: strings, dates and times bare, control and direction characters escaped, long vectors
/// shortened to their first components, in nodes too.
[[nodiscard]] std::string cell_text(const Value& value);
/// The same, with `null_text` for null if given.
[[nodiscard]] std::string cell_text(const Value& value,
                                    const std::optional<std::string>& null_text);

/// `text` with control, ANSI, bidirectional and zero-width characters made visible, so that stored
/// text cannot control a terminal.
[[nodiscard]] std::string make_visible(std::string_view text);

/// The same for a text of several lines, whose line ends stay.
[[nodiscard]] std::string visible_lines(std::string_view text);

/// Columns that UTF-8 `text` takes in a terminal: 2 for wide characters, 0 for combining ones.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// `text` cut to at most `width` columns, with an ellipsis where something was cut.
[[nodiscard]] std::string fit_width(std::string_view text, std::size_t width);

}  // namespace cairn::tools
