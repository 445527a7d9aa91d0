// Metrics in one place: what is stored, what is compared, what is returned. 32-bit distances choose
// candidates; hits and their scores are computed in double precision from the stored vector, so a
// score does not depend on the way that the hit was found on, nor on the machine but in its last
// bits.
#include "engine/vector/distance.hpp"

#include "engine/vector/vector_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace cairn::engine {
namespace {

Error invalid(std::string message) {
  return Error{ErrorCode::invalid_argument, std::move(message), {}};
}

// In double precision, where the squares of floats are finite: it is not, if a component is not.
// Also the test for NaN and infinity: one bad component makes the sum so, and no finite floats can,
// for 4,096 squares of the greatest are far below the end of doubles.
double squared_length(std::span<const float> components) {
  return codec::kernels::precise_sums(components.data(), components.data(), components.size()).dot;
}

}  // namespace

DistanceMetric make_metric(codec::Metric metric, std::uint32_t dimension) {
  return {metric, dimension,
          metric == codec::Metric::euclidean ? codec::kernels::squared_difference_kernels()
                                             : codec::kernels::negated_dot_kernels()};
}

void store_components(std::span<const float> components, codec::Metric metric,
                      std::span<float> out) {
  if (metric != codec::Metric::cosine) {
    std::ranges::copy(components, out.begin());
    return;
  }
  const double length = std::sqrt(squared_length(components));
  std::ranges::transform(components, out.begin(), [length](float component) {
    return static_cast<float>(double{component} / length);
  });
}

bool is_storable(std::span<const float> stored, codec::Metric metric) {
  const double length = squared_length(stored);  // not finite if a component is not
  if (metric != codec::Metric::cosine) return length <= max_squared_length;
  // Of a file: a vector that was normalised and rounded is off by 1e-7 or so; a damaged one by much
  // more.
  return std::abs(length - 1) < 1e-3;
}

Scorer::Scorer(std::span<const float> query, codec::Metric metric)
    : query_(query), metric_(metric), squared_length_(squared_length(query)) {}

Similarity Scorer::compare(const float* row) const {
  const auto sums = codec::kernels::precise_sums(query_.data(), row, query_.size());
  if (metric_ == codec::Metric::euclidean)
    return {1 / (1 + sums.squared_difference), std::sqrt(sums.squared_difference)};
  if (metric_ == codec::Metric::dot_product) return {(1 + sums.dot) / 2, -sums.dot};
  // Dividing by the lengths takes back what rounding the normalised vectors to floats changed.
  const double cosine =
      std::clamp(sums.dot / std::sqrt(squared_length_ * sums.squared_b), -1.0, 1.0);
  return {(1 + cosine) / 2, 1 - cosine};
}

double distance_of_score(codec::Metric metric, double score) {
  if (metric == codec::Metric::cosine) return 2 * (1 - score);
  // Scores are the language's; these are their formulas turned about.
  if (metric == codec::Metric::dot_product) return 1 - 2 * score;
  return score > 0 ? std::sqrt(std::max(1 / score - 1, 0.0))
                   : std::numeric_limits<double>::infinity();
}

namespace {

// A sum of n products in floats is off by n units of rounding at most, relative to the sum of their
// sizes: that is 1 for normalised vectors, and the sum itself for squares. Twice of it is allowed,
// for the rounding of stored components and of scores.
double rounding_of(const DistanceMetric& measure) {
  return (measure.dimension + 8) * double{std::numeric_limits<float>::epsilon()};
}
constexpr double least_square = 1e-12;  // of what rounding makes of none

}  // namespace

float farthest_float(const DistanceMetric& measure, double distance) {
  const double rounding = rounding_of(measure);
  double farthest = std::numeric_limits<double>::infinity();
  if (measure.metric == codec::Metric::cosine) farthest = distance - 1 + rounding;
  if (measure.metric == codec::Metric::euclidean && distance < 0) farthest = -1;
  if (measure.metric == codec::Metric::euclidean && distance >= 0)
    farthest = distance * distance * (1 + rounding) + least_square;
  return farthest < double{std::numeric_limits<float>::max()}
             ? static_cast<float>(farthest)
             : std::numeric_limits<float>::infinity();
}

double farthest_distance(const DistanceMetric& measure, float distance) {
  const double rounding = rounding_of(measure), of_floats{distance};
  if (measure.metric == codec::Metric::cosine) return of_floats + 1 + rounding;
  if (measure.metric == codec::Metric::euclidean)
    return std::sqrt(std::max(of_floats, 0.0) * (1 + rounding) + least_square);
  return std::numeric_limits<double>::infinity();
}

Status check_vector(std::span<const float> components, std::uint32_t dimension,
                    codec::Metric metric, std::string_view what) {
  if (components.size() != dimension) {
    return invalid(std::string(what) + " has " + std::to_string(components.size()) +
                   " components, the index takes " + std::to_string(dimension));
  }
  const double length = squared_length(components);
  if (!std::isfinite(length)) {
    const auto finite = [](float component) { return std::isfinite(component); };
    const auto broken = std::ranges::find_if_not(components, finite) - components.begin();
    return invalid(std::string(what) + ": component " + std::to_string(broken) +
                   " is not a finite number");
  }
  if (metric == codec::Metric::cosine && length == 0)
    return invalid(std::string(what) + " is zero, which has no cosine with anything");
  if (metric != codec::Metric::cosine && length > max_squared_length)
    return invalid(std::string(what) + " is longer than 3e18, scale it down");
  return {};
}

}  // namespace cairn::engine
