#pragma once
// Colours for a terminal, from the sixteen that every theme defines.

#include <cairn/value.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace cairn::tools {

enum class Paint { heading, number, null, error, keyword, prompt };

/// Puts colour sequences around `text`; returns it unchanged without colours.
[[nodiscard]] std::string painted(std::string_view text, Paint paint, bool has_colours);

/// Returns the colour of a value; only numbers and null have one.
[[nodiscard]] std::optional<Paint> paint_of(const Value& value);

/// Colours a prompt for an editor that must know its width: sequences are between `mark`s, and not
/// at the end, where libedit drops them.
[[nodiscard]] std::string painted_prompt(std::string_view prompt, char mark, bool has_colours);

/// Colours the text of an error: its head, carets, and the keywords of the statement's line.
[[nodiscard]] std::string painted_error(std::string_view text);

/// False if NO_COLOR is set (no-color.org), or if TERM is not set or is "dumb".
[[nodiscard]] bool environment_has_colours();

}  // namespace cairn::tools
