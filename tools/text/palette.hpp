#pragma once
// Colours of a terminal, few and modest: the sixteen that every theme has.

#include <cairn/value.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace cairn::tools {

enum class Paint { heading, number, null, error, keyword, prompt };

/// `text` between the sequences that turn a colour on and off; unchanged without colours.
[[nodiscard]] std::string painted(std::string_view text, Paint paint, bool has_colours);

/// The colour of a value: numbers and null have one.
[[nodiscard]] std::optional<Paint> paint_of(const Value& value);

/// A prompt for an editor that must know its width: sequences stand between `mark`s, and never at the end, where
/// libedit drops them.
[[nodiscard]] std::string painted_prompt(std::string_view prompt, char mark, bool has_colours);

/// An error's text with its head and carets, and the keywords of the statement's line, in colours.
[[nodiscard]] std::string painted_error(std::string_view text);

/// Whether colours are wanted at all: no NO_COLOR in the environment (no-color.org), and no dumb terminal.
[[nodiscard]] bool environment_has_colours();

}  // namespace cairn::tools
