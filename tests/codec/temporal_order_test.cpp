#include "codec/instant.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace cairn;
using namespace cairn::codec;

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
