#include "query/functions/value_semantics.hpp"
#include "tests/query/functions/support.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace cairn;
using namespace cairn::query;
using namespace cairn::query::test;

namespace {

std::string sum(std::string_view type, std::string_view point, std::string_view duration) {
  return text_of(add(temporal(type, point), temporal("duration", duration)));
}

std::string difference(std::string_view type, std::string_view point, std::string_view duration) {
  return text_of(subtract(temporal(type, point), temporal("duration", duration)));
}

constexpr std::string_view mixed = "P12Y5M14DT16H13M10.000000002S";

}  // namespace

BOOST_AUTO_TEST_SUITE(temporal_arithmetic)

BOOST_AUTO_TEST_CASE(a_duration_moves_what_the_type_has) {
  BOOST_TEST(sum("date", "1984-10-11", mixed) == "date('1997-03-25')");
  BOOST_TEST(difference("date", "1984-10-11", mixed) == "date('1972-04-27')");
  BOOST_TEST(sum("localtime", "12:31:14.000000001", mixed) == "localtime('04:44:24.000000003')");
  BOOST_TEST(difference("time", "12:31:14.000000001+01:00", mixed) ==
             "time('20:18:03.999999999+01:00')");
  BOOST_TEST(sum("localdatetime", "1984-10-11T12:31:14.000000001", mixed) ==
             "localdatetime('1997-03-26T04:44:24.000000003')");
  BOOST_TEST(difference("datetime", "1984-10-11T12:31:14.000000001+01:00", mixed) ==
             "datetime('1972-04-26T20:18:03.999999999+01:00')");
  BOOST_TEST(text_of(add(temporal("duration", "P1D"), temporal("date", "2015-01-01"))) ==
             "date('2015-01-02')");
}

BOOST_AUTO_TEST_CASE(whole_days_of_hours_move_a_date) {
  BOOST_TEST(sum("date", "1984-10-11", "PT23H59M") == "date('1984-10-11')");
  BOOST_TEST(sum("date", "1984-10-11", "PT24H") == "date('1984-10-12')");
  BOOST_TEST(difference("date", "1984-10-11", "PT24H") == "date('1984-10-10')");
  BOOST_TEST(difference("date", "1984-10-11", "PT23H59M59.9S") == "date('1984-10-11')");
}

BOOST_AUTO_TEST_CASE(months_keep_the_day_where_they_can) {
  BOOST_TEST(sum("date", "2015-01-31", "P1M") == "date('2015-02-28')");
  BOOST_TEST(sum("date", "2016-01-31", "P1M") == "date('2016-02-29')");
  BOOST_TEST(difference("date", "2015-03-31", "P1M") == "date('2015-02-28')");
}

BOOST_AUTO_TEST_CASE(days_follow_the_calendar_and_hours_the_instant_when_clocks_change) {
  const std::string_view day_before = "2017-10-28T02:30[Europe/Stockholm]";
  BOOST_TEST(sum("datetime", day_before, "P1D") ==
             "datetime('2017-10-29T02:30+02:00[Europe/Stockholm]')");
  BOOST_TEST(sum("datetime", day_before, "PT25H") ==
             "datetime('2017-10-29T02:30+01:00[Europe/Stockholm]')");
  BOOST_TEST(sum("datetime", "2017-03-25T02:30[Europe/Stockholm]", "P1D") ==
             "datetime('2017-03-26T03:30+02:00[Europe/Stockholm]')");
}

BOOST_AUTO_TEST_CASE(durations_add_part_by_part_and_scale_with_their_fractions) {
  const Value duration = temporal("duration", "P12Y5M14DT16H13M10.000000001S");
  BOOST_TEST(text_of(add(duration, duration)) == "duration('P24Y10M28DT32H26M20.000000002S')");
  BOOST_TEST(text_of(subtract(duration, duration)) == "duration('PT0S')");
  BOOST_TEST(text_of(multiply(duration, 0.5)) == "duration('P6Y2M22DT13H21M8S')");
  BOOST_TEST(text_of(multiply(2, duration)) == text_of(add(duration, duration)));
  BOOST_TEST(text_of(divide(duration, 2)) == "duration('P6Y2M22DT13H21M8S')");
  BOOST_TEST(text_of(divide(temporal("duration", "P6M"), 3)) == "duration('P2M')");
  BOOST_TEST(text_of(negate(temporal("duration", "P1M-2D"))) == "duration('P-1M2D')");
}

