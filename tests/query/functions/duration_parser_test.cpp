#include "tests/query/functions/support.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::query;
using namespace cairn::query::test;

BOOST_AUTO_TEST_SUITE(duration_parser)

BOOST_AUTO_TEST_CASE(units_come_in_order_each_once) {
  check_calls({{"duration", {"P14DT16H12M"}, "duration('P14DT16H12M')"},
               {"duration", {"P12Y5M14DT16H12M70S"}, "duration('P12Y5M14DT16H13M10S')"},
               {"duration", {"PT0S"}, "duration('PT0S')"},
               {"duration", {"P2W"}, "duration('P14D')"}});
}

BOOST_AUTO_TEST_CASE(fractions_go_on_to_smaller_units) {
  check_calls({{"duration", {"P5M1.5D"}, "duration('P5M1DT12H')"},
               {"duration", {"P0.75M"}, "duration('P22DT19H51M49.5S')"},
               {"duration", {"PT0.75M"}, "duration('PT45S')"},
               {"duration", {"P2.5W"}, "duration('P17DT12H')"},
               {"duration", {"PT0,000000001S"}, "duration('PT0.000000001S')"}});
}

BOOST_AUTO_TEST_CASE(signs_belong_to_a_unit_or_to_all) {
  check_calls({{"duration", {"P1M-3DT-0.5S"}, "duration('P1M-3DT-0.5S')"},
               {"duration", {"-P1MT1S"}, "duration('P-1MT-1S')"},
               {"duration", {"P+1D"}, "duration('P1D')"}});
}

BOOST_AUTO_TEST_CASE(the_form_of_a_date_counts_its_parts) {
  check_calls({{"duration", {"P2012-02-02T14:37:21.545"}, "duration('P2012Y2M2DT14H37M21.545S')"},
               {"duration", {"P0000-00-01"}, "duration('P1D')"}});
}

BOOST_AUTO_TEST_CASE(anything_else_is_refused) {
  for (std::string_view text : {"", "P", "PT", "1D", "P1", "PD", "P1M1Y", "P1D1D", "P1H", "PT1D",
                                "P1.D", "P.5D", "P1DT", "P1D ", "P99999999999999999999D"})
    check_calls({{"duration", {text}, "error: invalid_argument"}});
}

BOOST_AUTO_TEST_CASE(a_printed_duration_is_read_back_the_same) {
  const std::uint64_t seed = cairn::test::test_seed();
  cairn::test::ValueGenerator random(seed);
  for (int i = 0; i < 20'000; ++i) {
    const auto part = [&] { return random.integer() / 4; };
    const auto fraction = static_cast<std::int32_t>(random.below(1'000'000'000));
    const Value value = Duration{part(), part(), part() / 4'000'000'000, fraction};
    const auto text = call("toString", {value});
    BOOST_TEST_REQUIRE((call("duration", {*text}).value() == value),
                       "seed " << seed << ": " << text->to_text());
  }
}

BOOST_AUTO_TEST_SUITE_END()
