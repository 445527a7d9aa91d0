#include "engine/vector/vector_state.hpp"

#include "tests/engine/vector/large_index.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <random>

using namespace cairn;
using cairn::test::every_way;
using cairn::test::Floats;
using cairn::test::Large;
using cairn::test::random_ids;
using codec::Bitmap;
using codec::Metric;
using engine::VectorSearch;
using engine::VectorState;

namespace data = boost::unit_test::data;

namespace {

const auto metrics = data::make({1, 2, 3});

engine::Neighbors search(const VectorState& state, const VectorSearch& search) {
  return state.search(search).value();
}

void expect_same(const std::vector<engine::Neighbor>& found,
                 const std::vector<engine::Neighbor>& wanted) {
  BOOST_TEST(test::ids_of(found) == test::ids_of(wanted), boost::test_tools::per_element());
  for (std::size_t i = 0; i < std::min(found.size(), wanted.size()); ++i)
    BOOST_TEST(found[i].score == wanted[i].score, boost::test_tools::tolerance(1e-6));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(vector_searches)  // see CMakeLists.txt
BOOST_AUTO_TEST_SUITE(vector_state)

BOOST_DATA_TEST_CASE(an_exact_search_is_the_naive_one, metrics* data::make({1, 3, 100, 256, 4'096}),
                     metric_number, dimension) {
  const auto metric = static_cast<Metric>(metric_number);
  const auto size = static_cast<std::size_t>(dimension);
  const std::uint64_t seed = 52;
  test::VectorMaker maker(seed, size, std::min<std::size_t>(size, 10));
  const std::size_t count = size > 1'000 ? 300 : 2'000;
  const auto index = test::make_index({.dimension = static_cast<std::uint32_t>(size),
                                       .metric = metric,
                                       .m = 4,
                                       .ef_construction = 8});
  test::NaiveIndex naive{metric, {}};
  for (const std::uint64_t half : {0u, 1u}) {  // the first half sealed, the second in the delta
    const auto changes = test::puts(maker.make(count / 2), half * count / 2);
    naive.apply(changes);
    index->apply(changes, half + 1);
    if (half == 0) test::seal(*index);
  }
  const Bitmap allowed = random_ids(seed, count, 0.3);
  BOOST_TEST_CONTEXT("seed " << seed)
  for (const Floats& query : maker.make(5)) {
    const auto all = search(*index->state(), {.query = query, .k = 20, .exact = true});
    expect_same(all.hits, naive.search(query, 20));
    BOOST_TEST((all.executor == VectorExecutor::exact));
    const auto some =
        search(*index->state(), {.query = query, .k = 20, .exact = true, .allowed = &allowed});
    expect_same(some.hits, naive.search(query, 20, &allowed));
  }
}

BOOST_AUTO_TEST_CASE(equal_scores_come_in_ascending_order_of_ids) {
  const auto index = test::make_index({.dimension = 2, .metric = Metric::cosine});
  index->apply(test::puts({{1, 1}, {3, 3}, {1, 0}, {0.5, 0.5}, {1e10f, 1e10f}}), 1);
  for (int round = 0; round < 2; ++round) {
    const auto found = search(*index->state(), {.query = Floats{2, 2}, .k = 3});
    BOOST_TEST(test::ids_of(found.hits) == (std::vector<std::uint64_t>{0, 1, 3}));
    BOOST_TEST(found.hits[2].score == 1.0);
    test::seal(*index);
  }
}

BOOST_AUTO_TEST_CASE(a_query_that_cannot_be_compared_is_refused) {
  const auto index = test::make_index({.dimension = 2, .metric = Metric::cosine});
  const auto is_refused = [&](const Floats& query) {
    const auto found = index->state()->search({.query = query});
    return !found.has_value() && found.error().code == ErrorCode::invalid_argument;
  };
  BOOST_TEST(is_refused({1}));
  BOOST_TEST(is_refused({0, 0}));
  BOOST_TEST(is_refused({1, std::numeric_limits<float>::quiet_NaN()}));
}

BOOST_AUTO_TEST_CASE(an_empty_index_and_k_of_zero_give_no_hits) {
  const auto index = test::make_index({.dimension = 1, .metric = Metric::euclidean});
  BOOST_TEST(search(*index->state(), {.query = Floats{1}}).hits.empty());
  index->apply(test::puts({{1}}), 1);
  BOOST_TEST(search(*index->state(), {.query = Floats{1}, .k = 0}).hits.empty());
  const auto huge = std::numeric_limits<std::size_t>::max();
  BOOST_TEST(search(*index->state(), {.query = Floats{1}, .k = huge}).hits.size() == 1u);
}

// The bound of ef that the planner chooses by itself: see search_plan.cpp.
BOOST_DATA_TEST_CASE(recall_is_at_least_95_of_100_at_every_selectivity,
                     data::make({1, 3}) * data::make({1.0, 0.5, 0.1, 0.01}), metric_number,
                     selectivity) {
  const auto& large = Large::of(static_cast<Metric>(metric_number));
  const Bitmap allowed = random_ids(53, Large::count, selectivity);
  double sum = 0;
  for (const Floats& query : large.queries) {
    const auto found = search(*large.index->state(), {.query = query, .allowed = &allowed});
    sum += test::recall(found.hits, large.naive.search(query, 10, &allowed));
  }
  const double mean = sum / static_cast<double>(large.queries.size());
  BOOST_TEST_MESSAGE("recall@10 " << mean << " at selectivity " << selectivity);
  BOOST_TEST(mean >= 0.95, "seed " << Large::seed << ", recall " << mean);
}

// What was calibrated for ten hits must not be taken for granted of more.
BOOST_DATA_TEST_CASE(classes_of_recall_hold_for_hundreds_of_hits, data::make({1, 3}),
                     metric_number) {
  const auto& large = Large::of(static_cast<Metric>(metric_number));
  for (const std::size_t k : {60u, 400u})
    for (const auto& strategy : {every_way[0], every_way[3]}) {
      double sum = 0;
      for (std::size_t q = 0; q < 12; ++q) {
        const Floats& query = large.queries[q];
        const auto found = search(
            *large.index->state(),
            {.query = query, .k = k, .recall = engine::Accuracy::high, .strategy = strategy});
        sum += test::recall(found.hits, large.naive.search(query, k));
      }
      BOOST_TEST(sum / 12 >= 0.98, "k " << k << ", recall " << sum / 12);
    }
}

BOOST_AUTO_TEST_CASE(the_graph_alone_recalls_95_of_100_at_ef_100) {
  const auto& large = Large::of(Metric::cosine);
  double sum = 0;
  for (const Floats& query : large.queries) {
    const auto found =
        search(*large.index->state(),
               {.query = query, .ef_search = 100, .strategy = engine::SearchStrategy::graph});
    BOOST_TEST(to_string(found.executor).starts_with("graph"));
    sum += test::recall(found.hits, large.naive.search(query, 10));
  }
  BOOST_TEST(sum / static_cast<double>(large.queries.size()) >= 0.95);
}

BOOST_AUTO_TEST_CASE(every_search_returns_as_many_hits_as_match_up_to_k) {
  const auto& large = Large::of(Metric::euclidean);
  const auto& query = large.queries[0];
  const auto order = test::ids_of(large.naive.search(query, Large::count));
  const auto farthest = [&](std::size_t count) {
    return Bitmap::from_unsorted({order.end() - static_cast<std::ptrdiff_t>(count), order.end()});
  };
  for (const std::size_t count : {1u, 9u, 10u, 11u, 500u, 2'000u, 5'000u, 9'990u}) {
    const Bitmap allowed = farthest(count);
    for (const std::size_t k : {1u, 10u, 1'000u, 7'500u, 10'000u}) {
      for (const auto& strategy : every_way) {
        const std::size_t ef = count % 3;
        const auto found = search(
            *large.index->state(),
            {.query = query, .k = k, .ef_search = ef, .allowed = &allowed, .strategy = strategy});
        BOOST_TEST(found.hits.size() == std::min(k, count), "count " << count << ", k " << k);
        for (const engine::Neighbor& hit : found.hits) BOOST_TEST_REQUIRE(allowed.contains(hit.id));
      }
    }
  }
}

// The differential test of all ways: hnswlib's own walk with its callback is the reference.
BOOST_DATA_TEST_CASE(every_way_finds_what_it_promises_under_any_filter,
                     data::make({1, 3}) * data::make({1.0, 0.5, 0.05}), metric_number,
                     selectivity) {
  const auto& large = Large::of(static_cast<Metric>(metric_number));
  const Bitmap allowed = random_ids(57, Large::count, selectivity);
  std::vector<std::vector<engine::Neighbor>> wanted;
  for (const Floats& query : large.queries)
    wanted.push_back(large.naive.search(query, 10, &allowed));
  for (const auto& strategy : every_way) {
    double sum = 0;
    for (std::size_t q = 0; q < wanted.size(); ++q) {
      const auto found = search(*large.index->state(), {.query = large.queries[q],
                                                        .allowed = &allowed,
                                                        .recall = engine::Accuracy::high,
                                                        .strategy = strategy});
      sum += test::recall(found.hits, wanted[q]);
    }
    const double mean = sum / static_cast<double>(wanted.size());
    BOOST_TEST(mean >= 0.97, "seed " << Large::seed << ", way "
                                     << (strategy ? static_cast<int>(*strategy) : -1) << ", recall "
                                     << mean);
  }
}

// Half of the sealed vectors are erased or moved afterwards. No search strategy may return an old
// vector.
BOOST_AUTO_TEST_CASE(no_way_shows_what_was_erased_or_moved) {
  test::VectorMaker maker(58, 64, 12);
  const auto index = test::make_index({.dimension = 64, .m = 8, .ef_construction = 40});
  test::NaiveIndex naive{Metric::cosine, {}};
  const auto feed = [&](const std::vector<engine::VectorChange>& changes, std::uint64_t sequence) {
    naive.apply(changes);
    index->apply(changes, sequence);
  };
  feed(test::puts(maker.make(3'000), 70'000, 2), 1);
  test::seal(*index);
  std::vector<engine::VectorChange> changes = test::puts(maker.make(700), 70'000, 4);
  for (std::uint64_t i = 0; i < 700; ++i) changes.push_back({72'802 + 4 * i, std::nullopt});
  feed(changes, 2);
  for (int round = 0; round < 2; ++round) {
    for (const Floats& query : maker.make(10)) {
      const Bitmap allowed = Bitmap::of_range(70'000, 75'000);
      const auto wanted = naive.search(query, 20, &allowed);
      for (const auto& strategy : every_way) {
        const auto found = search(
            *index->state(), {.query = query, .k = 20, .allowed = &allowed, .strategy = strategy});
        BOOST_TEST(found.hits.size() == wanted.size());
        BOOST_TEST(test::recall(found.hits, wanted) >= 0.75);
        for (const engine::Neighbor& hit : found.hits)
          BOOST_TEST_REQUIRE(naive.vectors.contains(hit.id));
      }
    }
    test::seal(*index);  // slots no longer ascend
  }
}

BOOST_AUTO_TEST_CASE(allowed_ids_without_a_vector_do_not_count) {
  const auto& large = Large::of(Metric::euclidean);
  const Bitmap strangers = Bitmap::of_range(Large::count, 3 * Large::count);
  const Bitmap nobody;
  const auto& state = *large.index->state();
  BOOST_TEST(search(state, {.query = large.queries[0], .allowed = &strangers}).hits.empty());
  BOOST_TEST(search(state, {.query = large.queries[0], .allowed = &nobody}).hits.empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
