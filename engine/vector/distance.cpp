// The metrics: stored forms, distances and scores. Float distances choose candidates. Hits and
// their scores are computed in double precision from the stored vectors. So a score does not depend
// on the strategy that found the hit, nor on the machine except for its last bits.
#include "engine/vector/distance.hpp"

#include "engine/vector/vector_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace cairn::engine {
namespace {

// An invalid_argument error.
Error invalid(std::string message) {
  return Error{ErrorCode::invalid_argument, std::move(message), {}};
}

// In double precision, where the sum of squares of floats is always finite: 4,096 squares of the
// greatest float are far below the greatest double. So the result is NaN or infinite only if a
// component is.
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
  // For vectors read from a file: normalising and rounding leave an error of about 1e-7; damage
  // changes much more.
  return std::abs(length - 1) < 1e-3;
}

Scorer::Scorer(std::span<const float> query, codec::Metric metric)
    : query_(query), metric_(metric), squared_length_(squared_length(query)) {}

// Scores equal the language's similarity functions (table in distance.hpp).
Similarity Scorer::compare(const float* row) const {
  const auto sums = codec::kernels::precise_sums(query_.data(), row, query_.size());
  if (metric_ == codec::Metric::euclidean)
    return {1 / (1 + sums.squared_difference), std::sqrt(sums.squared_difference)};
  if (metric_ == codec::Metric::dot_product) return {(1 + sums.dot) / 2, -sums.dot};
  // Dividing by the lengths undoes the error of rounding normalised vectors to floats.
  const double cosine =
      std::clamp(sums.dot / std::sqrt(squared_length_ * sums.squared_b), -1.0, 1.0);
  return {(1 + cosine) / 2, 1 - cosine};
}

double distance_of_score(codec::Metric metric, double score) {
  if (metric == codec::Metric::cosine) return 2 * (1 - score);
  // The inverses of the formulas in Scorer::compare().
  if (metric == codec::Metric::dot_product) return 1 - 2 * score;
  return score > 0 ? std::sqrt(std::max(1 / score - 1, 0.0))
                   : std::numeric_limits<double>::infinity();
}

namespace {

// The error of a sum of n products in floats is at most n rounding units relative to the sum of
// their magnitudes. That sum is at most 1 for normalised vectors, and the distance itself for
// squares. Twice as much is allowed, to cover the rounding of stored components and of scores.
double rounding_of(const DistanceMetric& measure) {
  return (measure.dimension + 8) * double{std::numeric_limits<float>::epsilon()};
}
constexpr double least_square = 1e-12;  // the most that rounding can make of a distance of zero

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

// One sum of squares detects most faults; the component at fault is searched only for the error
// text.
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
    return invalid(std::string(what) + " is zero, and a zero vector has no cosine similarity");
  if (metric != codec::Metric::cosine && length > max_squared_length)
    return invalid(std::string(what) + " has a length above 3e18; scale the vector down");
  return {};
}

}  // namespace cairn::engine
