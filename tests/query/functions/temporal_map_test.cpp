#include "tests/query/functions/support.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::query;
using namespace cairn::query::test;

namespace {

const Value other_date = Date{5'397};                      // 1984-10-11
const Value other_time = Time{45'074'645'876'123, 3'600};  // 12:31:14.645876123+01:00
const Value stockholm = DateTime{466'340'400, 0, 3'600, "Europe/Stockholm"};  // 1984-10-11T12:00

}  // namespace

BOOST_AUTO_TEST_SUITE(temporal_map)

BOOST_AUTO_TEST_CASE(a_day_is_named_by_month_week_quarter_or_number) {
  check_calls({
      {"date", {map_of({{"year", 1984}, {"month", 10}, {"day", 11}})}, "date('1984-10-11')"},
      {"date", {map_of({{"year", 1984}, {"week", 10}, {"dayOfWeek", 3}})}, "date('1984-03-07')"},
      {"date", {map_of({{"year", 1817}, {"week", 1}})}, "date('1816-12-30')"},
      {"date", {map_of({{"year", 1984}, {"ordinalDay", 202}})}, "date('1984-07-20')"},
      {"date",
       {map_of({{"year", 1984}, {"quarter", 3}, {"dayOfQuarter", 45}})},
       "date('1984-08-14')"},
      {"date", {map_of({{"year", 1984}})}, "date('1984-01-01')"},
  });
}

BOOST_AUTO_TEST_CASE(a_selected_date_fills_in_what_the_fields_leave_open) {
  check_calls({
      {"date", {map_of({{"date", other_date}, {"day", 28}})}, "date('1984-10-28')"},
      {"date", {map_of({{"date", other_date}, {"week", 1}})}, "date('1984-01-05')"},
      {"date", {map_of({{"date", other_date}, {"quarter", 3}})}, "date('1984-07-11')"},
      {"date", {map_of({{"date", other_date}, {"year", 28}})}, "date('0028-10-11')"},
      {"date", {map_of({{"date", stockholm}, {"ordinalDay", 1}})}, "date('1984-01-01')"},
      {"date", {map_of({{"date", other_time}})}, "error: type_error"},
  });
}

BOOST_AUTO_TEST_CASE(fractions_of_a_second_add_up) {
  const auto time = [](std::initializer_list<Map::value_type> fractions) {
    Map map(fractions);
    map["hour"] = 12;
    map["minute"] = 31;
    map["second"] = 14;
    return called("localtime", {Value(map)});
  };
  BOOST_TEST(time({{"millisecond", 123}, {"microsecond", 456}, {"nanosecond", 789}}) ==
             "localtime('12:31:14.123456789')");
  BOOST_TEST(time({{"nanosecond", 645'876'123}}) == "localtime('12:31:14.645876123')");
  BOOST_TEST(time({{"millisecond", 999}, {"nanosecond", 1'000'000}}) == "error: invalid_argument");
}

BOOST_AUTO_TEST_CASE(a_zone_moves_a_time_that_has_one_and_is_given_to_one_that_has_none) {
  const auto made = [](Map map, const char* zone) {
    if (zone) map["timezone"] = zone;
    return called("datetime", {Value(map)});
  };
  const Map zoned{{"date", other_date}, {"time", other_time}};
  BOOST_TEST(made(zoned, nullptr) == "datetime('1984-10-11T12:31:14.645876123+01:00')");
  BOOST_TEST(made(zoned, "+05:00") == "datetime('1984-10-11T16:31:14.645876123+05:00')");
  BOOST_TEST(made({{"date", stockholm}, {"hour", 10}}, "+05:00") ==
             "datetime('1984-10-11T10:00+05:00')");
  BOOST_TEST(made({{"datetime", stockholm}, {"month", 3}, {"day", 28}}, nullptr) ==
             "datetime('1984-03-28T12:00+02:00[Europe/Stockholm]')");
  BOOST_TEST(made({{"datetime", stockholm}, {"month", 3}, {"day", 28}}, "Pacific/Honolulu") ==
             "datetime('1984-03-28T00:00-10:00[Pacific/Honolulu]')");
  BOOST_TEST(made({{"epochMillis", 5}}, "+01:00") == "datetime('1970-01-01T01:00:00.005+01:00')");
}

BOOST_AUTO_TEST_CASE(fields_that_name_nothing_are_refused) {
  const Map wrong[] = {
      {{"month", 2}},
      {{"year", 2015}, {"month", 13}},
      {{"year", 2015}, {"month", 2}, {"day", 29}},
      {{"year", 2015}, {"day", 3}},
      {{"year", 2015}, {"month", 1}, {"week", 2}},
      {{"year", 2014}, {"week", 53}},
      {{"year", 2015}, {"ordinalDay", 366}},
      {{"year", 2015}, {"quarter", 2}, {"dayOfQuarter", 92}},
      {{"year", 2015}, {"hour", 1}},
      {{"year", 2015}, {"timezone", "Z"}},
      {{"year", 1'000'000'000}},
      {{"yaer", 2015}},
  };
  for (const Map& map : wrong) check_calls({{"date", {Value(map)}, "error: invalid_argument"}});
  check_calls({{"date", {map_of({{"year", "2015"}})}, "error: type_error"},
               {"localtime", {map_of({{"hour", 12}, {"second", 3}})}, "error: invalid_argument"},
               {"datetime", {map_of({{"year", 1}, {"timezone", 1}})}, "error: type_error"}});
}

BOOST_AUTO_TEST_CASE(durations_take_fractions_of_any_unit) {
  check_calls({
      {"duration", {map_of({{"months", 0.75}})}, "duration('P22DT19H51M49.5S')"},
      {"duration", {map_of({{"days", 5}, {"hours", 1.5}})}, "duration('P5DT1H30M')"},
      {"duration", {map_of({{"quarters", 1}, {"weeks", 1}})}, "duration('P3M7D')"},
      {"duration", {map_of({{"seconds", 2}, {"milliseconds", -1}})}, "duration('PT1.999S')"},
      {"duration", {map_of({{"seconds", -60}, {"milliseconds", -1}})}, "duration('PT-1M-0.001S')"},
      {"duration", {map_of({{"day", 1}})}, "error: invalid_argument"},
      {"duration", {map_of({{"days", "1"}})}, "error: type_error"},
      {"duration", {map_of({{"years", 1e300}})}, "error: invalid_argument"},
  });
}

BOOST_AUTO_TEST_SUITE_END()
