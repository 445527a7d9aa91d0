#include "codec/value_text.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace cairn;
using namespace cairn::codec;

namespace {

constexpr std::int64_t second = 1'000'000'000;

}  // namespace

BOOST_AUTO_TEST_SUITE(temporal_texts)

BOOST_AUTO_TEST_CASE(a_date_has_four_digits_of_a_year_or_a_sign) {
  BOOST_TEST(temporal_text(Date{0}) == "1970-01-01");
  BOOST_TEST(temporal_text(Date{-719'162}) == "0001-01-01");
  BOOST_TEST(temporal_text(Date{2'932'897}) == "+10000-01-01");
  BOOST_TEST(temporal_text(Date{-719'529}) == "-0001-12-31");
}

BOOST_AUTO_TEST_CASE(seconds_and_fractions_stand_where_they_are_not_zero) {
  BOOST_TEST(temporal_text(LocalTime{0}) == "00:00");
  BOOST_TEST(temporal_text(LocalTime{61 * second}) == "00:01:01");
  BOOST_TEST(temporal_text(LocalTime{second / 2}) == "00:00:00.5");
  BOOST_TEST(temporal_text(LocalTime{86'400 * second - 1}) == "23:59:59.999999999");
}

BOOST_AUTO_TEST_CASE(an_offset_shows_its_sign_and_rarely_seconds) {
  BOOST_TEST(offset_text(0) == "Z");
  BOOST_TEST(offset_text(19'800) == "+05:30");
  BOOST_TEST(offset_text(-3'600) == "-01:00");
  BOOST_TEST(offset_text(-3'208) == "-00:53:28");
  BOOST_TEST(temporal_text(Time{43'200 * second, 3'600}) == "12:00+01:00");
}

BOOST_AUTO_TEST_CASE(a_moment_shows_its_local_clock) {
  BOOST_TEST(temporal_text(LocalDateTime{-1, 0}) == "1969-12-31T23:59:59");
  BOOST_TEST(temporal_text(DateTime{0, 0, 3'600, ""}) == "1970-01-01T01:00+01:00");
  BOOST_TEST(temporal_text(DateTime{0, 0, 0, "Europe/London"}) ==
             "1970-01-01T00:00Z[Europe/London]");
}

BOOST_AUTO_TEST_CASE(a_duration_gives_each_part_its_sign) {
  BOOST_TEST(temporal_text(Duration{}) == "PT0S");
  BOOST_TEST(temporal_text(Duration{14, -3, 0, 0}) == "P1Y2M-3D");
  BOOST_TEST(temporal_text(Duration{0, 0, 3'661, 0}) == "PT1H1M1S");
}

// The stored fraction counts upwards from the second below.
BOOST_AUTO_TEST_CASE(a_negative_fraction_counts_away_from_zero) {
  BOOST_TEST(temporal_text(Duration{0, 0, -1, 500'000'000}) == "PT-0.5S");
  BOOST_TEST(temporal_text(Duration{0, 0, -2, 500'000'000}) == "PT-1.5S");
  BOOST_TEST(temporal_text(Duration{0, 0, 1, 500'000'000}) == "PT1.5S");
  BOOST_TEST(temporal_text(Duration{std::numeric_limits<std::int64_t>::min(), 0, 0, 0}) ==
             "P-768614336404564650Y-8M");
}

BOOST_AUTO_TEST_SUITE_END()
