#include "query/plan/cardinality.hpp"

#include "engine/database/access.hpp"
#include "tests/query/plan/support.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::query {
namespace {

std::optional<Value> value_of_literal(const Expression& expression) {
  return expression.kind == ExpressionKind::literal ? std::optional(expression.value)
                                                    : std::nullopt;
}

// 100 nodes :A with x from 0 to 9 and y from 0 to 99; every tenth knows the next one.
struct Fixture {
  Fixture() {
    test::run_all(*database, {"UNWIND range(0, 99) AS i CREATE (:A {x: i % 10, y: i})",
                              "MATCH (a:A), (b:A) WHERE a.y % 10 = 0 AND b.y = a.y + 1 "
                              "CREATE (a)-[:KNOWS]->(b)"});
    snapshot.emplace(test::must(database->snapshot()));
    view = Access::view(*snapshot);
    statistics.emplace(*view, engine::Visibility{}, value_of_literal, false);
  }

  // Rows expected of "MATCH (n) WHERE <condition>".
  double rows(const std::string& condition) {
    const PlannedStatement planned("MATCH (n) WHERE " + condition + " RETURN n");
    const auto& match =
        std::get<MatchClause>(std::get<Query>(planned.bound.content).parts[0].clauses[0]);
    std::vector<const Expression*> conjuncts;
    for (const ExpressionPtr& conjunct : match.conjuncts) conjuncts.push_back(conjunct.get());
    FilterPlan plan = plan_filter(match.paths[0].nodes[0].slot, codec::EntityKind::node, conjuncts);
    test::must(statistics->estimate(plan));
    return plan.rows;
  }

  test::TemporaryDatabase database;
  std::optional<Snapshot> snapshot;
  std::shared_ptr<const engine::View> view;
  std::optional<Statistics> statistics;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(cardinality, Fixture)

BOOST_AUTO_TEST_CASE(single_conditions_are_known_from_the_index) {
  BOOST_TEST(test::must(statistics->total(codec::EntityKind::node)) == 100);
  BOOST_TEST(rows("n:A") == 100);
  BOOST_TEST(rows("n.x = 3") == 10);
  BOOST_TEST(rows("n.y < 25") == 25);
  BOOST_TEST(rows("n.x <> 3") == 90);
  BOOST_TEST(rows("n.z = 1") == 0);
  BOOST_TEST(rows("n.z IS NULL") == 100);
  BOOST_TEST(rows("NOT n:A") == 0);
}

// M0.31, M1.16: bounds of a filter's range are asked of the index, not taken for everything
BOOST_AUTO_TEST_CASE(ranges_of_filters_are_known_from_the_index) {
  const std::string plan =
      test::plan_of(*database, "EXPLAIN MATCH (n:A) WHERE filter.between(n.y, [10, 19]) RETURN n");
  BOOST_TEST(plan.find("~10\n") != std::string::npos, plan);
  test::run_all(*database, {"UNWIND range(1, 50) AS i CREATE (:D {d: '2020-01-' + "
                            "right('0' + toString(i % 28 + 1), 2)})"});
  snapshot.emplace(test::must(database->snapshot()));
  view = Access::view(*snapshot);
  statistics.emplace(*view, engine::Visibility{}, value_of_literal, false);
  BOOST_TEST(rows("filter.since(n.d, '2020-01-28')") < 10);
  BOOST_TEST(rows("filter.until(n.d, '2020-01-02')") < 10);
  BOOST_TEST(rows("filter.until(n.d, '2019-01-02')") == 0);
}

BOOST_AUTO_TEST_CASE(an_intersection_is_smaller_than_its_parts_but_not_by_their_product) {
  const double both = rows("n.x = 3 AND n.y < 25");
  BOOST_TEST(both < 10);
  BOOST_TEST(both > 2.5);
}

BOOST_AUTO_TEST_CASE(a_union_is_larger_than_its_parts) {
  const double either = rows("n.x = 3 OR n.y < 25");
  BOOST_TEST(either > 25);
  BOOST_TEST(either <= 35);
}

BOOST_AUTO_TEST_CASE(degrees_are_averages_over_all_nodes) {
  const PlannedStatement planned("MATCH (a)-[:KNOWS]->(b)-[:KNOWS]-(c)-[:NEVER]->(d) RETURN a");
  const auto& match =
      std::get<MatchClause>(std::get<Query>(planned.bound.content).parts[0].clauses[0]);
  const auto& steps = match.paths[0].relationships;
  BOOST_TEST(test::must(statistics->degree(steps[0])) == 0.1);
  BOOST_TEST(test::must(statistics->degree(steps[1])) == 0.2);
  BOOST_TEST(test::must(statistics->degree(steps[2])) == 0);
}

BOOST_AUTO_TEST_CASE(paths_of_many_steps_are_expected_without_an_upper_bound) {
  test::run_all(*database, {"MATCH (a:A), (b:A) WHERE b.y = (a.y + 1) % 100 "
                            "CREATE (a)-[:RING]->(b)"});
  const std::string plan =
      test::plan_of(*database, "EXPLAIN MATCH (a:A)-[:RING*5..]->(b) RETURN b");
  BOOST_TEST(plan.find("~0\n") == std::string::npos, plan);
}

BOOST_AUTO_TEST_CASE(more_paths_than_a_number_can_count_are_a_number) {
  test::run_all(*database, {"MATCH (a:A), (b:A) CREATE (a)-[:ALL]->(b)"});
  for (const char* steps : {"*2000..", "*2000..2001"}) {
    const std::string plan = test::plan_of(
        *database, std::string("EXPLAIN MATCH (a:A)-[:ALL") + steps + "]->(b) RETURN b");
    BOOST_TEST(plan.find("inf") == std::string::npos, plan);
    BOOST_TEST(plan.find("nan") == std::string::npos, plan);
  }
  std::string path = "(:A)";
  for (int i = 0; i < 20; ++i) path += "-[:ALL*2000..2001]->()";
  const std::string plan = test::plan_of(*database, "EXPLAIN MATCH " + path + " RETURN 1 LIMIT 3");
  BOOST_TEST(plan.find("inf") == std::string::npos, plan);
  BOOST_TEST(plan.find("nan") == std::string::npos, plan);
}

BOOST_AUTO_TEST_CASE(rows_are_followed_through_a_pipeline) {
  PlannedStatement planned("MATCH (a)-[:KNOWS]->(b) RETURN a LIMIT 3");
  Pipeline& pipeline = planned.plan.branches[0];
  test::must(statistics->estimate(pipeline));
  BOOST_TEST(pipeline.operators[0].rows == 100);
  BOOST_TEST(pipeline.operators[1].rows == 10, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(pipeline.operators.back().rows == 3, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
