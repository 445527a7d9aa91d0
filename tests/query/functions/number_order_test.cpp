#include "codec/ordered_key.hpp"
#include "query/functions/numbers.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace cairn;
using namespace cairn::query;

namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

struct Case {
  std::int64_t a;
  double b;
  int expected;
};

Value number(test::ValueGenerator& random) {
  return random.boolean() ? Value(random.integer()) : Value(random.floating());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(number_order)

BOOST_AUTO_TEST_CASE(an_integer_is_not_rounded_to_compare_it) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Case cases[] = {
      {1, 1.0, 0},
      {1, 1.5, -1},
      {-1, -1.5, 1},
      {0, -0.0, 0},
      {largest, 0x1p63, -1},
      {smallest, -0x1p63, 0},
      {smallest, -0x1.0000000000001p63, 1},
      {largest, infinity, -1},
      {smallest, -infinity, 1},
      {(std::int64_t{1} << 53) + 1, 0x1p53, 1},
  };
  for (const auto& [a, b, expected] : cases) {
    BOOST_TEST(compare_numbers(a, b).value() == expected);
    BOOST_TEST(compare_numbers(b, a).value() == -expected);
  }
}

BOOST_AUTO_TEST_CASE(nan_has_no_place) {
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(!compare_numbers(not_a_number, 1).has_value());
  BOOST_TEST(!compare_numbers(1.5, not_a_number).has_value());
  BOOST_TEST(!compare_numbers(not_a_number, not_a_number).has_value());
}

BOOST_AUTO_TEST_CASE(the_order_is_that_of_keys_and_of_order_by) {
  const std::uint64_t seed = test::test_seed();
  test::ValueGenerator random(seed);
  for (int i = 0; i < 50'000; ++i) {
    const Value a = number(random);
    const Value b = number(random);
    const auto order = compare_numbers(a, b);
    if (!order) continue;
    const int by_key = codec::compare_ordered(a, b);
    BOOST_TEST_REQUIRE(((*order < 0) == (by_key < 0) && (*order > 0) == (by_key > 0)),
                       "seed " << seed << ": " << a.to_text() << " and " << b.to_text());
  }
}

BOOST_AUTO_TEST_SUITE_END()
