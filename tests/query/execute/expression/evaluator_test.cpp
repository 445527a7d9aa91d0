// Tables of expressions, on the left, and their values, on the right.

#include "query/execute/expression/evaluator.hpp"

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

struct Fixture {
  void check(const std::vector<std::pair<std::string, std::string>>& table) {
    for (const auto& [expression, wanted] : table) BOOST_TEST_CONTEXT(expression)
    BOOST_TEST(result_of(*database, "RETURN " + expression + " AS x", parameters) == wanted);
  }
  ErrorCode code_of(const std::string& expression) {
    return error_of(*database, "RETURN " + expression + " AS x", parameters).code;
  }
  // The binder does not know the types of parameters, so the evaluator checks them.
  Parameters parameters{{"null", nullptr},
                        {"one", 1},
                        {"text", "abc"},
                        {"list", List{1, 2, 3}},
                        {"map", Map{{"a", 1}, {"b", nullptr}}},
                        {"yes", true}};
  TemporaryDatabase database;
};

const std::pair<const char*, std::optional<bool>> truths[] = {
    {"true", true}, {"false", false}, {"null", std::nullopt}};

std::string text_of(std::optional<bool> truth) {
  return truth ? (*truth ? "true" : "false") : "null";
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(evaluator, Fixture)

BOOST_AUTO_TEST_CASE(and_or_and_xor_have_three_values) {
  for (const auto& [left, a] : truths)
    for (const auto& [right, b] : truths) {
      const std::string l = left;
      const std::string r = right;
      const bool is_known = a && b;
      const bool has_false = a == std::optional(false) || b == std::optional(false);
      const bool has_true = a == std::optional(true) || b == std::optional(true);
      check({
          {l + " AND " + r, has_false  ? "false"
                            : is_known ? "true"
                                       : "null"},
          {l + " OR " + r, has_true   ? "true"
                           : is_known ? "false"
                                      : "null"},
          {l + " XOR " + r, is_known ? text_of(*a != *b) : "null"},
      });
    }
  check({{"NOT true", "false"}, {"NOT null", "null"}, {"true XOR true XOR true", "true"}});
}

BOOST_AUTO_TEST_CASE(the_first_decisive_operand_ends_a_chain) {
  check({{"$one = 2 AND 1 / 0 = 1", "false"}, {"$one = 1 OR 1 / 0 = 1", "true"}});
  BOOST_TEST((code_of("$one = 1 AND 1 / 0 = 1") == ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_CASE(what_is_no_condition_is_refused) {
  for (const char* expression : {"NOT $one", "$one AND true", "$text OR false", "$list XOR true"})
    BOOST_TEST_CONTEXT(expression)
  BOOST_TEST((code_of(expression) == ErrorCode::type_error));
}

BOOST_AUTO_TEST_CASE(comparisons_of_what_cannot_be_compared_are_unknown) {
  check({
      {"$one < 'a'", "null"},
      {"$one = 'a'", "false"},
      {"$one <> 'a'", "true"},
      {"$null = $null", "null"},
      {"$null <> 1", "null"},
      {"$one < $null", "null"},
      {"[1, 2] < [1, 3]", "true"},
      {"[1, null] = [1, 2]", "null"},
      {"[1, null] = [2, null]", "false"},
      {"0.0 / 0.0 = 0.0 / 0.0", "false"},
      {"0.0 / 0.0 < $one", "false"},
      {"0.0 / 0.0 >= $one", "false"},
      {"0.0 / 0.0 > 'a'", "null"},
      {"1 < $one + 1 <= 2", "true"},
      {"$one = 1.0", "true"},
  });
}

BOOST_AUTO_TEST_CASE(membership_is_equality_with_an_element) {
  check({
      {"2 IN $list", "true"},
      {"4 IN $list", "false"},
      {"$null IN $list", "null"},
      {"4 IN $list + [null]", "null"},
      {"2 IN $list + [null]", "true"},
      {"$null IN []", "false"},
      {"2 IN $null", "null"},
      {"[1] IN [[1], 2]", "true"},
  });
  BOOST_TEST((code_of("1 IN $text") == ErrorCode::type_error));
}

BOOST_AUTO_TEST_CASE(tests_of_texts_need_texts) {
  check({
      {"$text STARTS WITH 'ab'", "true"},
      {"$text ENDS WITH 'bc'", "true"},
      {"$text CONTAINS 'b'", "true"},
      {"$text CONTAINS ''", "true"},
      {"$one STARTS WITH 'a'", "null"},
      {"$text CONTAINS $null", "null"},
      {"$text =~ 'a.c'", "true"},
      {"$text =~ 'b'", "false"},
      {"$null =~ 'b'", "null"},
  });
}

BOOST_AUTO_TEST_CASE(presence_is_always_known) {
  check({{"$null IS NULL", "true"}, {"$one IS NULL", "false"}, {"$null IS NOT NULL", "false"}});
}

BOOST_AUTO_TEST_CASE(signs_and_concatenation_need_the_right_types) {
  check({
      {"-$one", "-1"},
      {"+$one", "1"},
      {"-$null", "null"},
      {"$text || 'd'", "'abcd'"},
      {"$list || [4]", "[1, 2, 3, 4]"},
      {"$text || $null", "null"},
  });
  BOOST_TEST((code_of("+$text") == ErrorCode::type_error));
  BOOST_TEST((code_of("$one || $one") == ErrorCode::type_error));
}

BOOST_AUTO_TEST_CASE(parts_of_values_are_read) {
  check({
      {"$map.a", "1"},
      {"$map.b", "null"},
      {"$map.unknown", "null"},
      {"$null.a", "null"},
      {"$map['a']", "1"},
      {"$list[0]", "1"},
      {"$list[-1]", "3"},
      {"$list[9]", "null"},
      {"$list[1..]", "[2, 3]"},
      {"$list[..-1]", "[1, 2]"},
      {"$list[0..$null]", "null"},
      {"date('2024-05-06').month", "5"},
  });
  BOOST_TEST((code_of("$one.a") == ErrorCode::type_error));
  BOOST_TEST((code_of("$list['a']") == ErrorCode::type_error));
}

BOOST_AUTO_TEST_CASE(lists_and_maps_are_made) {
  check({
      {"[1, $text, $null]", "[1, 'abc', null]"},
      {"{b: 1, a: $list}", "{a: [1, 2, 3], b: 1}"},
  });
}

BOOST_AUTO_TEST_CASE(cases_take_the_first_that_is_true) {
  check({
      {"CASE WHEN $null THEN 1 WHEN $yes THEN 2 ELSE 3 END", "2"},
      {"CASE WHEN false THEN 1 END", "null"},
      {"CASE $one WHEN 2 THEN 'two' WHEN 1 THEN 'one' END", "'one'"},
      {"CASE $null WHEN null THEN 1 ELSE 2 END", "2"},
      {"CASE WHEN true THEN 1 ELSE 1 / 0 END", "1"},
  });
}

BOOST_AUTO_TEST_CASE(comprehensions_filter_and_project) {
  check({
      {"[x IN $list WHERE x > 1]", "[2, 3]"},
      {"[x IN $list | x * $one]", "[1, 2, 3]"},
      {"[x IN $list WHERE x % 2 = 1 | [y IN $list WHERE y < x | y]]", "[[], [1, 2]]"},
      {"[x IN $null | x]", "null"},
      {"[x IN [1, null] WHERE x IS NULL]", "[null]"},
  });
  BOOST_TEST((code_of("[x IN $one | x]") == ErrorCode::type_error));
}

BOOST_AUTO_TEST_CASE(quantifiers_have_three_values) {
  check({
      {"all(x IN [] WHERE x > 0)", "true"},
      {"all(x IN $list WHERE x > 0)", "true"},
      {"all(x IN [1, null] WHERE x > 0)", "null"},
      {"all(x IN [0, null] WHERE x > 0)", "false"},
      {"any(x IN $list WHERE x > 2)", "true"},
      {"any(x IN [null] WHERE x > 2)", "null"},
      {"any(x IN [] WHERE x > 2)", "false"},
      {"none(x IN $list WHERE x > 3)", "true"},
      {"none(x IN [null, 4] WHERE x > 3)", "false"},
      {"none(x IN [null] WHERE x > 3)", "null"},
      {"single(x IN $list WHERE x > 2)", "true"},
      {"single(x IN $list WHERE x > 1)", "false"},
      {"single(x IN [3, null] WHERE x > 1)", "null"},
      {"single(x IN [] WHERE x > 1)", "false"},
      {"any(x IN $null WHERE x > 2)", "null"},
  });
}

BOOST_AUTO_TEST_CASE(reduce_carries_its_value) {
  check({
      {"reduce(s = 0, x IN $list | s + x)", "6"},
      {"reduce(s = 'a', x IN [] | s + x)", "'a'"},
      {"reduce(s = 0, x IN $null | s + x)", "null"},
      {"reduce(s = 0, x IN [[1, 2], [3]] | s + reduce(t = 0, y IN x | t + y))", "6"},
  });
}

BOOST_AUTO_TEST_CASE(random_numbers_differ_within_a_statement) {
  check({{"rand() <> rand()", "true"}});
  BOOST_TEST(
      result_of(*database, "UNWIND range(1, 50) AS i WITH rand() AS r RETURN count(DISTINCT r)") ==
      "50");
}

BOOST_AUTO_TEST_CASE(labels_are_read_of_nodes_and_types_of_relationships) {
  run_all(*database, {"CREATE (:A:B)-[:R]->(:C)"});
  BOOST_TEST(result_of(*database, "MATCH (a:A)-[r]->(c) RETURN a:B, a:C, r:R, r:S, c:B, a:A&B") ==
             "true | false | true | false | false | true");
  BOOST_TEST(result_of(*database, "OPTIONAL MATCH (x:Nobody) RETURN x:A, x.a") == "null | null");
}

BOOST_AUTO_TEST_CASE(properties_are_read_by_computed_names) {
  run_all(*database, {"CREATE (:A {x: 1, y: 2})-[:R {z: 3}]->()"});
  BOOST_TEST(result_of(*database,
                       "MATCH (a:A)-[r]->() RETURN a['x'], r['z'], a[$null], a {.x, r: r.z}",
                       parameters) == "1 | 3 | null | {r: 3, x: 1}");
  BOOST_TEST(result_of(*database, "MATCH (a:A) RETURN a {.*, z: 0}") == "{x: 1, y: 2, z: 0}");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
