#include "tests/query/functions/support.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

using namespace cairn;
using namespace cairn::query;
using namespace cairn::query::test;

BOOST_AUTO_TEST_SUITE(scalar)

BOOST_AUTO_TEST_CASE(coalesce_gives_the_first_value_that_is_not_null) {
  check_calls({{"coalesce", {Value(), Value(), 3, 4}, "3"}, {"coalesce", {Value()}, "null"}});
}

BOOST_AUTO_TEST_CASE(size_counts_elements_code_points_and_entries) {
  check_calls({{"size", {list_of({1, Value(), 3})}, "3"},
               {"size", {"hællo"}, "5"},
               {"size", {Vector({1.0F, 2.0F})}, "2"},
               {"size", {map_of({{"a", 1}})}, "1"},
               {"size", {Value()}, "null"},
               {"size", {1}, "error: type_error"},
               {"isEmpty", {""}, "true"},
               {"isEmpty", {list_of({1})}, "false"}});
}

BOOST_AUTO_TEST_CASE(a_clean_map_has_no_empty_entries_and_none_that_are_named) {
  const Value map = map_of({{"a", 1}, {"b", Value()}, {"c", ""}, {"d", "x"}, {"e", list_of({1})}});
  check_calls({{"apoc.map.clean", {map, List(), List()}, "{a: 1, d: 'x', e: [1]}"},
               {"apoc.map.clean", {map, list_of({"a", "z"}), List()}, "{d: 'x', e: [1]}"},
               {"apoc.map.clean", {map, List(), list_of({"x", list_of({1})})}, "{a: 1}"},
               {"apoc.map.clean", {Value(), List(), List()}, "null"},
               {"apoc.map.clean", {map, "a", List()}, "error: type_error"},
               {"apoc.map.clean", {1, List(), List()}, "error: type_error"}});
}

BOOST_AUTO_TEST_CASE(null_if_compares_as_the_language_does) {
  check_calls({{"nullIf", {1, 1.0}, "null"},
               {"nullIf", {1, 2}, "1"},
               {"nullIf", {1, Value()}, "1"},
               {"exists", {Value()}, "false"},
               {"exists", {1}, "true"}});
}

BOOST_AUTO_TEST_CASE(types_are_named_as_neo4j_names_them) {
  check_calls(
      {{"valueType", {Value()}, "'NULL'"},
       {"valueType", {1}, "'INTEGER NOT NULL'"},
       {"valueType", {DateTime{}}, "'ZONED DATETIME NOT NULL'"},
       {"valueType", {list_of({1, "a", 2})}, "'LIST<INTEGER NOT NULL | STRING NOT NULL> NOT NULL'"},
       {"valueType", {list_of({})}, "'LIST<NOTHING> NOT NULL'"}});
}

BOOST_AUTO_TEST_CASE(a_statement_has_one_clock) {
  FunctionContext context;
  context.now = 1'700'000'000'123'456;
  BOOST_TEST(text_of(call("timestamp", {}, context)) == "1700000000123");
}

BOOST_AUTO_TEST_CASE(chance_repeats_with_the_seed_and_differs_from_draw_to_draw) {
  FunctionContext first;
  FunctionContext second;
  first.seed = second.seed = 42;
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const auto number = call("rand", {}, first);
    BOOST_TEST((number->as_float() >= 0 && number->as_float() < 1));
    BOOST_TEST(text_of(number) == text_of(call("rand", {}, second)));
    seen.insert(text_of(number));
  }
  BOOST_TEST(seen.size() == 100U);
}

BOOST_AUTO_TEST_CASE(a_random_uuid_is_of_version_4) {
  const std::string uuid = call("randomUUID", {})->as_string();
  BOOST_TEST(uuid.size() == 36U);
  BOOST_TEST(uuid[14] == '4');
  BOOST_TEST(std::string("89ab").find(uuid[19]) != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
