#include "tests/query/functions/support.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::query::test;

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
