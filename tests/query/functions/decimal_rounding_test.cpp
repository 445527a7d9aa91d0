#include "query/functions/numbers.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

using namespace cairn::query;

namespace {

struct Case {
  double number;
  std::int64_t places;
  RoundingMode mode;
  double expected;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(decimal_rounding)

BOOST_AUTO_TEST_CASE(each_mode_has_its_own_halves) {
  const Case cases[] = {
      {1.21, 1, RoundingMode::up, 1.3},        {-1.21, 1, RoundingMode::up, -1.3},
      {1.29, 1, RoundingMode::down, 1.2},      {-1.29, 1, RoundingMode::down, -1.2},
      {-1.29, 1, RoundingMode::ceiling, -1.2}, {1.21, 1, RoundingMode::ceiling, 1.3},
      {-1.21, 1, RoundingMode::floor, -1.3},   {1.29, 1, RoundingMode::floor, 1.2},
      {1.25, 1, RoundingMode::half_up, 1.3},   {-1.25, 1, RoundingMode::half_up, -1.3},
      {1.25, 1, RoundingMode::half_down, 1.2}, {1.251, 1, RoundingMode::half_down, 1.3},
      {1.25, 1, RoundingMode::half_even, 1.2}, {1.35, 1, RoundingMode::half_even, 1.4},
      {0.5, 0, RoundingMode::half_even, 0.0},  {1.5, 0, RoundingMode::half_even, 2.0},
      {0.5, 0, RoundingMode::half_up, 1.0},    {0.05, 0, RoundingMode::half_up, 0.0},
      {0.05, 0, RoundingMode::up, 1.0},
  };
  for (const auto& [number, places, mode, expected] : cases)
    BOOST_TEST(round_decimal(number, places, mode) == expected);
}

BOOST_AUTO_TEST_CASE(what_the_digits_say_counts_and_not_the_float_below_them) {
  BOOST_TEST(round_decimal(1.005, 2, RoundingMode::half_up) == 1.01);
  BOOST_TEST(round_decimal(2.675, 2, RoundingMode::half_up) == 2.68);
}

BOOST_AUTO_TEST_CASE(carries_run_through_nines) {
  BOOST_TEST(round_decimal(9.99, 1, RoundingMode::half_up) == 10.0);
  BOOST_TEST(round_decimal(0.999, 2, RoundingMode::half_up) == 1.0);
}

BOOST_AUTO_TEST_CASE(negative_places_round_tens_and_more) {
  BOOST_TEST(round_decimal(123'456.0, -3, RoundingMode::half_up) == 123'000.0);
  BOOST_TEST(round_decimal(600.0, -3, RoundingMode::half_up) == 1'000.0);
  BOOST_TEST(round_decimal(400.0, -3, RoundingMode::half_up) == 0.0);
  BOOST_TEST(round_decimal(4.0, -5, RoundingMode::half_up) == 0.0);
}

BOOST_AUTO_TEST_CASE(what_has_no_further_digits_stays) {
  const double infinity = std::numeric_limits<double>::infinity();
  BOOST_TEST(round_decimal(1e300, 5, RoundingMode::up) == 1e300);
  BOOST_TEST(round_decimal(5e-324, 1'000'000, RoundingMode::up) == 5e-324);
  BOOST_TEST(round_decimal(infinity, 1, RoundingMode::up) == infinity);
  BOOST_TEST(std::isnan(round_decimal(std::nan(""), 1, RoundingMode::up)));
}

BOOST_AUTO_TEST_CASE(modes_are_read_in_any_case) {
  BOOST_TEST((parse_rounding_mode("half_even") == RoundingMode::half_even));
  BOOST_TEST((parse_rounding_mode("CEILING") == RoundingMode::ceiling));
  BOOST_TEST(!parse_rounding_mode("nearest").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
