// Array against std::vector, and what it has charged at each moment.
#include "engine/algorithm/array.hpp"

#include "tests/engine/algorithm/counted_limits.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace cairn::test {
namespace {

using Numbers = engine::Array<std::uint64_t>;

std::vector<std::uint64_t> content_of(const Numbers& array) { return {array.begin(), array.end()}; }

/// An array of 0, 1, 2, ...
Numbers counted(CountedLimits& limits, std::size_t count) {
  Numbers array = must(Numbers::of(limits, count));
  std::iota(array.begin(), array.end(), 0U);
  return array;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(charged_array)

BOOST_AUTO_TEST_CASE(its_memory_is_charged_while_it_lives) {
  CountedLimits limits;
  {
    Numbers array(limits);
    for (std::uint64_t i = 0; i < 1'000; ++i) {
      must(array.push_back(i));
      BOOST_TEST(limits.held >= array.size() * sizeof(i));
      BOOST_TEST(limits.held <= 2 * (array.size() + 16) * sizeof(i));
    }
    const std::size_t held = limits.held;
    array.clear();
    BOOST_TEST(limits.held == held);
  }
  BOOST_TEST(limits.held == 0U);
}

BOOST_AUTO_TEST_CASE(it_changes_like_a_vector) {
  CountedLimits limits;
  Numbers array(limits);
  must(array.grow(0));
  must(array.resize(0));
  BOOST_TEST(array.empty());
  must(array.resize(3, 7));
  must(array.grow(2));  // it has more already
  must(array.push_back(9));
  must(array.grow(6));
  BOOST_TEST(content_of(array) == std::vector<std::uint64_t>({7, 7, 7, 9, 0, 0}),
             boost::test_tools::per_element());
  array.truncate(4);
  array.pop_back();
  must(array.resize(4, 1));
  BOOST_TEST(content_of(array) == std::vector<std::uint64_t>({7, 7, 7, 1}),
             boost::test_tools::per_element());
}

// While values move to a larger block, both blocks are charged.
BOOST_AUTO_TEST_CASE(an_array_that_finds_no_room_stays_as_it_was) {
  CountedLimits limits;
  Numbers array = counted(limits, 100);
  const std::size_t held = limits.held;
  limits.most_bytes = held + 199 * sizeof(std::uint64_t);
  BOOST_TEST((array.grow(101).error().code == ErrorCode::resource_limit));
  BOOST_TEST(!array.push_back(1));
  BOOST_TEST(limits.held == held);
  BOOST_TEST(array.size() == 100U);
  BOOST_TEST(array[99] == 99U);
  limits.most_bytes = held + 200 * sizeof(std::uint64_t);
  BOOST_TEST(array.grow(101).has_value());
  BOOST_TEST(array[99] == 99U);
}

BOOST_AUTO_TEST_CASE(a_moved_array_is_charged_once) {
  CountedLimits limits;
  Numbers first = counted(limits, 10);
  const std::size_t held = limits.held;
  Numbers second = std::move(first);
  BOOST_TEST(limits.held == held);
  BOOST_TEST(second.size() == 10U);
  Numbers third = counted(limits, 20);
  third = std::move(second);
  BOOST_TEST(third.size() == 10U);
  BOOST_TEST(third[9] == 9U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
