#include "query/functions/numbers.hpp"

#include <boost/test/unit_test.hpp>

#include <initializer_list>
#include <limits>

using cairn::query::ExactSum;

namespace {

double sum(std::initializer_list<double> numbers) {
  ExactSum total;
  for (double number : numbers) total.add(number);
  return total.total();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(exact_sum)

BOOST_AUTO_TEST_CASE(small_addends_survive_large_ones) {
  BOOST_TEST(sum({1e100, 1.0, -1e100}) == 1.0);
  BOOST_TEST(sum({1.0, 1e100, 1.0, -1e100}) == 2.0);
}

BOOST_AUTO_TEST_CASE(many_tenths_are_a_whole) {
  ExactSum total;
  for (int i = 0; i < 1'000'000; ++i) total.add(0.1);
  BOOST_TEST(total.total() == 100'000.0);
}

BOOST_AUTO_TEST_CASE(infinities_and_nan_go_through) {
  const double infinity = std::numeric_limits<double>::infinity();
  BOOST_TEST(sum({}) == 0.0);
  BOOST_TEST(sum({1.0, infinity, 1.0}) == infinity);
  BOOST_TEST(std::isnan(sum({infinity, -infinity})));
}

BOOST_AUTO_TEST_SUITE_END()
