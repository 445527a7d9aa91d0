#include "query/plan/expression_traits.hpp"

#include "tests/query/plan/support.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::query {
namespace {

// The expression of the only column of "MATCH (a), (b) RETURN <expression>".
struct Bound {
  explicit Bound(const std::string& expression)
      : planned("MATCH (a), (b) RETURN " + expression + " AS x") {
    const auto& clauses = std::get<Query>(planned.bound.content).parts[0].clauses;
    const auto& paths = std::get<MatchClause>(clauses[0]).paths;
    a = paths[0].nodes[0].slot;
    b = paths[1].nodes[0].slot;
    content = std::get<ProjectClause>(clauses[1]).items[0].expression.get();
  }
  PlannedStatement planned;
  const Expression* content = nullptr;
  Slot a = 0;
  Slot b = 0;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(expression_traits)

BOOST_AUTO_TEST_CASE(variables_are_free_but_not_the_local_ones) {
  const Bound plain("a.x + b.y");
  BOOST_TEST((free_slots(*plain.content) == SlotSet{plain.a, plain.b}));
  const Bound local("[x IN [1, 2] WHERE x > a.x | x * 2]");
  BOOST_TEST((free_slots(*local.content) == SlotSet{local.a}));
  const Bound quantified("all(x IN b.list WHERE x > 1)");
  BOOST_TEST((free_slots(*quantified.content) == SlotSet{quantified.b}));
  const Bound reduced("reduce(s = 0, x IN [1] | s + x)");
  BOOST_TEST(free_slots(*reduced.content).empty());
}

BOOST_AUTO_TEST_CASE(patterns_read_the_variables_that_they_start_from) {
  const Bound pattern("exists { (a)-[r]->(c) WHERE c.x > r.y }");
  BOOST_TEST((free_slots(*pattern.content) == SlotSet{pattern.a}));
  const Bound list("[(a)-->(c) WHERE c.x = b.x | c.x]");
  BOOST_TEST((free_slots(*list.content) == SlotSet{list.a, list.b}));
}

BOOST_AUTO_TEST_CASE(later_parts_of_a_subquery_have_rows_of_their_own) {
  const Bound subquery("count { MATCH (a)-->(c) WITH c.x AS y WHERE y > 1 RETURN y }");
  BOOST_TEST((free_slots(*subquery.content) == SlotSet{subquery.a}));
}

BOOST_AUTO_TEST_CASE(what_a_subquery_sorts_and_filters_by_is_read) {
  const Bound sorted(
      "COLLECT { MATCH (c) RETURN c.x AS y ORDER BY y - b.x, abs(c.x - a.x) LIMIT 1 }");
  BOOST_TEST((free_slots(*sorted.content) == SlotSet{sorted.a, sorted.b}));
  const Bound yielded("exists { CALL db.labels() YIELD label WHERE label = b.x RETURN label }");
  BOOST_TEST((free_slots(*yielded.content) == SlotSet{yielded.b}));
}

BOOST_AUTO_TEST_CASE(random_numbers_anywhere_in_a_subquery_are_not_deterministic) {
  for (const char* rest :
       {"RETURN c.x ORDER BY rand()", "RETURN c.x LIMIT toInteger(rand() * 9)",
        "WITH c WHERE rand() < 0.5 RETURN c.x", "RETURN count(c) + rand()", "WITH c RETURN rand()",
        "WITH c MATCH (c)-->(d) WHERE rand() < 1 RETURN d",
        "WITH c RETURN COLLECT { MATCH (d) RETURN d.x ORDER BY rand() }"})
    BOOST_TEST(!is_deterministic(*Bound("COLLECT { MATCH (c) " + std::string(rest) + " }").content),
               rest);
  BOOST_TEST(is_deterministic(
      *Bound("COLLECT { MATCH (c) WITH c WHERE c.x < 1 RETURN c.x ORDER BY abs(c.x) }").content));
}

BOOST_AUTO_TEST_CASE(random_numbers_are_not_deterministic) {
  BOOST_TEST(is_deterministic(*Bound("a.x + abs(-1)").content));
  BOOST_TEST(!is_deterministic(*Bound("a.x + rand()").content));
}

BOOST_AUTO_TEST_CASE(property_paths_are_read_from_the_variable_on) {
  const Bound nested("a.x.y");
  const auto path = property_path(*nested.content);
  BOOST_REQUIRE(path.has_value());
  BOOST_TEST(path->slot == nested.a);
  BOOST_TEST((path->keys == std::vector<std::string>{"x", "y"}));
  BOOST_TEST(!property_path(*Bound("{x: 1}.x").content));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
