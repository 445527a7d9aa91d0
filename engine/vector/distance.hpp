#pragma once
// What a metric means: how a vector is stored, the float distance that searches compare (smaller is
// nearer), and the score that a caller sees (larger is nearer).
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
/// Greatest |v|^2 of a stored vector, except under cosine: no float distance of two such vectors,
/// and no partial sum of one, is infinite.
inline constexpr double max_squared_length = 1e37;

struct DistanceMetric {
  codec::Metric metric = codec::Metric::cosine;
  std::uint32_t dimension = 0;
  codec::kernels::DistanceKernels kernels;
};

[[nodiscard]] DistanceMetric make_metric(codec::Metric metric, std::uint32_t dimension);

/// Write `components`, which check_vector() let through, as they are stored and searched for.
/// Under cosine they are normalised in double precision.
void store_components(std::span<const float> components, codec::Metric metric,
                      std::span<float> out);

/// Whether store_components() can have written this, rounding aside.
[[nodiscard]] bool is_storable(std::span<const float> stored, codec::Metric metric);

/// How near two vectors are, for a caller: `distance` is 1 - cosine, minus the dot product, or the
/// Euclidean distance, as the language's vector_distance() gives it.
struct Similarity {
  double score = 0;
  double distance = 0;
};

/// The distance at which a vector has this score, rounding aside; infinite where every one has more.
[[nodiscard]] double distance_of_score(codec::Metric metric, double score);

/// No vector within `distance` has a greater float distance from `query`, whatever way its sum was
/// rounded. Infinite under the dot product, where rounding has no bound.
[[nodiscard]] float farthest_float(const DistanceMetric& measure, double distance);

/// The other way about: no vector with this float distance from `query` lies farther. Infinite likewise.
[[nodiscard]] double farthest_distance(const DistanceMetric& measure, float distance);

/// Scores stored vectors in double precision. A vector's cosine score with itself is 1.
class Scorer {
 public:
  /// `query` is as stored, and outlives the scorer.
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
