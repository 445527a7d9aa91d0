#include "query/functions/growing.hpp"
#include "tests/query/functions/few_steps.hpp"
#include "tests/support/rounds.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <random>
#include <vector>

namespace cairn::query {
namespace {

using Numbers = std::vector<std::uint64_t>;

// Of few different numbers or many, in some order of which selections are said to suffer.
Numbers some_numbers(std::mt19937_64& random, std::size_t count) {
  Numbers numbers(count);
  const std::uint64_t different = random() % 2 == 0 ? 1 + random() % 20 : count * 10;
  for (std::uint64_t& number : numbers) number = random() % different;
  const std::uint64_t order = random() % 4;
  if (order == 0) std::ranges::sort(numbers);
  if (order == 1) std::ranges::sort(numbers, std::greater<>());
  if (order == 2) std::sort(numbers.begin(), numbers.begin() + numbers.size() / 2);
  return numbers;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(paced_selection)

BOOST_AUTO_TEST_CASE(an_item_comes_to_the_place_that_a_sort_would_give_it) {
  const auto seed = std::random_device{}();
  BOOST_TEST_MESSAGE("seed " << seed);
  std::mt19937_64 random(seed);
  for (std::size_t round = 0; round < cairn::test::rounds(50, 2'000); ++round) {
    Numbers numbers = some_numbers(random, 1 + random() % 30'000);
    Numbers sorted = numbers;
    std::ranges::sort(sorted);
    const std::size_t place = random() % numbers.size();
    const auto at = numbers.begin() + static_cast<std::ptrdiff_t>(place);
    BOOST_REQUIRE(paced_select(nullptr, numbers.begin(), at, numbers.end(), std::less<>()));
    BOOST_TEST(*at == sorted[place], "seed " << seed << ", round " << round);
    BOOST_TEST(std::all_of(numbers.begin(), at, [&](auto one) { return one <= *at; }));
    BOOST_TEST(std::all_of(at, numbers.end(), [&](auto one) { return one >= *at; }));
    BOOST_TEST(*paced_least(nullptr, at, numbers.end(), std::less<>()).value() == sorted[place]);
  }
}

BOOST_AUTO_TEST_CASE(it_stops_by_the_limits_on_its_way) {
  std::mt19937_64 random(7);
  Numbers numbers(1'000'000);
  for (std::uint64_t& number : numbers) number = random();
  std::uint64_t compared = 0;
  const auto counted = [&](std::uint64_t a, std::uint64_t b) {
    ++compared;
    return a < b;
  };
  const auto middle = numbers.begin() + 500'000;
  FewSteps few(640);
  const Status stopped = paced_select(&few, numbers.begin(), middle, numbers.end(), counted);
  BOOST_TEST((stopped.error().code == ErrorCode::resource_limit));
  BOOST_TEST(compared < 50'000U);
  compared = 0;
  FewSteps fewer(640);
  BOOST_TEST(!paced_least(&fewer, numbers.begin(), numbers.end(), counted));
  BOOST_TEST(compared < 50'000U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
