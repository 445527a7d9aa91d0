#pragma once
// Random: pseudo-random numbers that depend only on the seed, and are the same on every platform (splitmix64).

#include <cstddef>
#include <cstdint>
#include <utility>

namespace cairn::engine {

/// Not for secrets: the next number can be computed from the last one. Threads: one at a time.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  [[nodiscard]] std::uint64_t next() noexcept {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebU;
    return mixed ^ mixed >> 31;
  }
  /// Returns a number from 0 to end - 1. Multiplies instead of taking a remainder; the bias is at most end / 2^32.
  [[nodiscard]] std::uint32_t below(std::uint32_t end) noexcept {
    return static_cast<std::uint32_t>((next() >> 32) * end >> 32);
  }
  /// Moves a random choice of `count` values to the front, in random order (Fisher and Yates, stopped early).
  template <class Values>
  void shuffle(Values& values, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count && i + 1 < values.size(); ++i)
      std::swap(values[i], values[i + below(static_cast<std::uint32_t>(values.size() - i))]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace cairn::engine