BOOST_AUTO_TEST_CASE(what_leaves_the_calendar_is_an_error) {
  const std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  const std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
  BOOST_TEST(sum("date", "+999999999-12-31", "P1D") == "error: invalid_argument");
  for (const Duration& far :
       {Duration{largest, 0, 0, 0}, Duration{0, largest, 0, 0}, Duration{0, 0, largest, 0},
        Duration{smallest, smallest, smallest, 0}})
    for (const Value& point : {Value(Date{0}), Value(LocalDateTime{0, 0}), Value(DateTime{})})
      BOOST_TEST(text_of(add(point, far)) == "error: invalid_argument");
  BOOST_TEST(text_of(add(Duration{largest, 0, 0, 0}, Duration{1, 0, 0, 0})) ==
             "error: invalid_argument");
  BOOST_TEST(text_of(negate(Duration{smallest, 0, 0, 0})) == "error: invalid_argument");
  BOOST_TEST(text_of(divide(Duration{1, 0, 0, 0}, 0)) == "error: invalid_argument");
}

BOOST_AUTO_TEST_CASE(what_has_no_meaning_is_a_type_error) {
  BOOST_TEST(text_of(add(Date{1}, Date{1})) == "error: type_error");
  BOOST_TEST(text_of(subtract(Date{1}, Date{1})) == "error: type_error");
  BOOST_TEST(text_of(subtract(Duration{}, Date{1})) == "error: type_error");
  BOOST_TEST(text_of(add(Date{1}, 1)) == "error: type_error");
  BOOST_TEST(text_of(divide(1, Duration{})) == "error: type_error");
}

