#include "engine/vector/search_plan.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <optional>
#include <vector>

using cairn::engine::Accuracy;
using cairn::engine::CostModel;
using cairn::engine::is_worth_a_look;
using cairn::engine::plan_search;
using cairn::engine::SearchShape;
using cairn::engine::SearchStrategy;

namespace {

// Without codes unless said otherwise.
SearchShape shape(std::size_t slots, std::size_t selected) {
  return {.slots = slots, .selected = selected, .wanted = 18};
}

SearchShape coded(std::size_t slots, std::size_t selected) {
  SearchShape made = shape(slots, selected);
  made.has_codes = true;
  return made;
}

SearchStrategy strategy(const SearchShape& shape, const CostModel& costs = {}) {
  return plan_search(shape, costs).strategy;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(search_plan)

BOOST_AUTO_TEST_CASE(small_selections_are_compared_one_and_all) {
  BOOST_CHECK(strategy(coded(0, 0)) == SearchStrategy::exact);
  BOOST_CHECK(strategy(coded(1'000, 18)) == SearchStrategy::exact);
  BOOST_CHECK(strategy(coded(100'000, 50)) == SearchStrategy::exact);
  BOOST_CHECK(strategy(shape(1'000, 1'000)) == SearchStrategy::exact);
}

// So the vectors of others in the index change no hit of a tenant that has few.
BOOST_AUTO_TEST_CASE(few_are_compared_one_and_all_whatever_that_costs) {
  CostModel dear;
  dear.float_ns = 10'000;
  for (const std::size_t slots : std::vector<std::size_t>{200, 100'000, 10'000'000}) {
    auto few = coded(slots, 200);
    BOOST_CHECK(strategy(few, dear) == SearchStrategy::exact);
    few.is_list = true;
    few.ef_search = 20;
    BOOST_CHECK(strategy(few, dear) == SearchStrategy::exact);
    few.has_partitions = true;
    few.near_share = 1;
    BOOST_CHECK(strategy(few, dear) == SearchStrategy::exact);
    few.strategy = SearchStrategy::flat;  // unless a caller inside the engine asks
    BOOST_CHECK(strategy(few, dear) == SearchStrategy::flat);
  }
  BOOST_CHECK(strategy(coded(100'000, 201), dear) != SearchStrategy::exact);
}

BOOST_AUTO_TEST_CASE(broad_searches_walk_and_narrow_ones_scan) {
  BOOST_CHECK(strategy(shape(340'000, 340'000)) == SearchStrategy::graph);
  BOOST_CHECK(strategy(shape(340'000, 170'000)) == SearchStrategy::graph);
  BOOST_CHECK(strategy(coded(340'000, 340'000)) == SearchStrategy::graph);
  BOOST_CHECK(strategy(shape(340'000, 17'000)) == SearchStrategy::exact);
  BOOST_CHECK(strategy(coded(340'000, 34'000)) == SearchStrategy::flat);
  BOOST_CHECK(strategy(coded(340'000, 3'400)) == SearchStrategy::flat);
}

BOOST_AUTO_TEST_CASE(prices_decide_and_not_numbers_of_vectors) {
  CostModel dear;
  dear.float_ns = 1'000;
  BOOST_CHECK(plan_search(coded(340'000, 340'000), dear).strategy == SearchStrategy::flat);
  CostModel cheap;
  cheap.float_ns = 1;
  BOOST_CHECK(plan_search(coded(340'000, 3'400), cheap).strategy == SearchStrategy::exact);
}

BOOST_AUTO_TEST_CASE(whom_to_compare_is_chosen_where_comparing_is_dear) {
  CostModel costs;
  costs.rerank_per_hit = {4, 4, 4};
  const auto few = plan_search(coded(340'000, 2'000), costs);
  BOOST_CHECK(few.strategy == SearchStrategy::flat);
  BOOST_TEST(few.rerank_depth == 72U);
  BOOST_TEST(few.sample == 24U);
  const auto many = plan_search(coded(340'000, 34'000), costs);
  BOOST_CHECK(many.strategy == SearchStrategy::flat);
  BOOST_TEST(many.sample == 0U);
}

BOOST_AUTO_TEST_CASE(a_scan_of_codes_costs_something_before_the_first_code) {
  CostModel costs;
  costs.scan_ns = 1'000;
  BOOST_CHECK(strategy(coded(340'000, 1'000), costs) == SearchStrategy::flat);
  costs.scan_ns = 20'000;
  BOOST_CHECK(strategy(coded(340'000, 1'000), costs) == SearchStrategy::exact);
}

BOOST_AUTO_TEST_CASE(what_is_a_list_is_not_looked_for_among_bits) {
  CostModel costs;
  costs.bit_word_ns = 4;
  auto some = coded(640'000, 1'000);
  BOOST_CHECK(strategy(some, costs) == SearchStrategy::exact);
  const double among_bits = plan_search(coded(640'000, 20'000), costs).cost_ns;
  some.is_list = true;
  BOOST_CHECK(strategy(some, costs) == SearchStrategy::flat);
  some.selected = 20'000;
  BOOST_TEST(plan_search(some, costs).cost_ns == among_bits - 4 * 640'000 / 64,
             boost::test_tools::tolerance(1e-9));
  // Nor is it read in order, however cheap that is.
  costs.stream_ns = 0.001;
  BOOST_TEST(!plan_search(some, costs).is_streamed);
  some.is_list = false;
  BOOST_TEST(plan_search(some, costs).is_streamed);
}

BOOST_AUTO_TEST_CASE(hnswlibs_walk_is_taken_where_it_is_nearly_as_cheap) {
  const auto at = [](double stream_ns) {
    CostModel costs;
    costs.stream_ns = costs.gather_ns = stream_ns;
    return plan_search(coded(100'000, 100'000), costs);
  };
  const double walk = at(100).cost_ns;
  BOOST_CHECK(at(walk / 1.1 / 100'000).strategy == SearchStrategy::graph);
  BOOST_CHECK(at(walk / 1.5 / 100'000).strategy == SearchStrategy::flat);
}

// Of graphs of bytes, which two can walk. Both find the same: see coded_segment_test.cpp.
BOOST_AUTO_TEST_CASE(hnswlibs_walk_of_bytes_is_taken_within_a_fifth_of_the_cheapest) {
  const auto at = [](double hnswlib_times, double stream_ns, std::optional<SearchStrategy> asked) {
    CostModel costs;
    costs.stream_ns = costs.gather_ns = stream_ns;
    costs.graph = {{{50, 50'000}, {100, 100'000}, {400, 400'000}}};
    costs.hnswlib_times = hnswlib_times;
    SearchShape shape = coded(100'000, 100'000);
    shape.strategy = asked;
    return plan_search(shape, costs);
  };
  using cairn::engine::GraphSearcher;
  for (const auto asked : {std::optional<SearchStrategy>(), std::optional(SearchStrategy::graph)}) {
    BOOST_CHECK(at(1.19, 10, asked).graph_searcher == GraphSearcher::hnswlib);
    BOOST_CHECK(at(1.19, 10, asked).strategy == SearchStrategy::graph);
    BOOST_CHECK(at(0.5, 10, asked).graph_searcher == GraphSearcher::hnswlib);
    BOOST_CHECK(at(1.21, 10, asked).graph_searcher == GraphSearcher::own);
    BOOST_CHECK(at(1.21, 10, asked).strategy == SearchStrategy::graph);
  }
  // The scan costs about 90 us, the walk 100: nearly as cheap if it is hnswlib's, dearer if not.
  BOOST_CHECK(at(1, 0.9, {}).graph_searcher == GraphSearcher::hnswlib);
  BOOST_CHECK(at(1, 0.9, {}).strategy == SearchStrategy::graph);
  BOOST_CHECK(at(1.3, 0.9, {}).strategy == SearchStrategy::flat);
  BOOST_CHECK(at(1, 0.5, {}).strategy == SearchStrategy::flat);
}

BOOST_AUTO_TEST_CASE(a_walk_that_must_return_nearly_all_is_no_walk) {
  auto all = shape(20'000, 20'000);
  all.wanted = 20'000;
  BOOST_CHECK(strategy(all) == SearchStrategy::exact);
  all.wanted = 10'000;
  BOOST_CHECK(strategy(all) == SearchStrategy::exact);
}

BOOST_AUTO_TEST_CASE(the_callers_ef_is_kept_and_never_less_than_the_hits) {
  auto asked = shape(1'000'000, 1'000'000);
  asked.ef_search = 77;
  BOOST_TEST(plan_search(asked, {}).ef == 77u);
  asked.ef_search = 3;
  BOOST_TEST(plan_search(asked, {}).ef == 18u);
  auto flat = coded(340'000, 3'400);
  const auto depth = plan_search(flat, {}).rerank_depth;
  flat.ef_search = 500;
  BOOST_TEST(plan_search(flat, {}).rerank_depth > depth);
}

BOOST_AUTO_TEST_CASE(a_filter_lowers_ef_and_more_hits_and_more_recall_raise_it) {
  const auto unfiltered = plan_search(shape(400'000, 400'000), {});
  const auto filtered = plan_search(shape(400'000, 200'000), {});
  auto many = shape(10'000'000, 10'000'000);
  many.wanted = 1'000;
  BOOST_TEST(filtered.ef < unfiltered.ef);
  BOOST_TEST(plan_search(many, {}).ef >= 2'000u);
  auto high = shape(400'000, 400'000);
  high.recall = Accuracy::high;
  BOOST_TEST(plan_search(high, {}).ef > unfiltered.ef);
  auto flat = coded(340'000, 3'400);
  const auto standard = plan_search(flat, {}).rerank_depth;
  flat.recall = Accuracy::high;
  BOOST_TEST(plan_search(flat, {}).rerank_depth > standard);
}

BOOST_AUTO_TEST_CASE(a_walk_is_given_up_when_it_costs_what_a_scan_would) {
  const auto plan = plan_search(shape(340'000, 170'000), {});
  BOOST_TEST(plan.budget <= 170'001u);
  BOOST_TEST(plan.budget > 0u);
}

BOOST_AUTO_TEST_CASE(partitions_are_read_where_they_are_the_cheapest) {
  CostModel costs;
  auto parted = coded(340'000, 170'000);
  parted.has_partitions = true;
  costs.all_partitions = {{{3, 3.2, 60'000}, {3.5, 4, 100'000}, {4.5, 5, 200'000}}};
  costs.tenth_partitions = {{{2.5, 3, 40'000}, {3, 3.5, 60'000}, {4, 4.5, 100'000}}};
  const auto plan = plan_search(parted, costs);
  BOOST_CHECK(plan.strategy == SearchStrategy::partitions);
  BOOST_TEST(plan.reach > 3);
  BOOST_TEST(plan.reach < 3.5);
  parted.ef_search = 400;
  BOOST_TEST(plan_search(parted, costs).reach > plan.reach);
  parted.ef_search = 0;
  // One hit was calibrated and ten: those between lie between, and many are as ten.
  parted.hits = 1;
  const double of_one = plan_search(parted, costs).reach;
  BOOST_TEST(of_one > plan.reach);
  parted.hits = 3;
  BOOST_TEST(plan_search(parted, costs).reach > plan.reach);
  BOOST_TEST(plan_search(parted, costs).reach < of_one);
  parted.hits = 1'000;
  BOOST_TEST(plan_search(parted, costs).reach == plan.reach);
  for (auto& price : costs.all_partitions) price.cost_ns = 1e9;
  BOOST_CHECK(plan_search(parted, costs).strategy != SearchStrategy::partitions);
}

// Then all is read for it, and what asks for less goes on from the standard class.
BOOST_AUTO_TEST_CASE(a_class_that_no_reach_keeps_says_nothing_of_lower_efforts) {
  constexpr double everything = cairn::engine::ProbeBounds::everything;
  CostModel costs;
  costs.all_partitions = {{{3, 3, 60'000}, {3.5, 3.5, 100'000}, {everything, everything, 1e15}}};
  costs.graph = {{{50, 1e9}, {100, 1e9}, {400, 1e9}}};
  auto parted = coded(340'000, 340'000);
  parted.has_partitions = true;
  parted.strategy = SearchStrategy::partitions;
  parted.ef_search = 100;
  BOOST_TEST(plan_search(parted, costs).reach == 3.5);
  parted.ef_search = 200;
  BOOST_TEST(plan_search(parted, costs).reach == 4.0, boost::test_tools::tolerance(1e-9));
  parted.ef_search = 50;
  BOOST_TEST(plan_search(parted, costs).reach == 3.0, boost::test_tools::tolerance(1e-9));
  parted.ef_search = 400;
  BOOST_TEST(plan_search(parted, costs).reach == everything);
}

BOOST_AUTO_TEST_CASE(how_a_filter_lies_to_the_query_decides_between_codes_and_partitions) {
  CostModel costs;
  costs.gather_ns = 5;
  costs.stream_ns = 0.5;
  costs.all_partitions = {{{3, 3, 60'000}, {3.5, 4, 100'000}, {4, 5, 200'000}}};
  costs.tenth_partitions = {{{3, 3, 150'000}, {3.5, 4, 250'000}, {4, 5, 400'000}}};
  auto tenth = coded(340'000, 34'000);
  tenth.has_partitions = true;
  const auto plan = plan_search(tenth, costs);
  BOOST_CHECK(plan.strategy == SearchStrategy::flat);
  BOOST_TEST(is_worth_a_look(tenth, plan));
  tenth.near_share = 0.8;
  BOOST_CHECK(strategy(tenth, costs) == SearchStrategy::partitions);
  tenth.near_share = 0.1;
  BOOST_CHECK(strategy(tenth, costs) == SearchStrategy::flat);
  auto half = coded(340'000, 170'000);
  half.has_partitions = true;
  BOOST_CHECK(strategy(half, costs) == SearchStrategy::partitions);
  half.near_share = 0.01;
  BOOST_CHECK(strategy(half, costs) == SearchStrategy::flat);
}

BOOST_AUTO_TEST_CASE(no_walk_looks_for_what_lies_far_from_the_query) {
  CostModel costs;
  costs.stream_ns = 1;
  costs.graph = {{{50, 100'000}, {100, 200'000}, {400, 800'000}}};
  auto half = coded(340'000, 170'000);
  BOOST_CHECK(strategy(half, costs) == SearchStrategy::graph);
  half.near_share = 0.05;
  BOOST_CHECK(strategy(half, costs) == SearchStrategy::flat);
}

BOOST_AUTO_TEST_CASE(nothing_is_looked_at_where_the_look_costs_as_much) {
  auto few = coded(340'000, 5'000);
  few.has_partitions = true;
  CostModel dear;
  for (auto& price : dear.tenth_partitions) price = {3, 3, 1e6};
  BOOST_TEST(!is_worth_a_look(few, plan_search(few, dear)));
  BOOST_TEST(is_worth_a_look(few, plan_search(few, {})));  // of partitions, which cost nothing here
  auto all = coded(340'000, 340'000);
  all.has_partitions = true;
  BOOST_TEST(!is_worth_a_look(all, plan_search(all, {})));
  auto forced = coded(340'000, 170'000);
  forced.has_partitions = true;
  forced.strategy = SearchStrategy::partitions;
  BOOST_TEST(!is_worth_a_look(forced, plan_search(forced, {})));
}

BOOST_AUTO_TEST_CASE(a_way_that_is_asked_for_is_gone) {
  for (const SearchStrategy asked : {SearchStrategy::exact, SearchStrategy::flat,
                                     SearchStrategy::partitions, SearchStrategy::graph}) {
    auto wanted = coded(1'000, 900);
    wanted.has_partitions = true;
    wanted.strategy = asked;
    BOOST_CHECK(strategy(wanted) == asked);
  }
}

BOOST_AUTO_TEST_SUITE_END()
