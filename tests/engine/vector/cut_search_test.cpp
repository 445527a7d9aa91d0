// Searches whose hits are cut by distance or score, against comparing everything.
#include "engine/vector/vector_state.hpp"
#include "tests/engine/vector/large_index.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

using namespace cairn;
using cairn::test::every_way;
using cairn::test::Floats;
using cairn::test::Large;
using codec::Bitmap;
using codec::Metric;
using engine::Similarity;
using engine::VectorSearch;
using engine::VectorState;

namespace data = boost::unit_test::data;

namespace {

constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

engine::Neighbors search(const VectorState& state, const VectorSearch& search) {
  return state.search(search).value();
}

Similarity similarity(const test::NaiveIndex& naive, const Floats& query, std::uint64_t id) {
  const Floats stored = test::stored(query, naive.metric);
  return engine::Scorer(stored, naive.metric).compare(naive.vectors.at(id).data());
}

/// All of them, the nearest first, and how far each lies.
struct Compared {
  Compared(const test::NaiveIndex& naive, const Floats& query, const Bitmap* allowed)
      : order(naive.search(query, all, allowed)) {
    const Floats stored = test::stored(query, naive.metric);
    const engine::Scorer scorer(stored, naive.metric);
    for (const engine::Neighbor& hit : order)
      distances.push_back(scorer.compare(naive.vectors.at(hit.id).data()).distance);
  }

  [[nodiscard]] std::vector<std::uint64_t> ids_within(double distance) const {
    std::vector<std::uint64_t> ids;
    for (std::size_t i = 0; i < order.size(); ++i)
      if (distances[i] <= distance) ids.push_back(order[i].id);
    return ids;
  }

