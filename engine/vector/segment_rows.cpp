// Float16 copies of vectors and error bounds of their distances. A candidate is excluded if its
// lower bound exceeds the upper bound of the last of the wanted ones, so rounding excludes no true
// hit.
#include "engine/vector/segment_rows.hpp"

#include "codec/float_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn::engine {
namespace {

// Rounding errors of a float16 number: relative, and absolute for subnormal numbers.
constexpr double half_rounding = 1.0 / 2'048, least_half = 1.0 / (1 << 25);

/// A power of two above every component; 1 if all are zero.
float scale_of(std::span<const float> row) {
  float largest = 0;
  for (const float x : row) largest = std::max(largest, std::abs(x));
  if (largest == 0) return 1;
  int exponent = 0;
  std::frexp(largest, &exponent);
  // Limited so that the inverse is a float, too.
  constexpr int least = -125;
  return std::ldexp(1.0F, std::max(exponent, least));
}

}  // namespace

HalfRows::HalfRows(const DistanceMetric& measure, std::size_t slots)
    : measure_(measure), halves_(slots * measure.dimension) {
  if (measure.metric != codec::Metric::cosine) sizes_.resize(slots);
}

void HalfRows::put(std::uint32_t slot, const float* row) {
  const std::size_t dimension = measure_.dimension;
  float scale = 1;
  if (!sizes_.empty()) {
    scale = scale_of({row, dimension});
    const double square = codec::kernels::precise_sums(row, row, dimension).squared_b;
    // Rounded up, to cover its own rounding.
    sizes_[slot] = {scale, static_cast<float>(std::sqrt(square) * (1 + 1e-6))};
  }
  codec::kernels::to_halves(row, dimension, 1 / scale, &halves_[slot * dimension]);
}

// `apart` bounds the length of the difference between a vector and its copy. Float distances have
// an error of at most `dimension` rounding units relative to the sum of magnitudes (twice that is
// allowed, as in farthest_float()).
HalfRows::Bounds HalfRows::bounds(float distance, double query_length,
                                  const Size& size) const noexcept {
  const double dimension = measure_.dimension;
  const double apart = half_rounding * double{size.length} * (1 + 1e-3) +
                       least_half * double{size.scale} * std::sqrt(dimension);
  const double unit = 2 * (dimension + 8) * double{std::numeric_limits<float>::epsilon()};
  if (measure_.metric != codec::Metric::euclidean) {
    const double error = query_length * (apart + unit * (double{size.length} + apart));
    return {double{distance} - error, double{distance} + error};
  }
  const double tiny = 1e-30;  // smaller squares count as 0
  const double most = std::sqrt(double{distance} * (1 + unit) + tiny) + apart;
  const double least = std::max(std::sqrt(double{distance} / (1 + unit)) - apart, 0.0);
  return {least * least * (1 - unit) - tiny, most * most * (1 + unit) + tiny};
}

std::vector<std::uint32_t> HalfRows::nearest(const float* query, std::size_t wanted,
                                             std::span<const std::uint32_t> slots) const {
  const std::size_t dimension = measure_.dimension;
  const double query_length =
      std::sqrt(codec::kernels::precise_sums(query, query, dimension).squared_b);
  constexpr std::size_t ahead = 4, line = 32;  // candidates to prefetch; halves in a cache line
  std::vector<float> row(dimension);
  std::vector<double> low, high;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (i + ahead < slots.size())
      for (std::size_t j = 0; j < dimension; j += line)
        __builtin_prefetch(&halves_[slots[i + ahead] * dimension + j]);
    const Size size = size_of(slots[i]);
    codec::kernels::from_halves(&halves_[slots[i] * dimension], dimension, size.scale, row.data());
    const float distance = measure_.kernels.pair(query, row.data(), dimension);
    const Bounds of = bounds(distance, query_length, size);
    low.push_back(of.low);
    high.push_back(of.high);
  }
  std::vector<std::uint32_t> kept(slots.begin(), slots.end());
  if (slots.size() <= wanted || wanted == 0) return kept;
  // The upper bound of the wanted-th candidate: `wanted` candidates are surely not farther.
  const auto last = high.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
  std::ranges::nth_element(high, last);
  std::size_t count = 0;
  for (std::size_t i = 0; i < slots.size(); ++i)
    if (low[i] <= *last) kept[count++] = slots[i];
  kept.resize(count);
  return kept;
}

}  // namespace cairn::engine
