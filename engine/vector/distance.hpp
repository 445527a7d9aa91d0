#pragma once
// What each metric means: how a vector is stored, the float distance that searches compare (smaller
// is nearer), and the score that a caller sees (greater is nearer).
//
// metric       stored      distance        score
// cosine       normalised  -dot            (1 + cosine) / 2
// dot product  as given    -dot            (1 + dot) / 2
// euclidean    as given    |a - b|^2       1 / (1 + |a - b|^2)

#include "codec/catalog_entry.hpp"
#include "codec/float_kernels.hpp"

#include <cstdint>
#include <span>

namespace cairn::engine {

inline constexpr std::uint32_t max_dimension = 4'096;
/// Greatest |v|^2 of a stored vector, except under cosine. It keeps every distance of two stored
/// vectors finite, including partial sums.
inline constexpr double max_squared_length = 1e37;

/// A metric with the kernels that compute its float distance.
struct DistanceMetric {
  codec::Metric metric = codec::Metric::cosine;
  std::uint32_t dimension = 0;
  codec::kernels::DistanceKernels kernels;
};

[[nodiscard]] DistanceMetric make_metric(codec::Metric metric, std::uint32_t dimension);

/// Writes `components`, which must have passed check_vector(), in the form in which they are stored
/// and searched. Under cosine they are normalised in double precision.
void store_components(std::span<const float> components, codec::Metric metric,
                      std::span<float> out);

/// True if store_components() can have written this vector, apart from rounding.
[[nodiscard]] bool is_storable(std::span<const float> stored, codec::Metric metric);

/// How similar two vectors are, for a caller. `distance` is 1 - cosine, the negated dot product, or
/// the Euclidean distance, as the function vector_distance() of the language returns it.
struct Similarity {
  double score = 0;
  double distance = 0;
};

/// The distance at which a vector has this score, apart from rounding. Infinite if every vector has
/// a greater score.
[[nodiscard]] double distance_of_score(codec::Metric metric, double score);

/// An upper bound, despite rounding, for the float distance of vectors within `distance`. Infinite
/// for the dot product, whose rounding error has no bound.
[[nodiscard]] float farthest_float(const DistanceMetric& measure, double distance);

/// The reverse: an upper bound for the distance of vectors with this float distance. Infinite for
/// the dot product.
[[nodiscard]] double farthest_distance(const DistanceMetric& measure, float distance);

/// Scores stored vectors in double precision. Under cosine, the score of a vector with itself is 1.
class Scorer {
 public:
  /// `query` is in stored form and must outlive the scorer.
  Scorer(std::span<const float> query, codec::Metric metric);
  [[nodiscard]] Similarity compare(const float* row) const;
  [[nodiscard]] double score(const float* row) const { return compare(row).score; }
  /// |query|^2
  [[nodiscard]] double query_squared() const noexcept { return squared_length_; }

 private:
  std::span<const float> query_;
  codec::Metric metric_;
  double squared_length_;
};

}  // namespace cairn::engine
