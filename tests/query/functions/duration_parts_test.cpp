#include "query/functions/temporal_parts.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace cairn;
using namespace cairn::query;

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
