// A code's score stands for (offset + unit * score): the dot product, less half of |x|^2 under the Euclidean
// metric (sq4_codes.hpp). Turned about, each exact distance is the score that a code without an error
// would have. Errors of one query at its nearest vectors are alike, so that those of the ones compared
// tell what others may differ by: mean and deviation, as of a normal distribution.
#include "engine/vector/code_errors.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace cairn::engine {
namespace {

// One hit in a hundred errs by more, of those that are just as far as the last one.
constexpr double deviations = 2.33;
constexpr double deviations_of_best = 4;  // what few that were chosen tell is not as sure

double squared_length(std::span<const float> query) {
  return codec::kernels::precise_sums(query.data(), query.data(), query.size()).squared_b;
}

/// Of the codes of those that were compared.
class Errors {
 public:
  explicit Errors(const CodeErrorInput& input)
      : input_(input),
        squared_(input.measure.metric == codec::Metric::euclidean ? squared_length(input.query)
                                                                  : 0) {
    std::size_t at = 0;
    for (const SlotDistance& one : input.compared) {
      // Where some were left out, the next one is a little farther on, and none is far.
      while (input.slots.slot_at(input.items[at].rank) != one.slot)
        at = (at + 1) % input.items.size();
      const double error = score_of(one.distance) - input.items[at].score;
      sum_ += error;
      squares_ += error * error;
    }
  }

  [[nodiscard]] double mean() const { return sum_ / count(); }
  /// The mean of their squares.
  [[nodiscard]] double square() const { return squares_ / count(); }
  /// What the code of the nth nearest would score without an error.
  [[nodiscard]] double nth_score(std::size_t nth) const {
    return score_of(nth_distance(input_.compared, nth));
  }

 private:
  [[nodiscard]] double count() const { return static_cast<double>(input_.compared.size()); }
  [[nodiscard]] double score_of(float distance) const {
    const bool is_euclidean = input_.measure.metric == codec::Metric::euclidean;
    const double product = is_euclidean ? (squared_ - double{distance}) / 2 : -double{distance};
    return (product - double{input_.coded.offset}) / double{input_.coded.unit};
  }

  const CodeErrorInput& input_;
  double squared_;
  double sum_ = 0, squares_ = 0;
};

}  // namespace

// A few are compared by their bits, without a branch on their order.
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

double farness(const DistanceMetric& measure, std::span<const float> query, float distance) {
  if (measure.metric == codec::Metric::euclidean) return double{distance};
  if (measure.metric == codec::Metric::cosine) return std::max(1 + double{distance}, 0.0);
  const double length = std::sqrt(squared_length(query));
  const double each = length > 0 ? double{distance} / length : 0;
  // Of any sign and size: brought between 0 and 2.
  return 1 + each / (1 + std::abs(each));
}

double least_hit_score(const CodeErrorInput& input, std::size_t k) {
  if (input.compared.size() < k || k == 0) return -std::numeric_limits<double>::infinity();
  const Errors seen(input);
  const double deviation = std::sqrt(std::max(seen.square() - seen.mean() * seen.mean(), 0.0));
  return seen.nth_score(k) - seen.mean() - deviations * deviation;
}

// Codes have put them in front by errors in their favour, as others may have been put behind by as much:
// so errors are measured from nothing and not from their mean.
double least_hit_score_of_best(const CodeErrorInput& input, std::size_t k) {
  if (input.compared.size() < k || k == 0) return -std::numeric_limits<double>::infinity();
  const Errors seen(input);
  return seen.nth_score(k) - deviations_of_best * std::sqrt(seen.square());
}

}  // namespace cairn::engine
