#pragma once
// What the tests of the vector index share: made vectors and a naive search.

#include "codec/bitmap.hpp"
#include "engine/vector/distance.hpp"
#include "engine/vector/vector_index.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace cairn::test {

using codec::Metric;
using Floats = std::vector<float>;

/// Makes vectors with a low intrinsic dimension: points of a small space, projected into a large one with a little
/// noise, as embeddings are.
class VectorMaker {
 public:
  VectorMaker(std::uint64_t seed, std::size_t dimension, std::size_t intrinsic)
      : random_(seed), axes_(intrinsic, Floats(dimension)) {
    for (Floats& axis : axes_)
      for (float& component : axis) component = normal_(random_);
  }

  [[nodiscard]] Floats make() {
    Floats vector(axes_.front().size());
    for (const Floats& axis : axes_) {
      const float weight = normal_(random_);
      for (std::size_t i = 0; i < vector.size(); ++i) vector[i] += weight * axis[i];
    }
    for (float& component : vector) component += 0.1f * normal_(random_);
    return vector;
  }

  [[nodiscard]] std::vector<Floats> make(std::size_t count) {
    std::vector<Floats> vectors;
    for (std::size_t i = 0; i < count; ++i) vectors.push_back(make());
    return vectors;
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<float> normal_;
  std::vector<Floats> axes_;
};

inline Floats stored(const Floats& vector, Metric metric) {
  Floats out(vector.size());
  engine::store_components(vector, metric, out);
  return out;
}

/// The score as the metric's definition reads.
inline double naive_score(const Floats& a, const Floats& b, Metric metric) {
  double dot = 0, squared_a = 0, squared_b = 0, squared_difference = 0;
  const float *const of_a = a.data(), *const of_b = b.data();
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = of_a[i], y = of_b[i];
    dot += x * y;
    squared_a += x * x;
    squared_b += y * y;
    squared_difference += (x - y) * (x - y);
  }
  if (metric == Metric::euclidean) return 1 / (1 + squared_difference);
  if (metric == Metric::dot_product) return (1 + dot) / 2;
  return (1 + dot / std::sqrt(squared_a * squared_b)) / 2;
}

/// A vector index as a map, searched by comparing everything.
struct NaiveIndex {
  Metric metric = Metric::cosine;
  std::map<std::uint64_t, Floats> vectors;

  void apply(const std::vector<engine::VectorChange>& changes) {
    for (const auto& change : changes) {
      vectors.erase(change.entity);
      if (change.vector) vectors[change.entity] = stored(*change.vector, metric);
    }
  }

  [[nodiscard]] std::vector<engine::Neighbor> search(const Floats& query, std::size_t k,
                                                     const codec::Bitmap* allowed = nullptr) const {
    const Floats asked = stored(query, metric);
    std::vector<engine::Neighbor> hits;
    for (const auto& [entity, vector] : vectors)
      if (allowed == nullptr || allowed->contains(entity))
        hits.push_back({entity, naive_score(asked, vector, metric)});
    const auto end = hits.begin() + static_cast<std::ptrdiff_t>(std::min(hits.size(), k));
    std::ranges::partial_sort(hits, end, [](const engine::Neighbor& a, const engine::Neighbor& b) {
      return a.score != b.score ? a.score > b.score : a.id < b.id;
    });
    hits.erase(end, hits.end());
    return hits;
  }
};

inline std::vector<std::uint64_t> ids_of(const std::vector<engine::Neighbor>& hits) {
  std::vector<std::uint64_t> ids;
  for (const engine::Neighbor& hit : hits) ids.push_back(hit.id);
  return ids;
}

/// The share of `wanted` that is among `found`.
inline double recall(const std::vector<engine::Neighbor>& found,
                     const std::vector<engine::Neighbor>& wanted) {
  const auto ids = codec::Bitmap::from_unsorted(ids_of(found));
  std::size_t hits = 0;
  for (const engine::Neighbor& hit : wanted) hits += ids.contains(hit.id);
  return wanted.empty() ? 1 : static_cast<double>(hits) / static_cast<double>(wanted.size());
}

/// Changes that put vectors[i] under `first + i * step`.
inline std::vector<engine::VectorChange> puts(const std::vector<Floats>& vectors,
                                              std::uint64_t first = 0, std::uint64_t step = 1) {
  std::vector<engine::VectorChange> changes;
  for (const Floats& vector : vectors) {
    changes.push_back({first, vector});
    first += step;
  }
  return changes;
}

inline std::unique_ptr<engine::VectorIndex> make_index(const engine::VectorIndexOptions& options) {
  return std::move(engine::VectorIndex::make(options)).value();
}

/// Seals the changes that the index has now.
inline void seal(engine::VectorIndex& index) {
  index.adopt_segment(index.build_segment(index.state(), {}).value());
}

}  // namespace cairn::test
