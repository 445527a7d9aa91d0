#include "query/functions/temporal_operations.hpp"
#include "query/functions/temporal_parts.hpp"
#include "tests/query/functions/support.hpp"
#include "tests/support/value_generator.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <limits>
#include <string>

using namespace cairn;
using namespace cairn::query;
using namespace cairn::query::test;

BOOST_AUTO_TEST_SUITE(temporal_parser)

BOOST_AUTO_TEST_CASE(a_day_is_named_by_month_week_quarter_or_number) {
  for (std::string_view text : {"2015-07-21", "20150721", "2015-W30-2", "2015W302", "2015-202",
                                "2015202", "2015-Q3-21", "2015Q321", "+2015-07-21"})
    check_calls({{"date", {text}, "date('2015-07-21')"}});
  check_calls({{"date", {"2015-07"}, "date('2015-07-01')"},
               {"date", {"201507"}, "date('2015-07-01')"},
               {"date", {"2015-W30"}, "date('2015-07-20')"},
               {"date", {"2015Q3"}, "date('2015-07-01')"},
               {"date", {"2015"}, "date('2015-01-01')"},
               {"date", {"-0044-03-15"}, "date('-0044-03-15')"},
               {"date", {"+999999999-12-31"}, "date('+999999999-12-31')"}});
}

BOOST_AUTO_TEST_CASE(a_time_is_as_long_as_it_is_exact) {
  check_calls({{"localtime", {"21:40:32.142"}, "localtime('21:40:32.142')"},
               {"localtime", {"214032.142"}, "localtime('21:40:32.142')"},
               {"localtime", {"21:40:32,5"}, "localtime('21:40:32.5')"},
               {"localtime", {"2140"}, "localtime('21:40')"},
               {"localtime", {"21"}, "localtime('21:00')"},
               {"time", {"21:40:32.142+0100"}, "time('21:40:32.142+01:00')"},
               {"time", {"2140-00:00"}, "time('21:40Z')"},
               {"time", {"2140-02"}, "time('21:40-02:00')"},
               {"time", {"22+18:00"}, "time('22:00+18:00')"},
               {"time", {"22+00:53:28"}, "time('22:00+00:53:28')"},
               {"time", {"22"}, "time('22:00Z')"}});
}

BOOST_AUTO_TEST_CASE(a_zone_may_have_an_offset_a_name_or_both) {
  check_calls({{"datetime", {"2015-07-21T21:40Z"}, "datetime('2015-07-21T21:40Z')"},
               {"datetime", {"2015-07-21"}, "datetime('2015-07-21T00:00Z')"},
               {"datetime", {"20150721T2140-0130"}, "datetime('2015-07-21T21:40-01:30')"},
               {"datetime",
                {"2015-07-21T21:40[Europe/London]"},
                "datetime('2015-07-21T21:40+01:00[Europe/London]')"},
               {"datetime",
                {"1818-07-21T21:40[Europe/Stockholm]"},
                "datetime('1818-07-21T21:40+00:53:28[Europe/Stockholm]')"},
               {"datetime",
                {"2017-10-29T02:30+01:00[Europe/Stockholm]"},
                "datetime('2017-10-29T02:30+01:00[Europe/Stockholm]')"}});
}

BOOST_AUTO_TEST_CASE(what_is_no_date_or_time_is_refused) {
  for (std::string_view text :
       {"", "x", "2015-7-1", "2015-0721", "201507-21", "2015-13", "2015-02-29", "2015-366",
        "2014-W53", "2015-Q5", "2015-Q2-92", "2015-07-21T10", "12345-01-01", "2015-07-21 ",
        "+1000000000-01-01", "99999999999999999999"})
    check_calls({{"date", {text}, "error: invalid_argument"}});
  for (std::string_view text : {"", "24:00", "21:60", "21:4", "2140:32", "21:40:32.",
                                "21:40:32.1234567890", "21:40Z", "T21"})
    check_calls({{"localtime", {text}, "error: invalid_argument"}});
  for (std::string_view text : {"21:40+19:00", "21:40+1", "21:40[Europe/London", "21:40[]",
                                "21:40[Foo/Bar]", "21:40+01:00:"})
    check_calls({{"time", {text}, "error: invalid_argument"}});
  for (std::string_view text :
       {"2017-07-29T02:30+01:00[Europe/Stockholm]", "2017-10-29T02:30+03:00[Europe/Stockholm]",
        "2017-07-29T02:30+zz[Europe/Stockholm]"})
    check_calls({{"datetime", {text}, "error: invalid_argument"}});
  check_calls({{"datetime", {"2015-07-21T"}, "error: invalid_argument"},
               {"localdatetime", {"2015-07-21T21:40Z"}, "error: invalid_argument"}});
}

BOOST_AUTO_TEST_CASE(the_message_shows_text_and_reason) {
  BOOST_TEST(call("date", {"2015-02-29"}).error().message ==
             "not a date: '2015-02-29': day 29 does not exist: there are 28 days");
  BOOST_TEST(call("datetime", {"2017-07-29T02:30+01:00[Europe/Stockholm]"}).error().message ==
             "not a datetime: '2017-07-29T02:30+01:00[Europe/Stockholm]': "
             "Europe/Stockholm has the offset +02:00 at that time, not +01:00");
}

