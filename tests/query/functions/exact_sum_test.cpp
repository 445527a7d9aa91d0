// Sums of floats are exact until they are rounded once, so neither order nor division changes them.

#include "query/functions/exact_sum.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using cairn::query::ExactSum;

BOOST_AUTO_TEST_SUITE(exact_sum)

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double sum(const std::vector<double>& numbers) {
  ExactSum total;
  for (const double number : numbers) total.add(number);
  return total.total();
}

/// Numbers whose exponents lie between two limits.
std::vector<double> numbers(std::mt19937_64& random, int least, int greatest) {
  std::uniform_real_distribution<double> mantissa(-1, 1);
  std::uniform_int_distribution<int> exponent(least, greatest);
  std::vector<double> result(1 + random() % 300);
  for (double& one : result) one = std::ldexp(mantissa(random), exponent(random));
  return result;
}

/// The sum of two sums, each of which has a part of the numbers.
double divided(const std::vector<double>& numbers, std::size_t first) {
  ExactSum one;
  ExactSum other;
  for (std::size_t i = 0; i < numbers.size(); ++i) (i < first ? one : other).add(numbers[i]);
  one.add(other);
  return one.total();
}

}  // namespace

BOOST_AUTO_TEST_CASE(small_addends_survive_large_ones) {
  BOOST_TEST(sum({1e100, 1.0, -1e100}) == 1.0);
  BOOST_TEST(sum({1.0, 1e100, 1.0, -1e100}) == 2.0);
  BOOST_TEST(sum({1e200, 1.0, 1e100, 1e-100, -1e200, -1e100, -1.0}) == 1e-100);
}

BOOST_AUTO_TEST_CASE(many_tenths_are_a_whole) {
  ExactSum total;
  for (int i = 0; i < 1'000'000; ++i) total.add(0.1);
  BOOST_TEST(total.total() == 100'000.0);
}

BOOST_AUTO_TEST_CASE(the_sum_is_rounded_once) {
  BOOST_TEST(sum({1.0, 0x1p-53}) == 1.0);
  BOOST_TEST(sum({1.0, 0x1p-53, 0x1p-106}) == 1.0 + 0x1p-52);
  BOOST_TEST(sum({1.0, 0x1p-53, -0x1p-106}) == 1.0);
  BOOST_TEST(sum({1.0, 0x1p-53, 0x1p-160}) == 1.0 + 0x1p-52);
  BOOST_TEST(sum({-1.0, -0x1p-53, -0x1p-160}) == -1.0 - 0x1p-52);
  BOOST_TEST(sum({1.0 + 0x1p-52, 0x1p-53, -0x1p-160}) == 1.0 + 0x1p-52);
}

BOOST_AUTO_TEST_CASE(neither_order_nor_division_changes_a_sum) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 500; ++round) {
    const int least = static_cast<int>(random() % 1'900) - 1'070;
    const int greatest = std::min(least + static_cast<int>(random() % 400), 950);
    std::vector<double> all = numbers(random, least, greatest);
    const double expected = sum(all);
    std::ranges::shuffle(all, random);
    BOOST_TEST(std::bit_cast<std::uint64_t>(sum(all)) == std::bit_cast<std::uint64_t>(expected));
    BOOST_TEST(divided(all, random() % all.size()) == expected);
    for (std::size_t i = all.size(); i > 0; --i) all.push_back(-all[i - 1]);
    BOOST_TEST(sum(all) == 0.0);
  }
}

BOOST_AUTO_TEST_CASE(infinities_and_nan_go_through) {
  BOOST_TEST(sum({}) == 0.0);
  BOOST_TEST(sum({1.0, infinity, 1.0}) == infinity);
  BOOST_TEST(std::isnan(sum({infinity, -infinity})));
  BOOST_TEST(std::isnan(sum({1.0, std::nan(""), 2.0})));
  BOOST_TEST(divided({1.0, infinity, 1.0}, 2) == infinity);
  BOOST_TEST(std::isnan(divided({infinity, 2.0, -infinity}, 1)));
}

BOOST_AUTO_TEST_CASE(an_infinite_sum_stays_infinite) {
  BOOST_TEST(sum({1e308, 1e308, -1e308, -1e308, -1e308}) == infinity);
  BOOST_TEST(sum({-1e308, -1e308, 1e308, 1e308, 1e308}) == -infinity);
  BOOST_TEST(sum({infinity, -1e308, -1e308}) == infinity);
  BOOST_TEST(sum({-1e308, -infinity, 1e308, 1e308, 1e308}) == -infinity);
  BOOST_TEST(std::isnan(sum({1e308, 1e308, -infinity})));
  BOOST_TEST(std::isnan(sum({std::nan(""), 1e308, 1e308})));
}

BOOST_AUTO_TEST_CASE(a_sum_that_leaves_the_range_says_so) {
  ExactSum total;
  total.add(1e308);
  BOOST_TEST(total.depends_on_order());
  total.add(1e308);
  BOOST_TEST(total.total() == infinity);
  total.add(-1e308);
  BOOST_TEST(total.total() == infinity);
  ExactSum usual;
  usual.add(1e200);
  BOOST_TEST(!usual.depends_on_order());
  usual.add(total);
  BOOST_TEST(usual.depends_on_order());
  BOOST_TEST(usual.total() == infinity);
}

BOOST_AUTO_TEST_SUITE_END()
