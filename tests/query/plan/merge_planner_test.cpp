#include "query/plan/planner.hpp"
#include "tests/query/plan/support.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::query {
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

}  // namespace cairn::query
