#pragma once
// Generated sets of every shape that a container treats in its own way, and the obvious structure to
// hold results against: an ascending vector with the algorithms of the standard library.

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
  Lows all;
  for (std::uint32_t value = first; value <= last; ++value)
    all.push_back(static_cast<std::uint16_t>(value));
  Lows picked;
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

/// One set for each shape: nothing, one value at either end, few, arrays and bitmaps at the border
/// between them, crowded and spread ones, stretches of every length, everything.
inline std::vector<Lows> shapes(Random& random) {
  return {{},
          {0},
          {65'535},
          pick(random, 1 + below(random, 70), 0, 65'535),
          pick(random, 2'000, 0, 65'535),
          pick(random, 2'000, 20'000, 24'000),
          pick(random, Container::max_array, 0, 65'535),
          pick(random, Container::max_array + 1, 0, 65'535),
          pick(random, 30'000, 0, 65'535),
          pick(random, 65'535, 0, 65'535),
          stretches(random, 8, 2'000),
          stretches(random, 1'000, 1'000),
          stretches(random, 20'000, 64),
          pick(random, 65'536, 0, 65'535)};
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
  container.for_each([&](std::uint16_t value) { values.push_back(value); });
  return values;
}

/// Ids of a few shapes, in chunks of which only some are shared by two calls.
inline Ids ids(Random& random) {
  Ids result;
  const auto all = shapes(random);
  for (std::uint64_t key = below(random, 3); key < 12; key += 1 + below(random, 3))
    for (std::uint16_t low : all[below(random, all.size())])
      result.push_back((key * key * 1'000) << 16 | low);
  return result;
}

}  // namespace cairn::codec::samples
