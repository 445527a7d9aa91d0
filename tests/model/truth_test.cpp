// Compares the oracle with the tables of the openCypher conformance suite (Comparison1 and 2,
// List5, StartsWith1, Boolean1 to 4).

#include "tests/model/truth.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <ostream>
#include <string>
#include <vector>

namespace cairn::test {
namespace {

struct Case {
  Value left;
  std::string operation;
  Value right;
  Truth expected;
};

void check(const std::vector<Case>& cases) {
  for (const Case& a : cases) {
    const Truth found = compare(a.left, a.operation, a.right);
    BOOST_TEST((found == a.expected), a.left.to_text()
                                          << " " << a.operation << " " << a.right.to_text());
  }
}

const Value none;
const Value nan = std::numeric_limits<double>::quiet_NaN();

Value list(std::initializer_list<Value> items) { return list_of(items); }

BOOST_AUTO_TEST_SUITE(truth)

BOOST_AUTO_TEST_CASE(lists_and_maps_are_equal_element_by_element) {
  check({
      {list({1, 2}), "=", list({1}), false},
      {list({none}), "=", list({1}), {}},
      {list({"a"}), "=", list({1}), false},
      {list({list({1})}), "=", list({list({1}), list({none})}), false},
      {list({list({1}), list({2})}), "=", list({list({1}), list({none})}), {}},
      {map_of({{"k", 1}}), "=", map_of({{"k", 1.0}}), true},
      {map_of({}), "=", map_of({{"k", none}}), false},
      {map_of({{"k", none}}), "=", map_of({{"k", none}}), {}},
      {map_of({{"k", 1}, {"l", none}}), "=", map_of({{"k", none}, {"l", 1}}), {}},
  });
}

BOOST_AUTO_TEST_CASE(only_values_of_one_kind_have_an_order) {
  check({
      {1, "<", 3.14, true},
      {"1", "<", 1, {}},
      {true, "<", 1, {}},
      {false, "<", true, true},
      {map_of({}), "<", map_of({}), {}},
      {list({1, 0}), ">=", list({1}), true},
      {list({1, none}), ">=", list({1}), true},
      {list({1, 2}), ">=", list({1, none}), {}},
      {list({1, "a"}), ">=", list({1, none}), {}},
      {list({1, 2}), ">=", list({3, none}), false},
  });
}

BOOST_AUTO_TEST_CASE(nan_is_neither_equal_nor_less_nor_greater) {
  check({{nan, "=", nan, false},
         {nan, "<>", nan, true},
         {nan, ">", 1, false},
         {nan, "<=", nan, false},
         {nan, ">", "a", {}}});
}

BOOST_AUTO_TEST_CASE(integers_and_floats_compare_exactly) {
  const std::int64_t two_to_53 = std::int64_t{1} << 53;
  const auto as_float = static_cast<double>(two_to_53);
  check({{two_to_53, "=", as_float, true},
         {two_to_53 + 1, "=", as_float, false},
         {two_to_53 + 1, ">", as_float, true},
         {std::numeric_limits<std::int64_t>::max(), "<", 9223372036854775808.0, true},
         {0.0, "=", -0.0, true}});
}

BOOST_AUTO_TEST_CASE(in_is_true_if_found_and_unknown_if_that_cannot_be_ruled_out) {
  check({{1, "IN", list({2, 1, none}), true},
         {3, "IN", list({2, none}), {}},
         {3, "IN", list({2}), false},
         {none, "IN", list({}), false},
         {none, "IN", list({1}), {}},
         {1, "IN", none, {}},
         {list({1, none}), "IN", list({list({1, 2})}), {}}});
}

BOOST_AUTO_TEST_CASE(text_predicates_are_unknown_for_what_is_no_string) {
  check({{"abc", "STARTS WITH", "ab", true},
         {"abc", "ENDS WITH", "bc", true},
         {"abc", "CONTAINS", "ac", false},
         {"abc", "CONTAINS", "", true},
         {1, "STARTS WITH", "1", {}},
         {"a", "ENDS WITH", none, {}}});
}

BOOST_AUTO_TEST_CASE(connectives_are_three_valued) {
  BOOST_TEST((conjunction({}, false) == Truth(false)));
  BOOST_TEST((conjunction({}, true) == Truth()));
  BOOST_TEST((disjunction({}, true) == Truth(true)));
  BOOST_TEST((disjunction({}, false) == Truth()));
  BOOST_TEST((exclusive({}, true) == Truth()));
  BOOST_TEST((exclusive(true, true) == Truth(false)));
  BOOST_TEST((negation({}) == Truth()));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace cairn::test
