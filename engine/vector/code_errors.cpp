// A code's score stands for (offset + unit * score): the dot product, less half of |x|^2 under the Euclidean
// metric (code_table.hpp). Turned about, each exact distance is the score that a code without an error
// would have. Errors of one query at its nearest vectors are alike, so that those of the ones compared
// tell what others may differ by: mean and deviation, as of a normal distribution.
#include "engine/vector/code_errors.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace cairn::engine {
namespace {

double squared_length(std::span<const float> query) {
  return codec::kernels::precise_sums(query.data(), query.data(), query.size()).squared_b;
}

}  // namespace

// A few are told by their bits, without a branch on their order.
float nth_distance(std::span<const SlotDistance> some, std::size_t nth) {
  std::vector<float> nearness;
  nearness.reserve(some.size());
  for (const SlotDistance& one : some) nearness.push_back(-one.distance);
  if (nearness.size() <= codec::kernels::most_floats)
    return -codec::kernels::nth_greatest(nearness.data(), nearness.size(), nth);
  const auto last = nearness.begin() + static_cast<std::ptrdiff_t>(nth - 1);
  std::ranges::nth_element(nearness, last, std::greater());
  return -*last;
}

double farness(const Measure& measure, std::span<const float> query, float distance) {
  if (measure.metric == codec::Metric::euclidean) return double{distance};
  if (measure.metric == codec::Metric::cosine) return std::max(1 + double{distance}, 0.0);
  const double length = std::sqrt(squared_length(query));
  const double each = length > 0 ? double{distance} / length : 0;
  // Of any sign and size: brought between 0 and 2.
  return 1 + each / (1 + std::abs(each));
}

double least_hit_score(const CodeErrorInput& input, std::size_t k) {
  if (input.compared.size() < k || k == 0) return -std::numeric_limits<double>::infinity();
  const bool is_euclidean = input.measure.metric == codec::Metric::euclidean;
  const double squared = is_euclidean ? squared_length(input.query) : 0;
  const auto score_of = [&](float distance) {
    const double product = is_euclidean ? (squared - double{distance}) / 2 : -double{distance};
    return (product - double{input.coded.offset}) / double{input.coded.unit};
  };
  double sum = 0, squares = 0;
  std::size_t at = 0;
  for (const SlotDistance& one : input.compared) {
    // Where some were left out, the next one is a little farther on, and none is far.
    while (input.slots.slot_at(input.items[at].rank) != one.slot)
      at = (at + 1) % input.items.size();
    const double error = score_of(one.distance) - input.items[at].score;
    sum += error;
    squares += error * error;
  }
  const auto count = static_cast<double>(input.compared.size());
  const double mean = sum / count;
  const double deviation = std::sqrt(std::max(squares / count - mean * mean, 0.0));
  return score_of(nth_distance(input.compared, k)) - mean - input.deviations * deviation;
}

}  // namespace cairn::engine
