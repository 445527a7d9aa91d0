#include "query/builtins/registry.hpp"
#include "tests/query/functions/support.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace cairn;
using namespace cairn::query;
using namespace cairn::query::test;

namespace {

struct Case {
  std::string_view function;
  std::vector<Value> values;
  std::string_view expected;
};

void check(std::initializer_list<Case> cases) {
  for (const auto& [function, values, expected] : cases)
    BOOST_TEST_CONTEXT(function << " of " << Value(List(values)).to_text())
  BOOST_TEST(text_of(aggregated(function, values)) == expected);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(aggregation)

BOOST_AUTO_TEST_CASE(count_counts_what_it_is_given) {
  check({{"count", {}, "0"}, {"count", {1, "a", 1}, "3"}});
}

BOOST_AUTO_TEST_CASE(sum_stays_an_integer_until_a_float_comes) {
  check({{"sum", {}, "0"},
         {"sum", {33, 42}, "75"},
         {"sum", {1, 0.5, 2}, "3.5"},
         {"sum", {0.5}, "0.5"},
         {"sum", {Duration{1, 2, 3, 0}, Duration{0, 1, 0, 5}}, "duration('P1M3DT3.000000005S')"},
         {"sum", {"a"}, "error: type_error"},
         {"sum", {1, Duration{}}, "error: type_error"}});
}

BOOST_AUTO_TEST_CASE(a_sum_beyond_64_bits_is_an_error) {
  const std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  check({{"sum", {largest, 1}, "error: invalid_argument"},
         {"sum", {largest, -1}, "9223372036854775806"}});
}

BOOST_AUTO_TEST_CASE(the_order_of_floats_does_not_matter_to_their_sum) {
  check({{"sum", {1e100, 1.0, -1e100}, "1.0"}, {"sum", {1.0, 1e100, 1.0, -1e100}, "2.0"}});
}

BOOST_AUTO_TEST_CASE(an_average_of_nothing_is_null) {
  check({{"avg", {}, "null"},
         {"avg", {1, 2}, "1.5"},
         {"avg", {2, 4}, "3.0"},
         {"avg", {Duration{2, 0, 0, 0}, Duration{4, 0, 0, 0}}, "duration('P3M')"},
         {"avg", {true}, "error: type_error"},
         {"avg", {1, Duration{}}, "error: type_error"}});
}

BOOST_AUTO_TEST_CASE(extremes_are_those_of_order_by) {
  check({{"min", {}, "null"},
         {"min", {1, 2, 0, -1}, "-1"},
         {"max", {1, 2.0, 5, 3.2, 0.1}, "5"},
         {"max", {"a", "b", "B", "abc"}, "'b'"},
         {"max", {list_of({1}), list_of({2}), list_of({2, 1})}, "[2, 1]"},
         {"max", {1, "a", list_of({1, 2}), 0.2, "b"}, "1"},
         {"min", {1, "a", list_of({1, 2}), 0.2, "b"}, "[1, 2]"},
         {"max", {Date{3}, Date{9}, Date{4}}, "date('1970-01-10')"}});
}

BOOST_AUTO_TEST_CASE(collect_keeps_values_in_order) {
  check({{"collect", {}, "[]"}, {"collect", {3, "a", 3}, "[3, 'a', 3]"}});
}

BOOST_AUTO_TEST_CASE(collect_says_what_memory_it_holds) {
  const auto collector = find_function("collect")->make_aggregator();
  const std::size_t before = collector->memory_bytes();
  const Value text(std::string(10'000, 'x'));
  BOOST_REQUIRE(collector->add({&text, 1}));
  BOOST_TEST(collector->memory_bytes() >= before + 10'000);
}

BOOST_AUTO_TEST_CASE(an_extreme_says_what_memory_it_holds_until_its_result_is_taken) {
  for (const char* name : {"min", "max"}) {
    const auto extreme = find_function(name)->make_aggregator();
    const Value text(std::string(10'000, 'x'));
    BOOST_REQUIRE(extreme->add({&text, 1}));
    BOOST_TEST(extreme->memory_bytes() >= 10'000U, name);
    BOOST_REQUIRE(extreme->finish(nullptr));
    BOOST_TEST(extreme->memory_bytes() < 10'000U, name);
  }
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

std::string percentile(std::string_view function, std::vector<Value> values, Value share) {
  return text_of(aggregated(function, values, {share}));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(aggregation_statistics)

BOOST_AUTO_TEST_CASE(a_deviation_is_of_the_sample_or_of_the_population) {
  const std::vector<Value> values = {2, 4, 4, 4, 5, 5, 7, 9};
  BOOST_TEST(text_of(aggregated("stDevP", values)) == "2.0");
  BOOST_TEST(std::abs(aggregated("stDev", values)->as_float() - 2.138089935) < 1e-8);
  BOOST_TEST(text_of(aggregated("stDev", {})) == "0.0");
  BOOST_TEST(text_of(aggregated("stDev", {5})) == "0.0");
  BOOST_TEST(text_of(aggregated("stDev", {"5"})) == "error: type_error");
}

BOOST_AUTO_TEST_CASE(a_continuous_percentile_lies_between_values) {
  BOOST_TEST(percentile("percentileCont", {30.0, 10.0, 20.0}, 0.0) == "10.0");
  BOOST_TEST(percentile("percentileCont", {30.0, 10.0, 20.0}, 0.5) == "20.0");
  BOOST_TEST(percentile("percentileCont", {30.0, 10.0, 20.0}, 1) == "30.0");
  BOOST_TEST(percentile("percentileCont", {10, 20}, 0.25) == "12.5");
  BOOST_TEST(percentile("percentileCont", {}, 0.5) == "null");
}

BOOST_AUTO_TEST_CASE(a_discrete_percentile_is_one_of_the_values) {
  BOOST_TEST(percentile("percentileDisc", {30, 10, 20}, 0.0) == "10");
  BOOST_TEST(percentile("percentileDisc", {30, 10, 20}, 0.5) == "20");
  BOOST_TEST(percentile("percentileDisc", {30, 10, 20}, 1.0) == "30");
  BOOST_TEST(percentile("percentileDisc", {10, 20}, 0.5) == "10");
}

BOOST_AUTO_TEST_CASE(a_share_outside_0_to_1_is_an_error) {
  for (const Value& share : {Value(1'000), Value(-1), Value(1.1)}) {
    BOOST_TEST(percentile("percentileCont", {1.0}, share) == "error: invalid_argument");
    BOOST_TEST(percentile("percentileDisc", {1.0}, share) == "error: invalid_argument");
  }
  BOOST_TEST(percentile("percentileDisc", {"a"}, 0.5) == "error: type_error");
}

BOOST_AUTO_TEST_SUITE_END()
