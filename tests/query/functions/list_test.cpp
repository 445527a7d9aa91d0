#include "tests/query/functions/support.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace cairn;
using namespace cairn::query::test;

namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

}  // namespace

BOOST_AUTO_TEST_SUITE(list)

BOOST_AUTO_TEST_CASE(range_includes_both_ends_that_its_steps_reach) {
  check_calls({{"range", {0, 3}, "[0, 1, 2, 3]"},
               {"range", {-10, 10, 7}, "[-10, -3, 4]"},
               {"range", {10, -10, -7}, "[10, 3, -4]"},
               {"range", {0, 0, -1}, "[0]"},
               {"range", {0, 1, -1}, "[]"},
               {"range", {0, -1}, "[]"},
               {"range", {Value(), 1}, "null"},
               {"range", {2, 8, 0}, "error: invalid_argument"},
               {"range", {0.0, 4.0, 2.0}, "[0, 2, 4]"},
               {"range", {0, 1.5}, "error: type_error"}});
}

BOOST_AUTO_TEST_CASE(range_is_safe_at_the_ends_of_its_type) {
  check_calls(
      {{"range", {largest - 1, largest}, "[9223372036854775806, 9223372036854775807]"},
       {"range", {smallest, largest, largest}, "[-9223372036854775808, -1, 9223372036854775806]"},
       {"range", {largest, smallest, smallest}, "[9223372036854775807, -1]"},
       {"range", {smallest, largest}, "error: resource_limit"}});
}

BOOST_AUTO_TEST_CASE(parts_of_lists_are_null_or_empty_where_there_are_none) {
  const Value items = list_of({1, 2, 3});
  check_calls({{"head", {items}, "1"},
               {"last", {items}, "3"},
               {"tail", {items}, "[2, 3]"},
               {"head", {list_of({})}, "null"},
               {"last", {list_of({})}, "null"},
               {"tail", {list_of({})}, "[]"},
               {"head", {Vector({0.5F})}, "0.5"},
               {"head", {"text"}, "error: type_error"},
               {"tail", {Value()}, "null"}});
}

BOOST_AUTO_TEST_CASE(reverse_turns_lists_and_texts_round) {
  check_calls({{"reverse", {list_of({1, "a", Value()})}, "[null, 'a', 1]"},
               {"reverse", {"raksO"}, "'Oskar'"},
               {"reverse", {"aæ😀"}, "'😀æa'"},
               {"reverse", {1}, "error: type_error"}});
}

BOOST_AUTO_TEST_SUITE_END()
