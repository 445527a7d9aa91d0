#pragma once
// Bytes as base64 text and back.

#include <optional>
#include <string>
#include <string_view>

namespace cairn::tools::mcp {

// encode_base64() is in answer.hpp, as handlers use it too.

/// Nothing if the text is not canonical base64 with its padding.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

}  // namespace cairn::tools::mcp
