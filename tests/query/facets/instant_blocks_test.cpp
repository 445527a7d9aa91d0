#include "query/execute/filter/property_lookup.hpp"
#include "tests/support/value_generator.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

namespace cairn::query {

BOOST_AUTO_TEST_SUITE(instant_block)

BOOST_AUTO_TEST_CASE(blocks_follow_each_other_and_are_the_interval) {
  test::ValueGenerator random(test::test_seed());
  constexpr std::int64_t century = 3'155'760'000'000'000;
  for (int i = 0; i < 2'000; ++i) {
    InstantBlock interval;
    if (random.below(4) != 0)
      interval.first = static_cast<std::int64_t>(random.below(2 * century)) - century;
    if (random.below(4) != 0)
      interval.last = interval.first.value_or(0) + static_cast<std::int64_t>(random.below(century));
    const auto blocks = instant_blocks(interval);
    if (interval.first && interval.last && *interval.first >= *interval.last) {
      BOOST_TEST(blocks.empty());
      continue;
    }
    BOOST_REQUIRE(!blocks.empty());
    BOOST_TEST(blocks.size() < 120U);
    BOOST_TEST((blocks.front().first == interval.first));
    BOOST_TEST((blocks.back().last == interval.last));
    for (std::size_t at = 1; at < blocks.size(); ++at)
      BOOST_TEST((blocks[at].first == blocks[at - 1].last));
  }
}

BOOST_AUTO_TEST_CASE(the_ends_of_time_are_not_cut) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  BOOST_TEST(instant_blocks({least, most}).size() == 1U);
  BOOST_TEST(instant_blocks({std::nullopt, std::nullopt}).size() == 1U);
  BOOST_TEST(instant_blocks({5, 5}).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
