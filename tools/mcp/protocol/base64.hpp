#pragma once
// Base64 decoding.

#include <optional>
#include <string>
#include <string_view>

namespace cairn::tools::mcp {

// encode_base64() is in answer.hpp, because handlers use it too.

/// Returns nullopt if the text is not canonical base64 with padding, or has 512 MiB or more.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

}  // namespace cairn::tools::mcp
