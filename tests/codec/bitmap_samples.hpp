#pragma once
// Generated sets of every shape that a container treats separately, and a simple structure for comparison: an ascending
// vector with the algorithms of the standard library.

#include "codec/container.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace cairn::codec::samples {

using Random = std::mt19937_64;

template <class T>
using Model = std::vector<T>;  // strictly ascending
using Lows = Model<std::uint16_t>;
using Ids = Model<std::uint64_t>;

template <class T>
Model<T> both(const Model<T>& a, const Model<T>& b) {
  Model<T> result;
  std::ranges::set_intersection(a, b, std::back_inserter(result));
  return result;
}

template <class T>
Model<T> either(const Model<T>& a, const Model<T>& b) {
  Model<T> result;
  std::ranges::set_union(a, b, std::back_inserter(result));
  return result;
}

template <class T>
Model<T> without(const Model<T>& a, const Model<T>& b) {
  Model<T> result;
  std::ranges::set_difference(a, b, std::back_inserter(result));
  return result;
}

inline std::uint64_t below(Random& random, std::uint64_t bound) {
  return std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(random);
}

/// `count` different values of [first, last].
inline Lows pick(Random& random, std::size_t count, std::uint16_t first, std::uint16_t last) {
  Lows all(std::size_t{last} - first + 1);
  std::iota(all.begin(), all.end(), first);
  Lows picked;
  picked.reserve(count);
  std::ranges::sample(all, std::back_inserter(picked), static_cast<std::ptrdiff_t>(count), random);
  return picked;
}

/// Stretches of values with gaps between them, up to 65,535.
inline Lows stretches(Random& random, std::uint64_t longest, std::uint64_t widest_gap) {
  Lows values;
  for (std::uint64_t value = below(random, widest_gap); value < 65'536;) {
    const std::uint64_t end = value + 1 + below(random, longest);
    for (; value < std::min<std::uint64_t>(end, 65'536); ++value)
      values.push_back(static_cast<std::uint16_t>(value));
    value += 1 + below(random, widest_gap);
  }
  return values;
}

constexpr std::size_t shape_count = 14;

/// Returns a set of a given shape: empty, one value at either end, few values, arrays and bitmaps at the border between
/// the two, dense and sparse sets, runs of every length, and all values.
inline Lows shape(Random& random, std::size_t number) {
  switch (number) {
    case 0:
      return {};
    case 1:
      return {0};
    case 2:
      return {65'535};
    case 3:
      return pick(random, 1 + below(random, 70), 0, 65'535);
    case 4:
      return pick(random, 2'000, 0, 65'535);
    case 5:
      return pick(random, 2'000, 20'000, 24'000);
    case 6:
      return pick(random, Container::max_array, 0, 65'535);
    case 7:
      return pick(random, Container::max_array + 1, 0, 65'535);
    case 8:
      return pick(random, 30'000, 0, 65'535);
    case 9:
      return pick(random, 65'535, 0, 65'535);
    case 10:
      return stretches(random, 8, 2'000);
    case 11:
      return stretches(random, 1'000, 1'000);
    case 12:
      return stretches(random, 20'000, 64);
    default:
      return pick(random, 65'536, 0, 65'535);
  }
}

/// One set for each shape.
inline std::vector<Lows> shapes(Random& random) {
  std::vector<Lows> all;
  for (std::size_t number = 0; number < shape_count; ++number) all.push_back(shape(random, number));
  return all;
}

inline Container as_runs(const Lows& values) {
  std::vector<Container::Run> runs;
  for (std::uint16_t value : values) {
    if (!runs.empty() && runs.back().last + 1 == value)
      runs.back().last = value;
    else
      runs.push_back({value, value});
  }
  return Container::from_runs(runs);
}

/// The same set in each form it can have: by its cardinality, and as runs.
inline std::vector<Container> forms_of(const Lows& values) {
  return {Container::from_sorted(values), as_runs(values)};
}

inline Lows values_of(const Container& container) {
  Lows values;
  values.reserve(container.cardinality());
  container.for_each([&](std::uint16_t value) { values.push_back(value); });
  return values;
}

/// Ids of a few shapes, in chunks of which only some are shared by two calls.
inline Ids ids(Random& random) {
  Ids result;
  for (std::uint64_t key = below(random, 3); key < 12; key += 1 + below(random, 3))
    for (std::uint16_t low : shape(random, below(random, shape_count)))
      result.push_back((key * key * 1'000) << 16 | low);
  return result;
}

}  // namespace cairn::codec::samples
