#pragma once
// Random: the draws of a generated test, the same ones for the same seed.

#include <cstddef>
#include <cstdint>
#include <random>

namespace cairn::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  [[nodiscard]] std::uint64_t number() { return engine_(); }
  /// A number in [0, bound).
  [[nodiscard]] std::size_t below(std::size_t bound) { return engine_() % bound; }
  /// True once in `times` draws.
  [[nodiscard]] bool one_in(std::size_t times) { return below(times) == 0; }
  template <class Items>
  [[nodiscard]] const auto& pick(const Items& items) {
    return items[below(items.size())];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace cairn::test
