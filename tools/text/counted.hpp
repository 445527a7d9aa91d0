#pragma once
// A number of things in words.

#include <cstdint>
#include <string>
#include <string_view>

namespace cairn::tools {

/// "1 node", "2 nodes".
[[nodiscard]] inline std::string counted(std::uint64_t count, std::string_view one,
                                         std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

}  // namespace cairn::tools
