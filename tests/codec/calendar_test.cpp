#include "codec/instant.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn::codec;

BOOST_AUTO_TEST_SUITE(calendar)

BOOST_AUTO_TEST_CASE(known_days_have_known_numbers) {
  BOOST_TEST(days_from_civil({1970, 1, 1}) == 0);
  BOOST_TEST(days_from_civil({1969, 12, 31}) == -1);
  BOOST_TEST(days_from_civil({2000, 2, 29}) == 11'016);
  BOOST_TEST(days_from_civil({2026, 2, 14}) == 20'498);
  BOOST_TEST(days_from_civil({1, 1, 1}) == -719'162);
}

BOOST_AUTO_TEST_CASE(dates_and_day_numbers_turn_into_each_other) {
  for (std::int64_t days = -800'000; days < 800'000; days += 37) {
    const CivilDate date = civil_from_days(days);
    BOOST_REQUIRE(days_from_civil(date) == days);
    BOOST_REQUIRE(date.day >= 1U);
    BOOST_REQUIRE(date.day <= days_in_month(date.year, date.month));
  }
  BOOST_TEST((civil_from_days(max_days) == CivilDate{999'999'999, 12, 31}));
  BOOST_TEST((civil_from_days(min_days) == CivilDate{-999'999'999, 1, 1}));
}

BOOST_AUTO_TEST_CASE(a_century_leaps_only_where_four_hundred_divides_it) {
  BOOST_TEST(days_in_month(2024, 2) == 29U);
  BOOST_TEST(days_in_month(2023, 2) == 28U);
  BOOST_TEST(days_in_month(1900, 2) == 28U);
  BOOST_TEST(days_in_month(2000, 2) == 29U);
  BOOST_TEST(days_in_month(0, 2) == 29U);
}

BOOST_AUTO_TEST_CASE(division_rounds_down) {
  BOOST_TEST(floor_divide(-1, 86'400) == -1);
  BOOST_TEST(floor_modulo(-1, 86'400) == 86'399);
  BOOST_TEST(floor_divide(-86'400, 86'400) == -1);
  BOOST_TEST(floor_modulo(-86'400, 86'400) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
