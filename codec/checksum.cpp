// Hashing for everything on disk except word features and word files, which engine/text hashes with
// libxxhash directly. XXH3 is used instead of CRC32C, because this one family provides 64-bit
// checksums, 128-bit hashes that replace values in index keys, and a seed that ties blocks to their
// file. The 128-bit hash has no secret key, so an attacker can make collisions. Therefore an equal
// hash is always rechecked against the value (index_value_needs_recheck()).
#include "codec/checksum.hpp"

#include <xxhash.h>

#include <new>

namespace cairn::codec {
namespace {

XXH3_state_t* state_of(void* state) { return static_cast<XXH3_state_t*>(state); }

}  // namespace

std::uint64_t checksum(std::string_view bytes, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

Hash128 hash128(std::string_view bytes) noexcept {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

void Hasher128::Release::operator()(void* state) const noexcept {
  static_cast<void>(XXH3_freeState(state_of(state)));
}

Hasher128::Hasher128() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  static_cast<void>(XXH3_128bits_reset(state_of(state_.get())));
}

void Hasher128::add(std::string_view bytes) noexcept {
  static_cast<void>(XXH3_128bits_update(state_of(state_.get()), bytes.data(), bytes.size()));
}

Hash128 Hasher128::hash() const noexcept {
  const XXH128_hash_t hash = XXH3_128bits_digest(state_of(state_.get()));
  return {hash.high64, hash.low64};
}

}  // namespace cairn::codec
