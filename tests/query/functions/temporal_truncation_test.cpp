#include "tests/query/functions/support.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::query;
using namespace cairn::query::test;

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
