#pragma once
// The one home of hashing: XXH3 of libxxhash, whose values are fixed for ever and thus fit for disk.

#include <cstdint>
#include <string_view>

namespace cairn::codec {

/// XXH3, 64 bits.
[[nodiscard]] std::uint64_t checksum(std::string_view bytes, std::uint64_t seed = 0) noexcept;

struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const Hash128&, const Hash128&) = default;
};

/// XXH3, 128 bits, seed 0.
[[nodiscard]] Hash128 hash128(std::string_view bytes) noexcept;

}  // namespace cairn::codec
