// Many searches at once against the same one by one: hit by hit and bit by bit.
#include "engine/vector/vector_state.hpp"
#include "tests/engine/vector/large_index.hpp"

#include <boost/test/unit_test.hpp>

#include <random>

using namespace cairn;
using cairn::test::every_way;
using cairn::test::Floats;
using cairn::test::Large;
using codec::Bitmap;
using codec::Metric;
using engine::VectorSearch;

namespace {

bool same(const engine::Neighbors& a, const engine::Neighbors& b) {
  return a.executor == b.executor &&
         std::ranges::equal(a.hits, b.hits,
                            [](const engine::Neighbor& x, const engine::Neighbor& y) {
                              return x.id == y.id && x.score == y.score;
                            });
}

/// Searches of every kind, in any order.
std::vector<VectorSearch> mixed(const std::vector<Floats>& queries, const Bitmap* allowed,
                                std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t end) { return random() % end; };
  std::vector<VectorSearch> searches;
  for (const Floats& query : queries) {
    VectorSearch one{.query = query, .allowed = allowed};
    one.k = std::array<std::size_t, 4>{1, 10, 50, 3'000}[below(4)];
    one.exact = below(6) == 0;
    one.ef_search = below(3) == 0 ? 20 + below(400) : 0;
    one.recall = static_cast<engine::Accuracy>(below(3));
    one.strategy = every_way[below(every_way.size())];
    if (below(4) == 0) one.min_score = 0.5 + 0.1 * static_cast<double>(below(5));
    if (below(4) == 0) one.within = 0.2 * static_cast<double>(below(6));
    if (below(8) == 0) one.k = 0;
    searches.push_back(one);
  }
  return searches;
}

void expect_same(const engine::VectorState& state, const std::vector<VectorSearch>& searches) {
  const auto together = state.search_all(searches).value();
  BOOST_TEST_REQUIRE(together.size() == searches.size());
  for (std::size_t i = 0; i < searches.size(); ++i) {
    const auto alone = state.search(searches[i]).value();
    BOOST_TEST(same(together[i], alone), "search " << i << ": " << together[i].hits.size()
                                                   << " hits by " << to_string(together[i].executor)
                                                   << ", " << alone.hits.size() << " by "
                                                   << to_string(alone.executor));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(vector_searches)  // see CMakeLists.txt
BOOST_AUTO_TEST_SUITE(search_batch)

BOOST_AUTO_TEST_CASE(many_at_once_find_what_each_finds_alone) {
  const std::uint64_t seed = 81;
  for (const Metric metric : {Metric::cosine, Metric::euclidean}) {
    const auto& large = Large::of(metric);
    const Bitmap nobody;
    expect_same(*large.index->state(), mixed(large.queries, nullptr, seed));
    expect_same(*large.index->state(), mixed(large.queries, &nobody, seed));
    for (const double share : {0.7, 0.2, 0.03, 0.0002}) {
      const Bitmap allowed = test::random_ids(seed, Large::count, share);
      BOOST_TEST_CONTEXT("seed " << seed << ", share " << share)
      expect_same(*large.index->state(), mixed(large.queries, &allowed, seed));
    }
  }
}

// A delta over a segment with hidden slots, under the metric without bounds of rounding.
BOOST_AUTO_TEST_CASE(a_delta_and_what_it_hides_are_the_same_for_all) {
  const std::uint64_t seed = 82;
  test::VectorMaker maker(seed, 48, 12);
  const auto index = test::make_index(
      {.dimension = 48, .metric = Metric::dot_product, .m = 8, .ef_construction = 40});
  index->apply(test::puts(maker.make(3'000)), 1);
  test::seal(*index);
  auto changes = test::puts(maker.make(400), 2'800);
  for (std::uint64_t id = 0; id < 300; ++id) changes.push_back({7 * id, std::nullopt});
  index->apply(changes, 2);
  const auto queries = maker.make(40);
  const Bitmap allowed = test::random_ids(seed, 3'200, 0.4);
  BOOST_TEST_CONTEXT("seed " << seed) {
    expect_same(*index->state(), mixed(queries, nullptr, seed));
    expect_same(*index->state(), mixed(queries, &allowed, seed + 1));
  }
}

BOOST_AUTO_TEST_CASE(none_and_one_are_batches_too) {
  const auto& large = Large::of(Metric::cosine);
  BOOST_TEST(large.index->state()->search_all({}).value().empty());
  expect_same(*large.index->state(), {{.query = large.queries[0]}});
}

BOOST_AUTO_TEST_CASE(one_wrong_question_refuses_all) {
  const auto& large = Large::of(Metric::cosine);
  const Floats wrong(3);
  const std::vector<VectorSearch> searches = {{.query = large.queries[0]}, {.query = wrong}};
  BOOST_TEST(
      (large.index->state()->search_all(searches).error().code == ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
