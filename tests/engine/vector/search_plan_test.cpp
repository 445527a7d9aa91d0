#include "engine/vector/search_plan.hpp"

#include <boost/test/unit_test.hpp>

using cairn::engine::plan_walk;
using cairn::engine::SearchShape;

namespace {

SearchShape shape(std::size_t slots, std::size_t selected) {
  return {.slots = slots, .selected = selected, .wanted = 18};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(search_plan)

BOOST_AUTO_TEST_CASE(small_selections_are_always_scanned) {
  BOOST_TEST(!plan_walk(shape(0, 0)).has_value());
  BOOST_TEST(!plan_walk(shape(1'000, 1'000)).has_value());
  BOOST_TEST(!plan_walk(shape(100'000'000, 1'000)).has_value());
}

BOOST_AUTO_TEST_CASE(broad_searches_walk_and_narrow_ones_scan) {
  BOOST_TEST(plan_walk(shape(340'000, 340'000)).has_value());
  BOOST_TEST(plan_walk(shape(340'000, 170'000)).has_value());
  BOOST_TEST(!plan_walk(shape(340'000, 17'000)).has_value());
  BOOST_TEST(!plan_walk(shape(340'000, 3'400)).has_value());
}

BOOST_AUTO_TEST_CASE(a_walk_that_must_return_nearly_all_is_no_walk) {
  auto all = shape(20'000, 20'000);
  all.wanted = 20'000;
  BOOST_TEST(!plan_walk(all).has_value());
  all.wanted = 10'000;
  BOOST_TEST(!plan_walk(all).has_value());
}

BOOST_AUTO_TEST_CASE(the_callers_ef_is_kept_and_never_less_than_the_hits) {
  auto asked = shape(1'000'000, 1'000'000);
  asked.ef_search = 77;
  BOOST_TEST(plan_walk(asked)->ef == 77u);
  asked.ef_search = 3;
  BOOST_TEST(plan_walk(asked)->ef == 18u);
}

BOOST_AUTO_TEST_CASE(a_filter_lowers_ef_and_more_hits_raise_it) {
  const auto unfiltered = plan_walk(shape(400'000, 400'000));
  const auto filtered = plan_walk(shape(400'000, 100'000));
  auto many = shape(10'000'000, 10'000'000);
  many.wanted = 1'000;
  BOOST_TEST(filtered->ef < unfiltered->ef);
  BOOST_TEST(plan_walk(many)->ef >= 2'000u);
}

BOOST_AUTO_TEST_CASE(a_walk_asks_for_no_more_slots_than_a_scan_compares) {
  BOOST_TEST(plan_walk(shape(340'000, 170'000))->budget <= 170'000u);
}

BOOST_AUTO_TEST_SUITE_END()
