#include "query/functions/value_semantics.hpp"
#include "tests/query/functions/support.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::query;
using namespace cairn::query::test;

namespace {

using Components = std::initializer_list<std::pair<std::string_view, std::string_view>>;

void check(const Value& value, Components components) {
  for (const auto& [name, expected] : components) BOOST_TEST_CONTEXT(value.to_text() << "." << name)
  BOOST_TEST(text_of(member(value, name)) == expected);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(temporal_component)

BOOST_AUTO_TEST_CASE(a_day_knows_its_place_in_every_calendar) {
  check(temporal("date", "1984-10-11"), {{"year", "1984"},
                                         {"quarter", "4"},
                                         {"month", "10"},
                                         {"week", "41"},
                                         {"weekYear", "1984"},
                                         {"day", "11"},
                                         {"ordinalDay", "285"},
                                         {"weekDay", "4"},
                                         {"dayOfWeek", "4"},
                                         {"dayOfQuarter", "11"}});
  check(temporal("date", "1984-01-01"), {{"weekYear", "1983"}, {"week", "52"}, {"weekDay", "7"}});
  check(temporal("date", "-0001-03-01"), {{"year", "-1"}, {"ordinalDay", "60"}});
}

BOOST_AUTO_TEST_CASE(a_time_shows_its_fraction_in_three_units) {
  check(temporal("localtime", "12:31:14.645876123"), {{"hour", "12"},
                                                      {"minute", "31"},
                                                      {"second", "14"},
                                                      {"millisecond", "645"},
                                                      {"microsecond", "645876"},
                                                      {"nanosecond", "645876123"}});
}

BOOST_AUTO_TEST_CASE(a_zone_is_a_name_and_an_offset) {
  check(temporal("time", "12:31+01:00"), {{"timezone", "'+01:00'"},
                                          {"offset", "'+01:00'"},
                                          {"offsetMinutes", "60"},
                                          {"offsetSeconds", "3600"}});
  check(temporal("datetime", "1984-11-11T12:31:14.645[Europe/Stockholm]"),
        {{"timezone", "'Europe/Stockholm'"},
         {"offset", "'+01:00'"},
         {"hour", "12"},
         {"epochSeconds", "469020674"},
         {"epochMillis", "469020674645"}});
}

BOOST_AUTO_TEST_CASE(a_duration_shows_totals_and_remainders) {
  check(Duration{16, 10, 3'661, 111'111'111}, {{"years", "1"},
                                               {"quarters", "5"},
                                               {"months", "16"},
                                               {"weeks", "1"},
                                               {"days", "10"},
                                               {"hours", "1"},
                                               {"minutes", "61"},
                                               {"seconds", "3661"},
                                               {"milliseconds", "3661111"},
                                               {"microseconds", "3661111111"},
                                               {"nanoseconds", "3661111111111"},
                                               {"quartersOfYear", "1"},
                                               {"monthsOfQuarter", "1"},
                                               {"monthsOfYear", "4"},
                                               {"daysOfWeek", "3"},
                                               {"minutesOfHour", "1"},
                                               {"secondsOfMinute", "1"},
                                               {"millisecondsOfSecond", "111"},
                                               {"microsecondsOfSecond", "111111"},
                                               {"nanosecondsOfSecond", "111111111"}});
}

BOOST_AUTO_TEST_CASE(a_component_that_fits_no_integer_is_an_error_that_names_it) {
  const Duration longest{0, 0, 9'000'000'000'000, 0};
  check(longest,
        {{"microseconds", "9000000000000000000"}, {"nanoseconds", "error: invalid_argument"}});
  BOOST_TEST(
      member(longest, "nanoseconds").error().message.starts_with("the component .nanoseconds"));
  DateTime latest;
  latest.seconds = 31'556'889'864'403'199;
  check(latest,
        {{"epochSeconds", "31556889864403199"}, {"epochMillis", "error: invalid_argument"}});
}

BOOST_AUTO_TEST_CASE(a_type_has_no_components_of_another) {
  BOOST_TEST(text_of(member(Date{0}, "hour")) == "error: invalid_argument");
  BOOST_TEST(text_of(member(LocalDateTime{}, "timezone")) == "error: invalid_argument");
  BOOST_TEST(text_of(member(LocalDateTime{}, "epochSeconds")) == "error: invalid_argument");
  BOOST_TEST(text_of(member(Duration{}, "year")) == "error: invalid_argument");
  BOOST_TEST(member(Date{0}, "hour").error().message == "a date has no component .hour");
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

const Value day = Date{5'428};                                       // 1984-11-11, a Sunday
const Value moment = DateTime{469'020'674, 645'876'123, 3'600, ""};  // 1984-11-11T12:31:14+01:00

}  // namespace

BOOST_AUTO_TEST_SUITE(temporal_truncation)

BOOST_AUTO_TEST_CASE(a_date_goes_back_to_where_its_unit_began) {
  const std::pair<const char*, const char*> cases[] = {
      {"millennium", "date('1000-01-01')"}, {"century", "date('1900-01-01')"},
      {"decade", "date('1980-01-01')"},     {"year", "date('1984-01-01')"},
      {"weekYear", "date('1984-01-02')"},   {"quarter", "date('1984-10-01')"},
      {"month", "date('1984-11-01')"},      {"week", "date('1984-11-05')"},
      {"day", "date('1984-11-11')"},
  };
  for (const auto& [unit, expected] : cases) {
    check_calls({{"date.truncate", {unit, day}, expected}});
    check_calls({{"date.truncate", {unit, moment}, expected}});
  }
  check_calls({{"date.truncate", {"weekYear", Date{5'113}}, "date('1983-01-03')"},
               {"date.truncate", {"millennium", Date{-1'000'000}}, "date('-1000-01-01')"}});
}

BOOST_AUTO_TEST_CASE(a_time_loses_its_smaller_units) {
  const std::pair<const char*, const char*> cases[] = {
      {"day", "time('00:00+01:00')"},
      {"hour", "time('12:00+01:00')"},
      {"minute", "time('12:31+01:00')"},
      {"second", "time('12:31:14+01:00')"},
      {"millisecond", "time('12:31:14.645+01:00')"},
      {"microsecond", "time('12:31:14.645876+01:00')"},
  };
  for (const auto& [unit, expected] : cases)
    check_calls({{"time.truncate", {unit, moment}, expected}});
}

BOOST_AUTO_TEST_CASE(fields_are_put_into_what_is_left) {
  check_calls({
      {"date.truncate", {"week", day, map_of({{"dayOfWeek", 2}})}, "date('1984-11-06')"},
      {"date.truncate", {"decade", day, map_of({{"day", 2}})}, "date('1980-01-02')"},
      {"localtime.truncate",
       {"millisecond", moment, map_of({{"nanosecond", 2}})},
       "localtime('12:31:14.645000002')"},
      {"localdatetime.truncate",
       {"day", day, map_of({{"nanosecond", 2}})},
       "localdatetime('1984-11-11T00:00:00.000000002')"},
      {"time.truncate", {"hour", moment, map_of({{"timezone", "-02:00"}})}, "time('12:00-02:00')"},
      {"datetime.truncate",
       {"year", day, map_of({{"timezone", "Europe/Stockholm"}})},
       "datetime('1984-01-01T00:00+01:00[Europe/Stockholm]')"},
  });
}

BOOST_AUTO_TEST_CASE(units_that_the_value_does_not_have_are_refused) {
  check_calls({{"date.truncate", {"hour", day}, "error: invalid_argument"},
               {"localtime.truncate", {"week", LocalTime{}}, "error: invalid_argument"},
               {"date.truncate", {"fortnight", day}, "error: invalid_argument"},
               {"date.truncate", {"day", LocalTime{}}, "error: invalid_argument"},
               {"date.truncate", {"day", 1}, "error: type_error"}});
}

BOOST_AUTO_TEST_SUITE_END()
