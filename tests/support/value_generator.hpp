#pragma once
// ValueGenerator: random values, with awkward values far more often than a uniform choice would
// give.

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
  /// Any value, including nodes, relationships, paths and vectors.
  [[nodiscard]] Value any(int levels = 3);
  /// A null, boolean, integer, float or string.
  [[nodiscard]] Value scalar();

  [[nodiscard]] bool boolean() { return below(2) == 1; }
  /// An integer, often near 0, a power of two or an end of the type.
  [[nodiscard]] std::int64_t integer();
  /// A float: whole numbers, neighbours of 2^53 and 2^63, -0, infinities, NaN and random bits.
  [[nodiscard]] double floating();
  /// A string, mostly short, with zero bytes, 0xff, code points of every length and escapes.
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
  /// The bytes with one to three bits flipped, cut short, or with bytes appended.
  [[nodiscard]] std::string damaged(std::string bytes);

 private:
  Value container(int levels, bool with_graph);
  Value graph_element();

  std::mt19937_64 random_;
};

/// The seed of a test run: a fixed one, or CAIRN_TEST_SEED. Put it into the message of a check.
[[nodiscard]] std::uint64_t test_seed();

}  // namespace cairn::test
