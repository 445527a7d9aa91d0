#pragma once
// For each set of eight lanes, the byte shuffle that moves those lanes of sixteen bits to the front.
// Highway's Compress has such a table too, but gcc copies it to the stack at each use of it.

#include <cstddef>
#include <cstdint>

namespace cairn::codec::kernels {

struct LanePacking {
  alignas(16) std::uint8_t bytes[256][16] = {};
};

constexpr LanePacking make_lane_packing() {
  LanePacking packing;
  for (std::size_t lanes = 0; lanes < 256; ++lanes) {
    std::uint8_t* next = packing.bytes[lanes];
    for (std::uint8_t lane = 0; lane < 8; ++lane) {
      if ((lanes >> lane & 1) == 0) continue;
      *next++ = static_cast<std::uint8_t>(2 * lane);
      *next++ = static_cast<std::uint8_t>(2 * lane + 1);
    }
  }
  return packing;
}

inline constexpr LanePacking lane_packing = make_lane_packing();

}  // namespace cairn::codec::kernels
