#include "codec/ordered_number.hpp"

#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

using namespace cairn;
using namespace cairn::codec;

namespace {

constexpr auto least = std::numeric_limits<std::int64_t>::min();
constexpr auto most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t two_to_53 = std::int64_t{1} << 53;

/// Compares exactly by another method: the x87 long double has a 64-bit mantissa.
int compare_exactly(std::int64_t integer, double floating) {
  static_assert(std::numeric_limits<long double>::digits >= 64);
  const auto left = static_cast<long double>(integer);
  const auto right = static_cast<long double>(floating);
  return left < right ? -1 : left > right ? 1 : 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ordered_numbers)

BOOST_AUTO_TEST_CASE(integers_beyond_two_to_53_keep_their_order) {
  for (std::int64_t near : {two_to_53, -two_to_53, most - 2'000, least + 2'000})
    for (std::int64_t i = near - 1'500; i < near + 1'500; ++i)
      BOOST_REQUIRE((ordered_number(i) < ordered_number(i + 1)));
}

BOOST_AUTO_TEST_CASE(the_ends_of_the_integers_lie_beside_two_to_63) {
  BOOST_TEST((ordered_number(most) < ordered_number(std::ldexp(1, 63))));
  BOOST_TEST((ordered_number(least) == ordered_number(-std::ldexp(1, 63))));
  BOOST_TEST((ordered_number(most) > ordered_number(std::nextafter(std::ldexp(1, 63), 0))));
}

BOOST_AUTO_TEST_CASE(zero_has_no_sign_and_infinities_are_the_ends) {
  const double infinity = std::numeric_limits<double>::infinity();
  BOOST_TEST((ordered_number(-0.0) == ordered_number(std::int64_t{0})));
  BOOST_TEST((ordered_number(-infinity) < ordered_number(least)));
  BOOST_TEST((ordered_number(infinity) > ordered_number(std::numeric_limits<double>::max())));
}

BOOST_AUTO_TEST_CASE(an_integer_and_a_float_compare_exactly) {
  test::ValueGenerator random(test::test_seed());
  for (int i = 0; i < 20'000; ++i) {
    const std::int64_t integer = random.integer();
    double floating = random.floating();
    if (std::isnan(floating)) floating = std::nextafter(static_cast<double>(integer), 0);
    const auto order = ordered_number(integer) <=> ordered_number(floating);
    BOOST_TEST_REQUIRE((order < 0 ? -1 : order > 0 ? 1 : 0) == compare_exactly(integer, floating));
  }
}

BOOST_AUTO_TEST_CASE(numbers_come_back_whole_where_they_are_whole) {
  test::ValueGenerator random(test::test_seed());
  for (int i = 0; i < 20'000; ++i) {
    const std::int64_t integer = random.integer();
    BOOST_TEST_REQUIRE((*number_value(ordered_number(integer)) == Value(integer)));
  }
  BOOST_TEST((*number_value(ordered_number(2.0)) == Value(2)));
  BOOST_TEST((*number_value(ordered_number(2.5)) == Value(2.5)));
  BOOST_TEST((*number_value(ordered_number(1e300)) == Value(1e300)));
  BOOST_TEST((*number_value(ordered_number(std::ldexp(1, 63))) == Value(std::ldexp(1, 63))));
}

BOOST_AUTO_TEST_CASE(forms_that_no_number_has_are_refused) {
  OrderedNumber half = ordered_number(0.5);
  half.remainder = 1;
  BOOST_TEST(!number_value(half).has_value());
  OrderedNumber one = ordered_number(std::int64_t{1});
  one.remainder = 1;  // would be another form of 2
  BOOST_TEST(!number_value(one).has_value());
  BOOST_TEST(!number_value({~std::uint64_t{0}, 0}).has_value());          // NaN
  BOOST_TEST(!number_value({~(std::uint64_t{1} << 63), 0}).has_value());  // -0
  OrderedNumber top = ordered_number(most);
  ++top.remainder;  // 2^63
  BOOST_TEST(!number_value(top).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
