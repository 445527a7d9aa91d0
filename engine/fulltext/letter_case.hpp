#pragma once
// Capitals of all scripts that have them.

#include <string>
#include <string_view>

namespace cairn::engine {

/// The bytes of the first letter of UTF-8 text; empty for an empty text.
[[nodiscard]] std::string_view first_letter(std::string_view text);

/// True if the text begins with a capital.
[[nodiscard]] bool begins_with_capital(std::string_view text);
/// True if the text begins with a small letter. False for a letter of a script without capitals.
[[nodiscard]] bool begins_with_small_letter(std::string_view text);

/// Makes the first letter of the text a capital, if it has one.
[[nodiscard]] std::string with_capital(std::string_view text);

}  // namespace cairn::engine
