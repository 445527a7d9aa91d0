#include "codec/instant.hpp"

#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <string>

using namespace cairn::codec;

namespace {

constexpr std::int64_t second = 1'000'000;
const std::int64_t noon = days_from_civil({2026, 2, 14}) * 86'400 * second + 43'200 * second;

struct Case {
  const char* text;
  std::int64_t instant;
};

void check(std::initializer_list<Case> cases) {
  for (const Case& one : cases) {
    const auto parsed = parse_instant(one.text);
    BOOST_TEST(parsed.has_value(), one.text);
    if (parsed) BOOST_TEST(*parsed == one.instant, one.text);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(instant)

BOOST_AUTO_TEST_CASE(one_instant_has_many_spellings) {
  check({{"2026-02-14T12:00:00Z", noon},
         {"2026-02-14t12:00:00z", noon},
         {"2026-02-14 12:00:00", noon},
         {"2026-02-14T12:00", noon},
         {"2026-02-14T13:30:00+01:30", noon},
         {"2026-02-14T13:30:00+0130", noon},
         {"2026-02-14T02:00:00-10", noon},
         {"2026-02-15T11:59:00+23:59", noon},
         {"2026-02-14T12:00:00-00:00", noon},
         {"2026-02-14T12:00:00.000Z", noon}});
}

BOOST_AUTO_TEST_CASE(a_date_alone_is_its_midnight) {
  check({{"2026-02-14", noon - 43'200 * second},
         {"1970-01-01", 0},
         {"1969-12-31", -86'400 * second}});
}

BOOST_AUTO_TEST_CASE(fractions_count_to_microseconds) {
  check({{"2026-02-14T12:00:00.5Z", noon + 500'000},
         {"2026-02-14T12:00:00,000001Z", noon + 1},
         {"2026-02-14T12:00:00.1234567899Z", noon + 123'456}});
}

BOOST_AUTO_TEST_CASE(a_leap_second_begins_the_next_day_and_fits_nowhere_else) {
  const std::int64_t new_year = days_from_civil({2017, 1, 1}) * 86'400 * second;
  check({{"2016-12-31T23:59:60Z", new_year},
         {"2016-12-31T23:59:60.25Z", new_year + 250'000},
         {"2017-01-01T05:29:60+05:30", new_year}});
  BOOST_TEST(!parse_instant("2016-12-31T22:59:60Z").has_value());
  BOOST_TEST(!parse_instant("2016-12-31T23:59:61Z").has_value());
}

BOOST_AUTO_TEST_CASE(the_first_and_last_years_are_in_range) {
  check({{"0001-01-01T00:00:00Z", -62'135'596'800 * second},
         {"9999-12-31T23:59:59.999999Z", 253'402'300'800 * second - 1}});
}

BOOST_AUTO_TEST_CASE(whatever_is_not_wholly_an_instant_is_none) {
  for (const char* text : {"",
                           "2026",
                           "2026-02",
                           "2026-2-14",
                           "20260214",
                           "2026-02-30",
                           "2025-02-29",
                           "2026-00-01",
                           "2026-13-01",
                           "2026-01-00",
                           "0000-01-01",
                           "10000-01-01",
                           "+2026-02-14",
                           "-2026-02-14",
                           " 2026-02-14",
                           "2026-02-14 ",
                           "2026-02-14T",
                           "2026-02-14T12",
                           "2026-02-14T12:0",
                           "2026-02-14T24:00:00Z",
                           "2026-02-14T12:60:00Z",
                           "2026-02-14T12:00:00.Z",
                           "2026-02-14T12:00:00.Z5",
                           "2026-02-14T12:00:00+",
                           "2026-02-14T12:00:00+1",
                           "2026-02-14T12:00:00+24:00",
                           "2026-02-14T12:00:00+01:60",
                           "2026-02-14T12:00:00+01:",
                           "2026-02-14T12:00:00Z+01:00",
                           "2026-02-14T12:00:0010:00+",
                           "2026-02-14T12:00:00ZZ",
                           "2026-02-14Z",
                           "2026-02-14T12:00:00 Z",
                           "2026-02-14T12.5",
                           "yesterday"})
    BOOST_TEST(!parse_instant(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(an_instant_prints_as_short_as_it_can) {
  BOOST_TEST(instant_text(noon) == "2026-02-14T12:00:00Z");
  BOOST_TEST(instant_text(noon + 500'000) == "2026-02-14T12:00:00.5Z");
  BOOST_TEST(instant_text(-1) == "1969-12-31T23:59:59.999999Z");
}

BOOST_AUTO_TEST_CASE(printed_instants_read_back) {
  cairn::test::ValueGenerator random(cairn::test::test_seed());
  for (int i = 0; i < 10'000; ++i) {
    const auto span = static_cast<std::uint64_t>(315'537'897'600 * second);
    const auto instant = static_cast<std::int64_t>(random.below(span)) - 62'135'596'800 * second;
    BOOST_TEST_REQUIRE(parse_instant(instant_text(instant)).value() == instant);
  }
}

BOOST_AUTO_TEST_CASE(damaged_text_never_crashes) {
  cairn::test::ValueGenerator random(cairn::test::test_seed());
  for (int i = 0; i < 20'000; ++i)
    (void)parse_instant(random.damaged("2026-02-14T12:00:00.123+01:30"));
}

BOOST_AUTO_TEST_SUITE_END()

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

using namespace cairn;

BOOST_AUTO_TEST_SUITE(temporal_order)

BOOST_AUTO_TEST_CASE(a_time_is_ordered_by_its_instant) {
  const Time noon_in_berlin{12 * 3'600 * nanoseconds_per_second, 3'600};
  BOOST_TEST(instant_of(noon_in_berlin) == 11 * 3'600 * nanoseconds_per_second);
}

BOOST_AUTO_TEST_CASE(a_duration_is_as_long_as_its_mean_months) {
  BOOST_TEST(static_cast<std::int64_t>(length_of({12, 0, 0, 0})) == 31'556'952);
  BOOST_TEST(static_cast<std::int64_t>(length_of({0, 1, 1, 0})) == 86'401);
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  BOOST_TEST((length_of({most, most, most, 0}) > length_of({most, most, most - 1, 0})));
}

BOOST_AUTO_TEST_CASE(both_edges_of_every_field_are_known) {
  BOOST_TEST(is_valid(Date{max_days}));
  BOOST_TEST(!is_valid(Date{max_days + 1}));
  BOOST_TEST(is_valid(Date{min_days}));
  BOOST_TEST(!is_valid(Date{min_days - 1}));
  BOOST_TEST(is_valid(LocalTime{nanoseconds_per_day - 1}));
  BOOST_TEST(!is_valid(LocalTime{nanoseconds_per_day}));
  BOOST_TEST(!is_valid(LocalTime{-1}));
  BOOST_TEST(is_valid(Time{0, max_offset_seconds}));
  BOOST_TEST(!is_valid(Time{0, max_offset_seconds + 1}));
  BOOST_TEST(is_valid(LocalDateTime{-1, 999'999'999}));
  BOOST_TEST(!is_valid(LocalDateTime{-1, 1'000'000'000}));
  BOOST_TEST(!is_valid(LocalDateTime{std::numeric_limits<std::int64_t>::min(), 0}));
  BOOST_TEST(!is_valid(DateTime{0, 0, -max_offset_seconds - 1, ""}));
  BOOST_TEST(!is_valid(Duration{0, 0, 0, -1}));
}

BOOST_AUTO_TEST_SUITE_END()
