#pragma once
// Detects and repairs invalid UTF-8. Text of a value may hold any bytes, so it is repaired where a
// format needs UTF-8.

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::codec {

/// Returns the number of bytes at the front that are valid UTF-8; the size of the text if all of
/// them are. Overlong forms, surrogates and numbers beyond U+10FFFF are invalid.
[[nodiscard]] std::size_t utf8_prefix(std::string_view text) noexcept;

/// Returns the text with U+FFFD in place of invalid UTF-8, as to_json() writes it.
/// A truncated character is replaced as a whole, any other invalid byte alone.
[[nodiscard]] std::string repaired_utf8(std::string_view text);

}  // namespace cairn::codec