BOOST_AUTO_TEST_CASE(random_text_is_refused_or_read_and_never_worse) {
  const std::uint64_t seed = cairn::test::test_seed();
  cairn::test::ValueGenerator random(seed);
  constexpr std::string_view letters = "0123456789-+:.,TWQZPYMDHS[]/a";
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (std::uint64_t size = random.below(24); size > 0; --size)
      text += letters[random.below(letters.size())];
    for (std::string_view name : {"date", "time", "localtime", "datetime", "localdatetime"}) {
      const auto value = call(name, {text});
      if (!value) continue;
      const auto printed = call("toString", {*value});
      BOOST_TEST_REQUIRE((text_of(call(name, {*printed})) == text_of(value)),
                         "seed " << seed << ": " << name << " '" << text << "'");
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(duration_parser)

BOOST_AUTO_TEST_CASE(a_duration_of_any_size_keeps_its_nanoseconds) {
  BOOST_TEST((parse_duration("PT17592186044416.000000001S").value() ==
              Duration{0, 0, 17'592'186'044'416, 1}));
  BOOST_TEST((parse_duration("PT9223372036854775806.999999999S").value() ==
              Duration{0, 0, std::numeric_limits<std::int64_t>::max() - 1, 999'999'999}));
  for (const std::int64_t end :
       {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    const std::string text = std::to_string(end);
    BOOST_TEST((parse_duration("P" + text + "M" + text + "DT" + text + "S").value() ==
                Duration{end, end, end, 0}));
  }
  BOOST_TEST(!parse_duration("PT9223372036854775808S").has_value());
  BOOST_TEST(!parse_duration("PT-9223372036854775809S").has_value());
  BOOST_TEST((parse_duration("PT-17592186044416.25S").value() ==
              Duration{0, 0, -17'592'186'044'417, 750'000'000}));
  cairn::test::ValueGenerator random(cairn::test::test_seed());
  for (int round = 0; round < 5'000; ++round) {
    const Value value = random.temporal();
    if (value.get_if<Duration>() == nullptr) continue;
    const auto read = parse_literal(value.to_text());
    BOOST_REQUIRE_MESSAGE(read.has_value(), value.to_text());
    BOOST_REQUIRE_EQUAL(read->to_text(), value.to_text());
    BOOST_REQUIRE(*read == value);
  }
}

BOOST_AUTO_TEST_CASE(a_number_of_any_length_is_read_or_refused) {
  const std::string digits(6'000, '9');
  for (const std::string& text :
       {"P" + digits + "D", "P-" + digits + "Y", "PT" + digits + "S", "PT" + digits + ".5H"})
    BOOST_TEST(!parse_duration(text).has_value());
  BOOST_TEST((parse_duration("PT1." + digits + "S").value() == Duration{0, 0, 2, 0}));
  BOOST_TEST(
      (parse_duration("PT1." + std::string(6'000, '0') + "1S").value() == Duration{0, 0, 1, 0}));
}

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

namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

Duration whole(FractionalDuration parts) { return whole_duration(parts).value(); }

}  // namespace

BOOST_AUTO_TEST_SUITE(duration_parts)

BOOST_AUTO_TEST_CASE(nanoseconds_count_upwards_below_zero_too) {
  BOOST_TEST((make_duration(0, 0, 0, -1).value() == Duration{0, 0, -1, 999'999'999}));
  BOOST_TEST((make_duration(0, 0, -2, 1'500'000'000).value() == Duration{0, 0, -1, 500'000'000}));
  BOOST_TEST((make_duration(1, 2, 3, 4).value() == Duration{1, 2, 3, 4}));
}

BOOST_AUTO_TEST_CASE(fractions_go_on_to_the_next_part) {
  BOOST_TEST((whole({0.5L, 0, 0, 0}) == Duration{0, 15, 18'873, 0}));
  BOOST_TEST((whole({0, 1.5L, 0, 0}) == Duration{0, 1, 43'200, 0}));
  BOOST_TEST((whole({0, 0, -0.5L, 0}) == Duration{0, 0, -1, 500'000'000}));
  BOOST_TEST((whole({-1.5L, 0, 0, 0}) == Duration{-1, -15, -18'873, 0}));
}

BOOST_AUTO_TEST_CASE(seconds_never_become_days) {
  BOOST_TEST((whole({0, 0, 200'000, 0}) == Duration{0, 0, 200'000, 0}));
  BOOST_TEST((whole({0, 400, 0, 0}) == Duration{0, 400, 0, 0}));
}

BOOST_AUTO_TEST_CASE(only_nanoseconds_are_rounded) {
  BOOST_TEST((whole({0, 0, 0, 0.6L}) == Duration{0, 0, 0, 1}));
  BOOST_TEST((whole({0, 0, 0, 0.5L}) == Duration{0, 0, 0, 0}));
  BOOST_TEST((whole({0, 0.7L, 0, 0}) == Duration{0, 0, 60'480, 0}));
}

BOOST_AUTO_TEST_CASE(parts_add_and_subtract_one_by_one) {
  const Duration a{1, -2, 3, 600'000'000};
  const Duration b{4, 5, -6, 700'000'000};
  BOOST_TEST((add_durations(a, b, 1).value() == Duration{5, 3, -2, 300'000'000}));
  BOOST_TEST((add_durations(a, b, -1).value() == Duration{-3, -7, 8, 900'000'000}));
}

BOOST_AUTO_TEST_CASE(a_part_beyond_64_bits_is_an_error) {
  BOOST_TEST(!whole_duration({1e30L, 0, 0, 0}));
  BOOST_TEST(!whole_duration({std::numeric_limits<long double>::quiet_NaN(), 0, 0, 0}));
  BOOST_TEST(!make_duration(0, 0, largest, 1'000'000'000));
  BOOST_TEST(!add_durations({largest, 0, 0, 0}, {1, 0, 0, 0}, 1));
  BOOST_TEST(!add_durations({}, {0, smallest, 0, 0}, -1));
}

BOOST_AUTO_TEST_SUITE_END()
