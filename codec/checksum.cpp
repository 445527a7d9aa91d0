// The one place where what the store keeps is hashed; engine/text hashes its own word features and
// word files with libxxhash directly. XXH3 and not CRC32C: one family serves for 64-bit checks,
// for 128-bit hashes that stand for values in index keys, and with a seed that ties blocks to their
// file. The 128-bit hash is not keyed: whoever wants a collision can make one, so an equal hash is
// always rechecked against the value (`index_value_needs_recheck`).
#include "codec/checksum.hpp"

#include <xxhash.h>

namespace cairn::codec {

std::uint64_t checksum(std::string_view bytes, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

Hash128 hash128(std::string_view bytes) noexcept {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

}  // namespace cairn::codec
