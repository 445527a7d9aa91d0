// Each form of the functions that make temporal values. The parsing of texts, maps and units has
// tests of its own.
#include "tests/query/functions/support.hpp"

#include <boost/test/unit_test.hpp>

using namespace cairn;
using namespace cairn::query;
using namespace cairn::query::test;

namespace {

const Value moment = DateTime{1'437'507'632, 142'000'000, 7'200, "Europe/Stockholm"};
const Value local_moment = LocalDateTime{1'437'514'832, 142'000'000};

}  // namespace

BOOST_AUTO_TEST_SUITE(temporal_functions)

BOOST_AUTO_TEST_CASE(without_an_argument_it_is_the_statement_s_now) {
  FunctionContext context;
  context.now = 1'700'000'000'123'456;
  const auto now = [&](std::string_view name, std::vector<Value> arguments) {
    return text_of(call(name, arguments, context));
  };
  BOOST_TEST(now("date", {}) == "date('2023-11-14')");
  BOOST_TEST(now("localtime.transaction", {}) == "localtime('22:13:20.123456')");
  BOOST_TEST(now("datetime.statement", {}) == "datetime('2023-11-14T22:13:20.123456Z')");
  BOOST_TEST(now("datetime.realtime", {"Europe/Stockholm"}) ==
             "datetime('2023-11-14T23:13:20.123456+01:00[Europe/Stockholm]')");
  BOOST_TEST(now("date.realtime", {"+02:00"}) == "date('2023-11-15')");
  BOOST_TEST(now("date.truncate", {"year"}) == "date('2023-01-01')");
}

BOOST_AUTO_TEST_CASE(other_temporal_values_are_taken_over_as_far_as_they_go) {
  check_calls(
      {{"date", {moment}, "date('2015-07-21')"},
       {"localtime", {moment}, "localtime('21:40:32.142')"},
       {"time", {moment}, "time('21:40:32.142+02:00')"},
       {"time", {local_moment}, "time('21:40:32.142Z')"},
       {"localdatetime", {moment}, "localdatetime('2015-07-21T21:40:32.142')"},
       {"datetime", {local_moment}, "datetime('2015-07-21T21:40:32.142Z')"},
       {"datetime", {moment}, "datetime('2015-07-21T21:40:32.142+02:00[Europe/Stockholm]')"},
       {"localdatetime", {Date{0}}, "localdatetime('1970-01-01T00:00')"},
       {"date", {LocalTime{}}, "error: type_error"},
       {"localtime", {Date{0}}, "error: type_error"},
       {"date", {Duration{}}, "error: type_error"},
       {"date", {1}, "error: type_error"}});
}

BOOST_AUTO_TEST_CASE(null_gives_null) {
  for (std::string_view name : {"date", "time", "localtime", "datetime", "localdatetime",
                                "duration", "date.realtime", "datetime.transaction"})
    check_calls({{name, {Value()}, "null"}});
  check_calls({{"duration.between", {Value(), Value()}, "null"}});
}

BOOST_AUTO_TEST_CASE(epochs_count_seconds_or_milliseconds) {
  check_calls(
      {{"datetime.fromEpoch", {416'779, 999'999'999}, "datetime('1970-01-05T19:46:19.999999999Z')"},
       {"datetime.fromEpochMillis", {237'821'673'987}, "datetime('1977-07-15T13:34:33.987Z')"},
       {"datetime.fromEpochMillis", {-1}, "datetime('1969-12-31T23:59:59.999Z')"},
       {"datetime.fromEpoch", {0, -1}, "error: invalid_argument"},
       {"datetime.fromEpoch", {INT64_MAX, 0}, "error: invalid_argument"}});
}

BOOST_AUTO_TEST_CASE(a_printed_value_is_read_back_the_same) {
  for (const Value& value :
       {moment, local_moment, Value(Date{-1'000'000}), Value(Date{16'637}), Value(LocalTime{1}),
        Value(Time{3'600'000'000'000, -5'445}), Value(Duration{-13, 40, -3'601, 999'999'999})}) {
    constexpr std::string_view names[] = {"date",          "localtime", "time",
                                          "localdatetime", "datetime",  "duration"};
    const auto type =
        static_cast<std::size_t>(value.type()) - static_cast<std::size_t>(ValueType::date);
    const Value text = call("toString", {value}).value();
    BOOST_TEST((temporal(names[type], text.as_string()) == value), text.to_text());
  }
}

BOOST_AUTO_TEST_SUITE_END()