BOOST_AUTO_TEST_CASE(subtracting_what_was_added_leads_back_where_no_month_is_cut_short) {
  const std::uint64_t seed = cairn::test::test_seed();
  cairn::test::ValueGenerator random(seed);
  for (int i = 0; i < 20'000; ++i) {
    const auto seconds = static_cast<std::int64_t>(random.below(8'000'000'000)) - 4'000'000'000;
    const Value points[] = {
        LocalDateTime{seconds, 7}, DateTime{seconds, 7, 3'600, ""},
        LocalTime{static_cast<std::int64_t>(random.below(86'400)) * 1'000'000'000}};
    const auto part = [&] { return static_cast<std::int64_t>(random.below(200'000)) - 100'000; };
    const Value duration = Duration{0, part(), part(), 999'999'999};
    for (const Value& point : points) {
      const Value there = add(point, duration).value();
      BOOST_TEST_REQUIRE((subtract(there, duration).value() == point),
                         "seed " << seed << ": " << point.to_text() << " + " << duration.to_text());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

struct Case {
  Value from;
  Value to;
  std::string_view all;
  std::string_view months;
  std::string_view days;
  std::string_view seconds;
};

Value date(std::string_view text) { return temporal("date", text); }
Value time(std::string_view text) { return temporal("time", text); }
Value local_time(std::string_view text) { return temporal("localtime", text); }
Value local(std::string_view text) { return temporal("localdatetime", text); }
Value zoned(std::string_view text) { return temporal("datetime", text); }

std::string measured(std::string_view function, const Value& from, const Value& to) {
  const auto duration = call(function, {from, to});
  return duration ? call("toString", {*duration})->as_string() : duration.error().message;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(temporal_between)

BOOST_AUTO_TEST_CASE(durations_are_measured_in_each_unit) {
  const Case cases[] = {
      {date("1984-10-11"), date("2015-06-24"), "P30Y8M13D", "P30Y8M", "P11213D", "PT269112H"},
      {date("2018-03-11"), date("2016-06-24"), "P-1Y-8M-17D", "P-1Y-8M", "P-625D", "PT-15000H"},
      {date("2015-01-31"), date("2015-02-28"), "P28D", "PT0S", "P28D", "PT672H"},
      {local("2018-01-02T10:00"), local("2018-01-01T12:00"), "PT-22H", "PT0S", "PT0S", "PT-22H"},
      {local("2018-01-01T10:00:00.2"), local("2018-01-02T10:00:00.1"), "PT23H59M59.9S", "PT0S",
       "PT0S", "PT23H59M59.9S"},
      {date("1984-10-11"), time("16:30+0100"), "PT16H30M", "PT0S", "PT0S", "PT16H30M"},
      {local_time("14:30"), local("2016-07-21T21:45"), "PT7H15M", "PT0S", "PT0S", "PT7H15M"},
      {zoned("2014-07-21T21:40+0200"), zoned("2015-07-21T21:40+0100"), "P1YT1H", "P1Y", "P365D",
       "PT8761H"},
      {zoned("2018-07-21T21:40:36+0500"), zoned("1984-07-21T22:40:36+0200"), "P-33Y-11M-30DT-20H",
       "P-33Y-11M", "P-12417D", "PT-298028H"},
  };
  for (const auto& [from, to, all, months, days, seconds] : cases) {
    BOOST_TEST_CONTEXT(from.to_text() << " to " << to.to_text()) {
      BOOST_TEST(measured("duration.between", from, to) == all);
      BOOST_TEST(measured("duration.inMonths", from, to) == months);
      BOOST_TEST(measured("duration.inDays", from, to) == days);
      BOOST_TEST(measured("duration.inSeconds", from, to) == seconds);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_changed_clock_changes_the_hours_of_that_day) {
  const Value midnight = zoned("2017-10-29T00:00[Europe/Stockholm]");
  BOOST_TEST(measured("duration.between", midnight, local("2017-10-29T04:00")) == "PT5H");
  BOOST_TEST(measured("duration.inSeconds", midnight, local_time("04:00")) == "PT5H");
  BOOST_TEST(measured("duration.inSeconds", midnight, date("2017-10-30")) == "PT25H");
  BOOST_TEST(measured("duration.between", midnight, zoned("2017-10-30T00:00[Europe/Stockholm]")) ==
             "P1D");
}

BOOST_AUTO_TEST_CASE(the_widest_distances_are_exact) {
  const Value first = local("-999999999-01-01");
  const Value last = local("+999999999-12-31T23:59:59");
  BOOST_TEST(measured("duration.between", first, last) == "P1999999998Y11M30DT23H59M59S");
  BOOST_TEST(measured("duration.inSeconds", first, last) == "PT17531639991215H59M59S");
}

BOOST_AUTO_TEST_CASE(only_points_in_time_have_a_distance) {
  check_calls({{"duration.between", {Duration{}, Date{0}}, "error: type_error"},
               {"duration.inDays", {Date{0}, "2015-01-01"}, "error: type_error"}});
}

BOOST_AUTO_TEST_CASE(adding_the_distance_to_the_first_gives_the_second) {
  const std::uint64_t seed = cairn::test::test_seed();
  cairn::test::ValueGenerator random(seed);
  const auto moment = [&] {
    const auto seconds = static_cast<std::int64_t>(random.below(8'000'000'000)) - 4'000'000'000;
    return Value(LocalDateTime{seconds, static_cast<std::int32_t>(random.below(1'000'000'000))});
  };
  for (int i = 0; i < 20'000; ++i) {
    const Value a = moment();
    const Value b = moment();
    for (std::string_view unit : {"duration.between", "duration.inSeconds"}) {
      const auto distance = call(unit, {a, b});
      BOOST_TEST_REQUIRE((add(a, *distance).value() == b), "seed " << seed << ": " << unit << " "
                                                                   << a.to_text() << " "
                                                                   << b.to_text());
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
