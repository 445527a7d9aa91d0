#include "query/functions/temporal_fields.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::query;

namespace {

std::int64_t day(std::int64_t year, unsigned month, unsigned date) {
  return codec::days_from_civil({year, month, date});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(week_calendar)

BOOST_AUTO_TEST_CASE(weeks_begin_on_monday) {
  BOOST_TEST(week_day(0) == 4);  // 1970-01-01
  BOOST_TEST(week_day(day(1984, 10, 8)) == 1);
  BOOST_TEST(week_day(day(1984, 10, 14)) == 7);
  BOOST_TEST(week_day(day(-1, 1, 1)) == week_day(day(399, 1, 1)));
}

BOOST_AUTO_TEST_CASE(the_first_week_is_the_one_with_4_january) {
  BOOST_TEST(days_from_week({1816, 1, 1}) == day(1816, 1, 1));
  BOOST_TEST(days_from_week({1817, 1, 1}) == day(1816, 12, 30));
  BOOST_TEST(days_from_week({1818, 53, 1}) == day(1818, 12, 28));
  BOOST_TEST(days_from_week({1819, 1, 1}) == day(1819, 1, 4));
}

BOOST_AUTO_TEST_CASE(the_ends_of_a_year_may_belong_to_its_neighbours) {
  const WeekDate new_year = week_from_days(day(1984, 1, 1));
  BOOST_TEST((new_year.year == 1983 && new_year.week == 52 && new_year.day == 7));
  const WeekDate end = week_from_days(day(1816, 12, 31));
  BOOST_TEST((end.year == 1817 && end.week == 1 && end.day == 2));
}

BOOST_AUTO_TEST_CASE(every_day_has_one_week_date) {
  for (std::int64_t days = day(-800, 1, 1); days < day(2400, 1, 1); days += 3) {
    const WeekDate date = week_from_days(days);
    BOOST_TEST_REQUIRE(
        (days_from_week(date) == days && date.week >= 1 && date.week <= weeks_in_year(date.year)),
        days);
  }
}

BOOST_AUTO_TEST_CASE(months_are_added_within_the_length_of_the_month) {
  BOOST_TEST(add_months(day(2015, 1, 31), 1) == day(2015, 2, 28));
  BOOST_TEST(add_months(day(2016, 2, 29), 12) == day(2017, 2, 28));
  BOOST_TEST(add_months(day(2015, 1, 15), -1) == day(2014, 12, 15));
  BOOST_TEST(add_months(day(1, 1, 1), -12) == day(0, 1, 1));
  BOOST_TEST(add_months(day(2015, 12, 31), 14) == day(2017, 2, 28));
}

BOOST_AUTO_TEST_CASE(quarters_have_three_months) {
  for (unsigned month = 1; month <= 12; ++month) {
    const unsigned first = first_month_of_quarter(quarter_of_month(month));
    BOOST_TEST((first <= month && month < first + 3 && first % 3 == 1));
  }
}

BOOST_AUTO_TEST_SUITE_END()
