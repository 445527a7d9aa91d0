#pragma once
// Which bytes are UTF-8. A value may hold any bytes as text, so what must be UTF-8 outside of us is repaired here.

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::codec {

/// The number of bytes from the front that are UTF-8; the text's size if all of them are.
/// Overlong forms, surrogates and numbers beyond U+10FFFF are not code points.
[[nodiscard]] std::size_t utf8_prefix(std::string_view text) noexcept;

/// The text with U+FFFD in place of what is no UTF-8, as to_json() writes it.
/// A character that is cut off is replaced as a whole, any other byte alone.
[[nodiscard]] std::string repaired_utf8(std::string_view text);

}  // namespace cairn::codec
