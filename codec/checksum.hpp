#pragma once
// Hash functions: XXH3 of libxxhash, whose values never change, so they can be stored on disk.

#include <cstdint>
#include <memory>
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

/// Computes hash128() of bytes that come in pieces, such as a file that is not held in memory.
class Hasher128 {
 public:
  Hasher128();
  void add(std::string_view bytes) noexcept;
  /// Returns the hash of everything added so far.
  [[nodiscard]] Hash128 hash() const noexcept;

 private:
  struct Release {
    void operator()(void* state) const noexcept;
  };
  std::unique_ptr<void, Release> state_;
};

}  // namespace cairn::codec
