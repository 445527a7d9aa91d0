#include "engine/vector/vector_index.hpp"

#include "tests/engine/vector/vector_fixture.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <random>

using namespace cairn;
using cairn::test::Floats;
using codec::Bitmap;
using codec::Metric;
using engine::VectorChange;
using engine::VectorIndex;

namespace {

constexpr std::uint64_t seed = 61;

/// Compares all vectors of a state with the naive index, by exact search and by find().
void expect_same(const engine::VectorState& state, const test::NaiveIndex& naive,
                 const Floats& query) {
  BOOST_TEST(state.size() == naive.vectors.size());
  const auto found =
      state.search({.query = query, .k = naive.vectors.size() + 1, .exact = true}).value();
  const auto wanted = naive.search(query, naive.vectors.size());
  BOOST_TEST(test::ids_of(found.hits) == test::ids_of(wanted), boost::test_tools::per_element());
  for (std::uint64_t entity = 0; entity < 300; entity += 7) {
    const auto row = state.find(entity);
    const auto known = naive.vectors.find(entity);
    BOOST_TEST_REQUIRE(row.has_value() == (known != naive.vectors.end()));
    if (row) BOOST_TEST(*row == known->second);
  }
}

/// Random puts and erasures over entities [0, 300).
std::vector<VectorChange> random_changes(std::mt19937_64& random, test::VectorMaker& maker) {
  std::vector<VectorChange> changes(1 + random() % 12);
  for (VectorChange& change : changes) {
    change.entity = random() % 300;
    if (random() % 4 != 0) change.vector = maker.make();
  }
  return changes;
}

ErrorCode refused(const engine::VectorIndexOptions& options) {
  const auto made = VectorIndex::make(options);
  return made.has_value() ? ErrorCode{} : made.error().code;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(vector_index)

BOOST_AUTO_TEST_CASE(options_out_of_range_are_refused) {
  BOOST_TEST((refused({.dimension = 0}) == ErrorCode::invalid_argument));
  BOOST_TEST((refused({.dimension = 4'097}) == ErrorCode::invalid_argument));
  BOOST_TEST((refused({.dimension = 8, .m = 1}) == ErrorCode::invalid_argument));
  BOOST_TEST((refused({.dimension = 8, .ef_construction = 0}) == ErrorCode::invalid_argument));
  BOOST_TEST(VectorIndex::make({.dimension = 4'096}).has_value());
}

BOOST_AUTO_TEST_CASE(a_change_is_found_by_the_next_search) {
  const auto index = test::make_index({.dimension = 2, .metric = Metric::euclidean});
  index->apply(std::vector<VectorChange>{{4, Floats{1, 2}}}, 17);
  BOOST_TEST(index->state()->sequence() == 17u);
  BOOST_TEST(index->state()->size() == 1u);
  const auto found = index->state()->search({.query = Floats{1, 2}}).value();
  BOOST_TEST(found.hits.at(0).id == 4u);
  BOOST_TEST(found.hits.at(0).score == 1.0);
}

// Histories of updates and erasures, with seals that begin at one state and are adopted some
// changes later. All states in between are held to the end and must not change.
BOOST_DATA_TEST_CASE(held_states_stay_what_they_were, boost::unit_test::data::make({1, 2, 3}),
                     metric_number) {
  const auto metric = static_cast<Metric>(metric_number);
  std::mt19937_64 random(seed);
  test::VectorMaker maker(seed, 5, 5);
  const auto index = test::make_index({.dimension = 5, .metric = metric, .m = 4});
  test::NaiveIndex naive{metric, {}};
  std::vector<std::pair<VectorIndex::StatePtr, test::NaiveIndex>> held;
  std::shared_ptr<const void> built;
  for (std::uint64_t sequence = 1; sequence <= 400; ++sequence) {
    const auto changes = random_changes(random, maker);
    index->apply(changes, sequence);
    naive.apply(changes);
    if (sequence % 20 == 5) built = index->build_segment(index->state(), {}).value();
    if (sequence % 20 == 12) index->adopt_segment(built);
    if (sequence % 8 == 0) held.emplace_back(index->state(), naive);
  }
  BOOST_TEST_CONTEXT("seed " << seed)
  for (const auto& [state, expected] : held) expect_same(*state, expected, maker.make());
}

BOOST_AUTO_TEST_CASE(a_segment_of_an_older_epoch_is_not_adopted) {
  const auto index = test::make_index({.dimension = 1, .metric = Metric::euclidean});
  index->apply(test::puts({{1}, {2}}), 1);
  const auto first = index->build_segment(index->state(), {}).value();
  const auto second = index->build_segment(index->state(), {}).value();
  index->adopt_segment(first);
  index->apply(test::puts({{3}}, 5), 2);
  index->adopt_segment(second);
  BOOST_TEST(index->state()->size() == 3u);
  BOOST_TEST(index->state()->find(5).has_value());
}

BOOST_AUTO_TEST_CASE(erasing_everything_and_sealing_leaves_an_empty_index) {
  const auto index = test::make_index({.dimension = 1, .metric = Metric::euclidean});
  index->apply(test::puts({{1}, {2}}), 1);
  test::seal(*index);
  index->apply(std::vector<VectorChange>{{0, {}}, {1, {}}, {9, {}}}, 2);
  BOOST_TEST(index->state()->size() == 0u);
  test::seal(*index);
  BOOST_TEST(index->state()->size() == 0u);
  index->apply(test::puts({{3}}), 3);
  BOOST_TEST(index->state()->search({.query = Floats{1}}).value().hits.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_stopped_build_leaves_the_index_as_it_was) {
  const auto index = test::make_index({.dimension = 1, .metric = Metric::euclidean});
  index->apply(test::puts({{1}, {2}}), 1);
  const auto stopped = index->build_segment(index->state(), [] { return true; });
  BOOST_TEST((stopped.error().code == ErrorCode::cancelled));
  BOOST_TEST(index->state()->size() == 2u);
}

BOOST_AUTO_TEST_CASE(a_seal_is_wanted_after_many_changes_whatever_their_kind) {
  const auto index = test::make_index(
      {.dimension = 1'024, .metric = Metric::euclidean, .m = 2, .ef_construction = 1});
  const std::vector<Floats> some(1'024, Floats(1'024, 1));
  index->apply(test::puts(some), 1);
  index->apply(test::puts(some), 2);
  BOOST_TEST(!index->wants_seal());
  index->apply(test::puts({some[0]}), 3);
  BOOST_TEST(index->wants_seal());
  test::seal(*index);
  BOOST_TEST(!index->wants_seal());
}

BOOST_AUTO_TEST_CASE(recall_survives_updates_and_seals) {
  constexpr std::size_t count = 4'000;
  std::mt19937_64 random(seed);
  test::VectorMaker maker(seed, 32, 10);
  const auto index = test::make_index({.dimension = 32, .metric = Metric::cosine, .m = 12});
  test::NaiveIndex naive{Metric::cosine, {}};
  const auto change = [&](const std::vector<VectorChange>& changes, std::uint64_t sequence) {
    index->apply(changes, sequence);
    naive.apply(changes);
  };
  change(test::puts(maker.make(count)), 1);
  test::seal(*index);
  for (std::uint64_t round = 2; round < 12; ++round) {
    std::vector<VectorChange> changes;
    for (int i = 0; i < 600; ++i) changes.push_back({random() % count, maker.make()});
    for (int i = 0; i < 60; ++i) changes.push_back({random() % count, {}});
    change(changes, round);
    test::seal(*index);
  }
  double sum = 0;
  const auto queries = maker.make(50);
  for (const Floats& query : queries)
    sum += test::recall(index->state()->search({.query = query, .ef_search = 50}).value().hits,
                        naive.search(query, 10));
  BOOST_TEST(sum / static_cast<double>(queries.size()) >= 0.95, "seed " << seed);
  BOOST_TEST(index->state()->size() == naive.vectors.size());
}

BOOST_AUTO_TEST_CASE(memory_follows_the_vectors) {
  const auto index = test::make_index({.dimension = 100, .metric = Metric::cosine});
  const std::size_t empty = index->state()->memory_bytes();
  index->apply(test::puts(test::VectorMaker(seed, 100, 8).make(2'000)), 1);
  const std::size_t in_delta = index->state()->memory_bytes();
  test::seal(*index);
  BOOST_TEST(in_delta > empty + 2'000 * 400);
  BOOST_TEST(index->state()->memory_bytes() > 2'000u * (400 + 132));
  BOOST_TEST(index->state()->memory_bytes() < 2'000u * 850);
}

BOOST_AUTO_TEST_SUITE_END()
