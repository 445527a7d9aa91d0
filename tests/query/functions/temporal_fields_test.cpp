#include "query/functions/temporal_fields.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::query;

BOOST_AUTO_TEST_SUITE(temporal_fields)

namespace {

using Named = std::initializer_list<std::pair<std::string_view, std::int64_t>>;

PointFields fields(Named named) {
  PointFields all;
  for (const auto& [name, value] : named) all.set(name, value);
  return all;
}

std::int64_t day(std::int64_t year, unsigned month, unsigned date) {
  return codec::days_from_civil({year, month, date});
}

std::int64_t days(Named named, std::optional<std::int64_t> base = {}) {
  return fields(named).days(base).value();
}

bool is_refused(Named named, std::optional<std::int64_t> base = {}) {
  return !fields(named).days(base);
}

}  // namespace

BOOST_AUTO_TEST_CASE(alone_the_fields_begin_with_one) {
  BOOST_TEST(days({{"year", 1984}}) == day(1984, 1, 1));
  BOOST_TEST(days({{"year", 1984}, {"month", 10}}) == day(1984, 10, 1));
  BOOST_TEST(days({{"year", 1984}, {"week", 10}}) == day(1984, 3, 5));
  BOOST_TEST(days({{"year", 1984}, {"quarter", 3}}) == day(1984, 7, 1));
}

BOOST_AUTO_TEST_CASE(a_base_gives_what_the_fields_leave_open) {
  const std::int64_t base = day(1816, 12, 31);  // Tuesday of week 1 of 1817
  BOOST_TEST(days({}, base) == base);
  BOOST_TEST(days({{"day", 1}}, base) == day(1816, 12, 1));
  BOOST_TEST(days({{"week", 2}}, base) == day(1817, 1, 7));
  BOOST_TEST(days({{"week", 2}, {"dayOfWeek", 3}}, base) == day(1817, 1, 8));
  BOOST_TEST(days({{"quarter", 3}, {"year", 1820}}, base) == day(1820, 9, 30));
  BOOST_TEST(is_refused({{"quarter", 1}, {"year", 1820}}, base));  // it has no 92nd day
  BOOST_TEST(days({{"ordinalDay", 2}}, base) == day(1816, 1, 2));
}

BOOST_AUTO_TEST_CASE(days_that_do_not_exist_are_refused) {
  BOOST_TEST(is_refused({{"year", 2015}, {"month", 2}, {"day", 29}}));
  BOOST_TEST(is_refused({{"month", 2}}, day(2015, 1, 31)));
  BOOST_TEST(is_refused({{"year", 2015}, {"ordinalDay", 366}}));
  BOOST_TEST(is_refused({{"year", 2015}, {"quarter", 1}, {"dayOfQuarter", 91}}));
  BOOST_TEST(is_refused({{"year", 2014}, {"week", 53}}));
  BOOST_TEST(!is_refused({{"year", 2015}, {"week", 53}}));
  BOOST_TEST(!is_refused({{"year", 2016}, {"ordinalDay", 366}}));
}

BOOST_AUTO_TEST_CASE(contradictions_and_gaps_are_refused) {
  BOOST_TEST(is_refused({{"year", 2015}, {"month", 1}, {"ordinalDay", 1}}));
  BOOST_TEST(is_refused({{"year", 2015}, {"quarter", 1}, {"week", 1}}));
  BOOST_TEST(is_refused({{"year", 2015}, {"day", 1}}));
  BOOST_TEST(is_refused({{"year", 2015}, {"dayOfWeek", 1}}));
  BOOST_TEST(is_refused({{"month", 1}}));
  BOOST_TEST(!is_refused({{"day", 1}}, 0));
}

BOOST_AUTO_TEST_CASE(a_fraction_is_replaced_or_added_to) {
  const std::int64_t base = 45'074'645'000'000;  // 12:31:14.645
  const PointFields two = fields({{"nanosecond", 2}});
  BOOST_TEST(two.nanoseconds(base).value() == 45'074'000'000'002);
  BOOST_TEST(two.nanoseconds(base, Fraction::added_to).value() == 45'074'645'000'002);
  BOOST_TEST(fields({{"second", 0}}).nanoseconds(base).value() == 45'060'645'000'000);
  BOOST_TEST(!fields({{"millisecond", 999}}).nanoseconds(base, Fraction::added_to));
}

BOOST_AUTO_TEST_CASE(only_fields_that_the_type_has_are_taken) {
  PointFields all;
  BOOST_TEST(all.put(date_type, "year", 1).has_value());
  BOOST_TEST((all.put(date_type, "hour", 1).error().code == ErrorCode::invalid_argument));
  BOOST_TEST((all.put(local_time_type, "year", 1).error().code == ErrorCode::invalid_argument));
  BOOST_TEST((all.put(date_type, "month", 1.0).error().code == ErrorCode::type_error));
  BOOST_TEST(all.put(date_type, "era", 1).error().message == "date() has no field era");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(week_calendar)

namespace {

std::int64_t day(std::int64_t year, unsigned month, unsigned date) {
  return codec::days_from_civil({year, month, date});
}

}  // namespace

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
