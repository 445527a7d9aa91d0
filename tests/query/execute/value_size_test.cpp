#include "query/execute/holding.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::query {

BOOST_AUTO_TEST_SUITE(value_size)

BOOST_AUTO_TEST_CASE(long_texts_and_lists_count_what_they_hold) {
  BOOST_TEST(memory_bytes(Value(1)) == sizeof(Value));
  BOOST_TEST(memory_bytes(Value(std::string(1'000, 'x'))) >= 1'000U);
  BOOST_TEST(memory_bytes(Value(List(100))) >= 100 * sizeof(Value));
  Map map;
  map.emplace("key", List(100));
  BOOST_TEST(memory_bytes(Value(std::move(map))) >= 100 * sizeof(Value));
}

BOOST_AUTO_TEST_CASE(content_that_others_hold_too_is_theirs) {
  const Value first = List(100);
  const Value second = first;
  BOOST_TEST(memory_bytes(second) == sizeof(Value));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