  std::vector<engine::Neighbor> order;
  std::vector<double> distances;
};

std::vector<std::uint64_t> sorted(std::vector<std::uint64_t> ids) {
  std::ranges::sort(ids);
  return ids;
}

/// Half of it sealed, some of that erased or moved, the rest in the delta.
struct Small {
  Small(Metric metric, std::size_t dimension, std::uint64_t seed)
      : maker(seed, dimension, std::min<std::size_t>(dimension, 8)),
        index(test::make_index({.dimension = static_cast<std::uint32_t>(dimension),
                                .metric = metric,
                                .m = 4,
                                .ef_construction = 16})),
        naive{metric, {}} {
    feed(test::puts(maker.make(1'500)), 1);
    test::seal(*index);
    auto changes = test::puts(maker.make(300), 1'200);
    for (std::uint64_t id = 0; id < 100; ++id) changes.push_back({3 * id, std::nullopt});
    feed(changes, 2);
  }

  void feed(const std::vector<engine::VectorChange>& changes, std::uint64_t sequence) {
    naive.apply(changes);
    index->apply(changes, sequence);
  }

  test::VectorMaker maker;
  std::unique_ptr<engine::VectorIndex> index;
  test::NaiveIndex naive;
};

std::size_t count_hits(const Small& small, const Floats& query, std::optional<double> least,
                       std::optional<double> within) {
  const auto found =
      search(*small.index->state(),
             {.query = query, .k = all, .exact = true, .min_score = least, .within = within});
  return found.hits.size();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(vector_searches)  // see CMakeLists.txt
BOOST_AUTO_TEST_SUITE(cut_search)

// Bounds are the exact distances of vectors: a vector exactly at the bound is within it, and a vector that is farther
// by the last bit is not.
BOOST_DATA_TEST_CASE(an_exact_search_gives_all_within_a_distance,
                     data::make({1, 2, 3}) * data::make({2, 40, 300}), metric_number, dimension) {
  const std::uint64_t seed = 71;
  Small small(static_cast<Metric>(metric_number), static_cast<std::size_t>(dimension), seed);
  const Bitmap some = test::random_ids(seed, 2'000, 0.3);
  BOOST_TEST_CONTEXT("seed " << seed)
  for (const Floats& query : small.maker.make(4))
    for (const Bitmap* allowed : {static_cast<const Bitmap*>(nullptr), &some}) {
      const Compared compared(small.naive, query, allowed);
      for (const std::size_t place : {0u, 1u, 17u, 200u, 330u}) {
        const double at = compared.distances.at(place);
        for (const double bound : {at, std::nextafter(at, -1e300), std::nextafter(at, 1e300)}) {
          const auto found = search(
              *small.index->state(),
              {.query = query, .k = all, .exact = true, .allowed = allowed, .within = bound});
          BOOST_TEST(sorted(test::ids_of(found.hits)) == sorted(compared.ids_within(bound)));
          BOOST_TEST((found.executor == VectorExecutor::exact));
        }
      }
    }
}

BOOST_DATA_TEST_CASE(bounds_beyond_all_distances_cut_all_or_nothing, data::make({1, 2, 3}),
                     metric_number) {
  Small small(static_cast<Metric>(metric_number), 40, 72);
  const Floats query = small.maker.make();
  const double infinite = std::numeric_limits<double>::infinity();
  BOOST_TEST(count_hits(small, query, {}, infinite) == small.naive.vectors.size());
  BOOST_TEST(count_hits(small, query, -infinite, {}) == small.naive.vectors.size());
  BOOST_TEST(count_hits(small, query, {}, 1e30) == small.naive.vectors.size());
  BOOST_TEST(count_hits(small, query, {}, -infinite) == 0u);
  BOOST_TEST(count_hits(small, query, infinite, {}) == 0u);
  BOOST_TEST(count_hits(small, query, 1e9, {}) == 0u);
}

// The rows of a search without the bound, less those below it.
BOOST_DATA_TEST_CASE(a_least_score_cuts_the_rows_there_are,
                     data::make({1, 3}) * data::make({1.0, 0.3, 0.01}), metric_number, share) {
  const auto& large = Large::of(static_cast<Metric>(metric_number));
  const Bitmap allowed = test::random_ids(73, Large::count, share);
  double kept = 0, wanted = 0;
  for (std::size_t q = 0; q < 15; ++q) {
    const Floats& query = large.queries[q];
    const auto order = large.naive.search(query, 10, &allowed);
    const double least = similarity(large.naive, query, order[6].id).score;
    for (const auto& strategy : every_way) {
      const auto found =
          search(*large.index->state(),
                 {.query = query, .allowed = &allowed, .min_score = least, .strategy = strategy});
      BOOST_TEST(found.hits.size() <= 7u);
      for (const engine::Neighbor& hit : found.hits) BOOST_TEST_REQUIRE(hit.score >= least);
      kept += static_cast<double>(found.hits.size());
      wanted += 7;
      if (strategy == engine::SearchStrategy::exact)
        BOOST_TEST(test::ids_of(found.hits) == test::ids_of({order.begin(), order.begin() + 7}),
                   boost::test_tools::per_element());
    }
  }
  BOOST_TEST(kept >= 0.95 * wanted, "kept " << kept << " of " << wanted);
}

// More than are looked for at first: the search goes deeper until hits lie beyond.
BOOST_DATA_TEST_CASE(a_class_of_recall_holds_for_all_within_a_distance,
                     data::make({1, 3}) * data::make({1.0, 0.3, 0.05}), metric_number, share) {
  const auto& large = Large::of(static_cast<Metric>(metric_number));
  const Bitmap allowed = test::random_ids(74, Large::count, share);
  for (const std::size_t place : {3u, 150u, 400u}) {
    double found_all = 0, wanted = 0;
    for (std::size_t q = 0; q < 6; ++q) {
      const Floats& query = large.queries[q];
      const auto order = large.naive.search(query, place + 1, &allowed);
      const double within = similarity(large.naive, query, order.back().id).distance;
      const auto found = search(*large.index->state(), {.query = query,
                                                        .k = all,
                                                        .allowed = &allowed,
                                                        .recall = engine::Accuracy::high,
                                                        .within = within});
      const auto right = Bitmap::from_unsorted(test::ids_of(order));
      for (const engine::Neighbor& hit : found.hits) BOOST_TEST_REQUIRE(right.contains(hit.id));
      found_all += static_cast<double>(found.hits.size());
      wanted += static_cast<double>(order.size());
    }
    BOOST_TEST(found_all >= 0.97 * wanted, "place " << place << ", " << found_all << "/" << wanted);
  }
}

BOOST_AUTO_TEST_CASE(a_distance_and_a_limit_give_the_nearest_of_those_within) {
  const auto& large = Large::of(Metric::cosine);
  const Floats& query = large.queries[3];
  const auto order = large.naive.search(query, 400);
  const double within = similarity(large.naive, query, order[300].id).distance;
  const auto found =
      search(*large.index->state(), {.query = query, .k = 40, .exact = true, .within = within});
  BOOST_TEST(test::ids_of(found.hits) == test::ids_of({order.begin(), order.begin() + 40}),
             boost::test_tools::per_element());
}

// Nearer to each other than floats tell: the first pick in floats is then not the one in doubles.
BOOST_DATA_TEST_CASE(vectors_that_are_nearly_the_same_are_told_apart,
                     data::make({1, 3}) * data::make({false, true}), metric_number, is_sealed) {
  constexpr std::size_t k = 10;
  const auto metric = static_cast<Metric>(metric_number);
  std::mt19937 random(59);
  std::normal_distribution<float> normal;
  Floats base(40);
  for (float& component : base) component = normal(random);
  std::vector<Floats> vectors(2'000, base);
  for (Floats& vector : vectors)
    for (float& component : vector)
      component += 1e-3F * normal(random) + (metric == Metric::euclidean ? 500 : 0);
  const auto index = test::make_index({.dimension = 40, .metric = metric, .m = 4});
  test::NaiveIndex naive{metric, {}};
  index->apply(test::puts(vectors), 1);
  naive.apply(test::puts(vectors));
  if (is_sealed) test::seal(*index);
  const auto wanted = naive.search(base, k);
  const auto state = index->state();
  const auto found = search(*state, {.query = base, .k = k, .exact = true});
  BOOST_TEST(test::recall(found.hits, wanted) == 1);
  const double least = search(*state, {.query = base, .k = all, .exact = true}).hits[k - 1].score;
  BOOST_TEST(
      search(*state, {.query = base, .k = k, .exact = true, .min_score = least}).hits.size() == k);
  const double distance = similarity(naive, base, wanted.back().id).distance * (1 + 1e-9);
  BOOST_TEST(
      search(*state, {.query = base, .k = k, .exact = true, .within = distance}).hits.size() == k);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
