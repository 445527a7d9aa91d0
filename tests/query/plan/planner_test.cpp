#include "query/plan/planner.hpp"

#include "query/plan/pattern_layout.hpp"
#include "tests/query/plan/support.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::query {
namespace {

std::string operators(std::string_view statement) {
  return PlannedStatement(statement).operators();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(planner)

BOOST_AUTO_TEST_CASE(patterns_are_walked_as_they_are_written) {
  BOOST_TEST(operators("MATCH (a)-[:R]->(b)<-[s:S]-(c) RETURN a") ==
             "ScanNodes (a); Expand (a)-[:R]->(b); Expand (b)<-[s:S]-(c); Project a");
}

BOOST_AUTO_TEST_CASE(a_bound_end_is_where_a_walk_begins) {
  BOOST_TEST(operators("MATCH (b) MATCH (a)-[:R]->(b) RETURN a") ==
             "ScanNodes (b); Expand (b)<-[:R]-(a); Project a");
  BOOST_TEST(operators("MATCH (a), (b) MATCH (a)-[:R]->(b) RETURN a") ==
             "ScanNodes (a); ScanNodes (b); ExpandInto (a)-[:R]->(b); Project a");
}

BOOST_AUTO_TEST_CASE(a_bound_relationship_gives_its_ends) {
  BOOST_TEST(operators("MATCH ()-[r]->() WITH r MATCH (a)-[r]->(b) RETURN a") ==
             "ScanNodes (); Expand ()-[r]->(); Project r; FindEnds (a)-[r]->(b); Project a");
}

BOOST_AUTO_TEST_CASE(conditions_come_last) {
  BOOST_TEST(operators("MATCH (a)-->(b) WHERE a.x = 1 RETURN a") ==
             "ScanNodes (a); Expand (a)-[]->(b); Select a.x = 1; Project a");
}

BOOST_AUTO_TEST_CASE(lengths_and_shortest_paths_have_operators_of_their_own) {
  BOOST_TEST(operators("MATCH p = (a)-[:R*2..]->(b) RETURN p") ==
             "ScanNodes (a); ExpandVariable (a)-[:R*2..]->(b); BindPath p; Project p");
  BOOST_TEST(operators("MATCH p = shortestPath((a)-[:R*]->(b)) RETURN p") ==
             "ScanNodes (a); ScanNodes (b); FindShortest (a)-[:R*1..]->(b); BindPath p; Project p");
}

BOOST_AUTO_TEST_CASE(a_projection_sorts_skips_and_limits_in_this_order) {
  BOOST_TEST(operators("MATCH (a) RETURN a.x AS x ORDER BY a.y SKIP 1 LIMIT 2") ==
             "ScanNodes (a); Project a.x AS x; Sort a.y; Skip 1; Limit 2; TrimColumns");
  BOOST_TEST(operators("MATCH (a) RETURN DISTINCT a.x AS x ORDER BY x") ==
             "ScanNodes (a); Project a.x AS x; Distinct; Sort x");
  BOOST_TEST(
      operators("MATCH (a) WITH a.x AS x, count(*) AS c WHERE c > 1 RETURN x") ==
      "ScanNodes (a); Aggregate count(*) by a.x; Project a.x AS x, count(*) AS c; Select c > 1; "
      "Project x");
}

BOOST_AUTO_TEST_CASE(writing_clauses_follow_each_other) {
  BOOST_TEST(operators("MATCH (a) CREATE (a)-[:R]->(b) SET b.x = 1 DETACH DELETE a") ==
             "ScanNodes (a); Create 2 nodes; Set; DetachDelete");
}

BOOST_AUTO_TEST_CASE(each_part_of_a_union_is_a_pipeline) {
  const PlannedStatement planned("RETURN 1 AS x UNION RETURN 2 AS x");
  BOOST_TEST(planned.plan.branches.size() == 2U);
  BOOST_TEST(planned.plan.distinct);
  BOOST_TEST(!PlannedStatement("RETURN 1 AS x UNION ALL RETURN 2 AS x").plan.distinct);
}

BOOST_AUTO_TEST_CASE(a_search_comes_before_the_pattern_that_goes_on_from_it) {
  BOOST_TEST(
      operators("MATCH (m:M)-->(x) SEARCH m IN (VECTOR INDEX i FOR [1.0] LIMIT 2) SCORE AS s "
                "RETURN x") ==
      "SearchVectors m in i limit 2, check _:M; Expand (m)-[]->(x); LateFilterWarning; Project x");
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

const MergePattern& merge_of(const PlannedStatement& planned) {
  for (const Operator& one : planned.plan.branches[0].operators)
    if (const auto* merge = std::get_if<MergePattern>(&one.content)) return *merge;
  throw std::runtime_error("no MERGE in the plan");
}

std::string match_of(const PlannedStatement& planned) {
  std::string line;
  const Pipeline& match = merge_of(planned).match;
  for (const Operator& one : match.operators)
    line += (line.empty() ? "" : "; ") +
            describe(one, planned.text, names_of(match.patterns.begin()->second));
  return line;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(merge_planner)

BOOST_AUTO_TEST_CASE(labels_and_properties_become_conditions) {
  BOOST_TEST(match_of(PlannedStatement("MERGE (a:A {x: 1})")) ==
             "ScanNodes (a); Select a:A AND a.x = 1");
  BOOST_TEST(match_of(PlannedStatement("MERGE (a)-[r:R {w: 2}]->(b)")) ==
             "ScanNodes (a); Expand (a)-[r:R]->(b); Select r.w = 2");
}

BOOST_AUTO_TEST_CASE(bound_ends_are_not_looked_for) {
  BOOST_TEST(match_of(PlannedStatement("MATCH (a), (b) MERGE (a)-[:R]->(b)")) ==
             "ExpandInto (a)-[:R]->(b)");
}

BOOST_AUTO_TEST_CASE(every_property_has_a_slot_of_its_own) {
  const PlannedStatement planned("MERGE (a {x: 1, y: 2})-[r:R {z: 3}]->(b {x: 4})");
  const MergePattern& merge = merge_of(planned);
  SlotSet slots;
  for (const auto& properties : merge.node_properties)
    for (const auto& property : properties) slots.insert(property.slot);
  for (const auto& properties : merge.relationship_properties)
    for (const auto& property : properties) slots.insert(property.slot);
  BOOST_TEST(slots.size() == 4U);
  BOOST_TEST(*slots.rbegin() < planned.plan.branches[0].operators[0].width);
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

const std::vector<Clause>& clauses_of(const PlannedStatement& planned) {
  return std::get<Query>(planned.bound.content).parts[0].clauses;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(row_widths)

BOOST_AUTO_TEST_CASE(a_row_is_as_long_as_its_part_needs) {
  const PlannedStatement planned("MATCH (a)-[r]->(b) WITH a RETURN a");
  const std::span<const Clause> clauses = clauses_of(planned);
  BOOST_TEST(row_width(clauses).visible >= 3U);
  BOOST_TEST(row_width(clauses.subspan(2)).visible >= 1U);
  BOOST_TEST(row_width(clauses.subspan(2)).visible < row_width(clauses).visible);
}

BOOST_AUTO_TEST_CASE(merge_keeps_a_slot_for_each_property) {
  const PlannedStatement planned("MERGE (a {x: 1, y: 2})-[r:R {z: 3}]->(b) RETURN a");
  BOOST_TEST(row_width(clauses_of(planned)).merge_slots == 3U);
}

BOOST_AUTO_TEST_CASE(operators_of_a_part_have_rows_of_one_length) {
  const PlannedStatement planned("MATCH (a) MATCH (b) UNWIND [1, 2] AS x CREATE (c) RETURN c");
  const auto& operators = planned.plan.branches[0].operators;
  for (std::size_t i = 0; i + 1 < operators.size(); ++i)
    BOOST_TEST(operators[i].width == operators[0].width);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
