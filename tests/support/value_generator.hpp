#pragma once
// ValueGenerator: random values, the awkward ones far more often than chance would have them.

#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace cairn::test {

class ValueGenerator {
 public:
  explicit ValueGenerator(std::uint64_t seed) : random_(seed) {}

  /// Any value that a property may hold: no graph elements, no vectors; containers at most
  /// `levels` deep.
  [[nodiscard]] Value storable(int levels = 3);
  /// Any value at all, nodes, relationships, paths and vectors included.
  [[nodiscard]] Value any(int levels = 3);
  /// null, boolean, integer, float or string.
  [[nodiscard]] Value scalar();

  [[nodiscard]] bool boolean() { return below(2) == 1; }
  /// Near 0, the powers of two and the ends of the type more often than elsewhere.
  [[nodiscard]] std::int64_t integer();
  /// Whole numbers, neighbours of 2^53 and 2^63, -0, infinities, NaN and random bits.
  [[nodiscard]] double floating();
  /// Short, with zero bytes, 0xff, code points of every length, escapes, and sometimes long.
  [[nodiscard]] std::string string();
  [[nodiscard]] Value temporal();
  [[nodiscard]] Vector vector();

  /// An unsigned number in [0, bound); 0 for bound 0.
  [[nodiscard]] std::uint64_t below(std::uint64_t bound) {
    return bound == 0 ? 0 : random_() % bound;
  }
  [[nodiscard]] std::uint64_t number() { return random_(); }
  /// Random bytes, at most `max_size` of them.
  [[nodiscard]] std::string bytes(std::size_t max_size);
  /// One to three bits flipped, or cut short, or something appended.
  [[nodiscard]] std::string damaged(std::string bytes);

 private:
  Value container(int levels, bool with_graph);
  Value graph_element();

  std::mt19937_64 random_;
};

/// The seed of a test run: a fixed one, or CAIRN_TEST_SEED. Say it in a failing check's message.
[[nodiscard]] std::uint64_t test_seed();

}  // namespace cairn::test
