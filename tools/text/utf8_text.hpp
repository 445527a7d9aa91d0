#pragma once
// Distinguishes UTF-8 from other encodings.

#include <utf8proc.h>

#include <cstddef>
#include <string_view>

namespace cairn::tools {

/// True if a text is valid UTF-8. Overlong forms and surrogates are invalid; an empty text is valid.
[[nodiscard]] inline bool is_utf8(std::string_view text) {
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    utf8proc_int32_t code = 0;
    const auto left = static_cast<utf8proc_ssize_t>(text.size() - at);
    const utf8proc_ssize_t length = utf8proc_iterate(bytes + at, left, &code);
    if (length <= 0) return false;
    at += static_cast<std::size_t>(length);
  }
  return true;
}

}  // namespace cairn::tools
