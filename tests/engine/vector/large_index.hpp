#pragma once
// One index that many cases search: large enough for codes, partitions and a graph, and made once.

#include "engine/vector/partitioning.hpp"
#include "tests/engine/vector/vector_fixture.hpp"

#include <optional>
#include <random>

namespace cairn::test {

/// Ids i of [0, count) for which a fixed coin falls.
inline codec::Bitmap random_ids(std::uint64_t seed, std::uint64_t count, double share) {
  std::mt19937_64 random(seed);
  std::bernoulli_distribution coin(share);
  std::vector<std::uint64_t> ids;
  for (std::uint64_t id = 0; id < count; ++id)
    if (coin(random)) ids.push_back(id);
  return codec::Bitmap::from_sorted(ids);
}

/// Vectors of 64 dimensions, 16 of which are significant, in one segment. There are more than
/// engine::least_partitioned, in as many partitions (256) as 20,000 vectors would have.
struct Large {
  static constexpr std::uint64_t seed = 51;
  static constexpr std::size_t count = 10'000;
  static_assert(count > engine::least_partitioned);

  explicit Large(Metric metric)
      : maker(seed, 64, 16),
        index(make_index({.dimension = 64, .metric = metric})),
        naive{metric, {}} {
    const auto changes = puts(maker.make(count));
    index->apply(changes, 1);
    naive.apply(changes);
    seal(*index);
    queries = maker.make(50);
  }

  static const Large& of(Metric metric) {
    if (metric != Metric::cosine) {
      static const Large euclidean(Metric::euclidean);
      return euclidean;
    }
    static const Large cosine(Metric::cosine);
    return cosine;
  }

  VectorMaker maker;
  std::unique_ptr<engine::VectorIndex> index;
  NaiveIndex naive;
  std::vector<Floats> queries;
};

/// The planner's choice, and each strategy by itself.
inline const std::vector<std::optional<engine::SearchStrategy>> every_way = {
    std::nullopt, engine::SearchStrategy::exact, engine::SearchStrategy::flat,
    engine::SearchStrategy::partitions, engine::SearchStrategy::graph};

}  // namespace cairn::test
