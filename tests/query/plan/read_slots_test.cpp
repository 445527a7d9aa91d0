#include "query/plan/logical_plan.hpp"
#include "tests/query/plan/support.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

namespace cairn::query {
namespace {

/// What is read behind the first Expand of a plan as the text says it, of its own slots.
std::string live(std::string_view statement) {
  const PlannedStatement planned(statement);
  const Pipeline& pipeline = planned.plan.branches.front();
  std::string text = "no step";
  for_each_read_behind(pipeline, [&](std::size_t i, const ReadSlots* slots) {
    const auto* const expand = std::get_if<Expand>(&pipeline.operators[i].content);
    if (expand == nullptr) return;
    const auto is_live = [&](Slot slot) { return slot < slots->size() && (*slots)[slot]; };
    text = slots == nullptr ? "all" : "";
    if (slots == nullptr) return;
    if (is_live(expand->walk.from)) text += "from ";
    if (is_live(expand->walk.pattern->slot)) text += "step ";
    if (is_live(expand->walk.to)) text += "to ";
  });
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(read_slots)

BOOST_AUTO_TEST_CASE(what_later_operators_read_is_live) {
  BOOST_TEST(live("MATCH (a)-[r:R]->(b) RETURN b.x") == "to ");
  BOOST_TEST(live("MATCH (a)-[r:R]->(b) RETURN count(*)") == "");
  BOOST_TEST(live("MATCH (a)-[r:R]->(b) WHERE r.x > a.x RETURN count(*)") == "from step ");
  BOOST_TEST(live("MATCH (a)-[r:R]->(b) RETURN b.x AS x ORDER BY a.y") == "from to ");
  BOOST_TEST(live("MATCH (a)-[r:R]->(b) RETURN a.x, sum(b.x)") == "from to ");
}

// The second step must not take the relationship of the first one again.
BOOST_AUTO_TEST_CASE(relationships_of_one_match_are_told_apart) {
  BOOST_TEST(live("MATCH (a)-[:R]->(b)-[:R]->(c) RETURN c.x") == "step to ");
  BOOST_TEST(live("MATCH (a)-[:R]->(b)-[:S]->(c) RETURN c.x") == "to ");
}

BOOST_AUTO_TEST_CASE(expressions_with_patterns_read_their_ends) {
  BOOST_TEST(live("MATCH (a)-[:R]->(b) WHERE EXISTS { (a)-[:S]->() } RETURN b.x") == "from to ");
  BOOST_TEST(live("MATCH (a)-[:R]->(b) RETURN [(a)-[:S]->(x) | x.y] AS l") == "from ");
}

BOOST_AUTO_TEST_CASE(what_is_not_known_reads_all) {
  BOOST_TEST(live("MATCH (a)-[r:R]->(b) OPTIONAL MATCH (b)-[:S]->(c) RETURN c.x") == "all");
  BOOST_TEST(live("MATCH (a)-[r:R]->(b) SET b.x = 1 RETURN b.x") == "all");
  BOOST_TEST(live("MATCH (a)-[r:R]->(b) CALL db.labels() YIELD label RETURN label") == "all");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
