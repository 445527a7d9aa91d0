#include "query/functions/value_semantics.hpp"
#include "tests/query/functions/support.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace cairn;
using namespace cairn::query;
using cairn::query::test::text_of;

namespace {

const Value null;
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

using Arithmetic = Result<Value> (*)(const Value&, const Value&);

struct Case {
  Arithmetic apply;
  Value a;
  Value b;
  std::string_view expected;
};

void check(std::initializer_list<Case> cases) {
  for (const auto& [apply, a, b, expected] : cases)
    BOOST_TEST_CONTEXT(a.to_text() << " and " << b.to_text())
  BOOST_TEST(text_of(apply(a, b)) == expected);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(arithmetic)

BOOST_AUTO_TEST_CASE(integers_stay_integers_and_floats_win) {
  check({{add, 1, 2, "3"},
         {add, 1, 2.0, "3.0"},
         {subtract, 1, 2, "-1"},
         {multiply, 3, 0.5, "1.5"},
         {divide, 7, 2, "3"},
         {divide, -7, 2, "-3"},
         {divide, 7, 2.0, "3.5"},
         {modulo, -7, 3, "-1"},
         {modulo, 7.5, 2, "1.5"},
         {power, 2, 3, "8.0"}});
}

BOOST_AUTO_TEST_CASE(an_integer_overflow_is_an_error) {
  check({{add, largest, 1, "error: invalid_argument"},
         {subtract, smallest, 1, "error: invalid_argument"},
         {multiply, largest, 2, "error: invalid_argument"},
         {divide, smallest, -1, "error: invalid_argument"},
         {modulo, smallest, -1, "0"},
         {add, static_cast<double>(largest), 1, "9223372036854775808.0"}});
  BOOST_TEST(text_of(negate(smallest)) == "error: invalid_argument");
  BOOST_TEST(add(largest, 1).error().message == "integer overflow: 9223372036854775807 + 1");
}

BOOST_AUTO_TEST_CASE(only_integers_cannot_be_divided_by_zero) {
  check({{divide, 1, 0, "error: invalid_argument"},
         {modulo, 1, 0, "error: invalid_argument"},
         {divide, 1.0, 0, "Infinity"},
         {divide, -1, 0.0, "-Infinity"},
         {divide, 0.0, 0.0, "NaN"},
         {modulo, 1.0, 0, "NaN"}});
}

BOOST_AUTO_TEST_CASE(null_makes_every_result_null) {
  for (Arithmetic apply : {add, subtract, multiply, divide, modulo, power})
    check({{apply, null, 1, "null"}, {apply, 1, null, "null"}});
  check({{add, list_of({1}), null, "null"}, {add, null, "text", "null"}});
  BOOST_TEST(text_of(negate(null)) == "null");
}

BOOST_AUTO_TEST_CASE(plus_joins_texts_and_what_reads_as_text) {
  check({{add, "a", "b", "'ab'"},
         {add, "a", 1, "'a1'"},
         {add, 1.5, "b", "'1.5b'"},
         {add, "a", true, "'atrue'"},
         {add, "a", Date{0}, "'a1970-01-01'"},
         {add, "a", map_of({}), "error: type_error"}});
}

BOOST_AUTO_TEST_CASE(plus_joins_lists_and_elements) {
  check({{add, list_of({1}), list_of({2, 3}), "[1, 2, 3]"},
         {add, list_of({1}), 2, "[1, 2]"},
         {add, 0, list_of({1}), "[0, 1]"},
         {add, "a", list_of({1}), "['a', 1]"},
         {add, list_of({1}), map_of({}), "[1, {}]"},
         {add, Vector({1.0F}), list_of({2}), "[1.0, 2]"}});
}

BOOST_AUTO_TEST_CASE(types_without_the_operator_are_named) {
  check({{add, true, 1, "error: type_error"},
         {subtract, "a", "b", "error: type_error"},
         {multiply, list_of({}), 2, "error: type_error"},
         {power, "2", 2, "error: type_error"}});
  BOOST_TEST(subtract("a", 1).error().message == "cannot compute string - integer: 'a' - 1");
  BOOST_TEST(text_of(negate("a")) == "error: type_error");
}

BOOST_AUTO_TEST_CASE(long_operands_are_cut_in_messages) {
  const auto result = subtract(std::string(1'000, 'x'), 1);
  BOOST_TEST(result.error().message.size() < 120U);
}

BOOST_AUTO_TEST_SUITE_END()

using namespace cairn::query::test;

BOOST_AUTO_TEST_SUITE(mathematical)

BOOST_AUTO_TEST_CASE(functions_give_floats_for_any_number) {
  check_calls({{"sqrt", {12.96}, "3.6"},
               {"sqrt", {9}, "3.0"},
               {"sqrt", {-1}, "NaN"},
               {"exp", {0}, "1.0"},
               {"log", {1}, "0.0"},
               {"ln", {1}, "0.0"},
               {"log", {0}, "-Infinity"},
               {"log10", {1'000}, "3.0"},
               {"ceil", {1.2}, "2.0"},
               {"ceiling", {-1.2}, "-1.0"},
               {"floor", {-1.2}, "-2.0"},
               {"sin", {0}, "0.0"},
               {"cos", {0}, "1.0"},
               {"tanh", {0}, "0.0"},
               {"atan2", {0, 1}, "0.0"},
               {"degrees", {call("pi", {}).value()}, "180.0"},
               {"radians", {0}, "0.0"},
               {"haversin", {0}, "0.0"},
               {"sqrt", {"4"}, "error: type_error"},
               {"sin", {Value()}, "null"}});
}

BOOST_AUTO_TEST_CASE(signs_and_absolute_values_keep_the_type) {
  check_calls({{"abs", {-1}, "1"},
               {"abs", {-1.5}, "1.5"},
               {"abs", {std::numeric_limits<std::int64_t>::min()}, "error: invalid_argument"},
               {"sign", {-2.5}, "-1"},
               {"sign", {0}, "0"},
               {"isNaN", {std::numeric_limits<double>::quiet_NaN()}, "true"},
               {"isNaN", {1}, "false"}});
}

BOOST_AUTO_TEST_CASE(round_takes_a_precision_and_a_mode) {
  check_calls({{"round", {2.5}, "3.0"},
               {"round", {-1.5}, "-1.0"},
               {"round", {0.49999999999999994}, "0.0"},
               {"round", {3}, "3.0"},
               {"round", {1.249, 1}, "1.2"},
               {"round", {1.249, 1, "UP"}, "1.3"},
               {"round", {-1.55, 1}, "-1.6"},
               {"round", {1.0, 1, "SIDEWAYS"}, "error: invalid_argument"},
               {"round", {1.0, 1.5}, "error: type_error"}});
}

BOOST_AUTO_TEST_SUITE_END()
