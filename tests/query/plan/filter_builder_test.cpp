#include "tests/query/plan/support.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::query {
namespace {

// Returns the index filter of WHERE `condition` on n as one line, with nesting as parentheses. Conditions that no index
// answers follow after "left:".
std::string filter(const std::string& condition) {
  const PlannedStatement planned("MATCH (n) WHERE " + condition + " RETURN n");
  const auto& match =
      std::get<MatchClause>(std::get<Query>(planned.bound.content).parts[0].clauses[0]);
  std::vector<const Expression*> conjuncts;
  for (const ExpressionPtr& conjunct : match.conjuncts) conjuncts.push_back(conjunct.get());
  const FilterPlan plan =
      plan_filter(match.paths[0].nodes[0].slot, codec::EntityKind::node, conjuncts);
  std::string text;
  std::size_t depth = 0;
  for (const FilterLine& line : describe(plan, "n", planned.text)) {
    if (!text.empty()) text += line.depth > depth ? " (" : line.depth < depth ? "), " : ", ";
    text += line.text;
    depth = line.depth;
  }
  text += std::string(depth, ')');
  return conjuncts.empty() ? text : text + " left: " + std::to_string(conjuncts.size());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(filter_builder)

BOOST_AUTO_TEST_CASE(each_kind_of_condition_has_its_leaf) {
  BOOST_TEST(filter("n:A") == "n:A");
  BOOST_TEST(filter("n.p = 1") == "n.p = 1");
  BOOST_TEST(filter("1 = n.p") == "n.p = 1");
  BOOST_TEST(filter("n.p IN $list") == "n.p in $list");
  BOOST_TEST(filter("$x IN n.p") == "$x in n.p");
  BOOST_TEST(filter("n.p STARTS WITH 'a'") == "n.p starts with 'a'");
  BOOST_TEST(filter("n.p IS NOT NULL") == "n.p is there");
  BOOST_TEST(filter("n.a.b.c = 1") == "n.a.b.c = 1");
  BOOST_TEST(filter("id(n) = 4") == "id(n) = 4");
  BOOST_TEST(filter("n.flag") == "n.flag");
}

BOOST_AUTO_TEST_CASE(comparisons_take_either_side) {
  BOOST_TEST(filter("n.p > 1") == "1 < n.p");
  BOOST_TEST(filter("1 > n.p") == "n.p < 1");
  BOOST_TEST(filter("n.p <= 1") == "n.p <= 1");
}

BOOST_AUTO_TEST_CASE(two_ends_of_a_range_become_one_scan) {
  BOOST_TEST(filter("1 <= n.p < 5") == "1 <= n.p < 5");
  BOOST_TEST(filter("n.p > 1 AND n.q = 2 AND n.p < 5") == "intersect (1 < n.p < 5, n.q = 2)");
  BOOST_TEST(filter("n.q = 1 OR (n.p > 1 AND n.p < 5)") ==
             "unite (n.q = 1, intersect (1 < n.p < 5))");
}

BOOST_AUTO_TEST_CASE(negations_go_down_to_the_leaves) {
  BOOST_TEST(filter("NOT n.p = 1") == "not n.p = 1");
  BOOST_TEST(filter("n.p <> 1") == "not n.p = 1");
  BOOST_TEST(filter("NOT n.p <> 1") == "n.p = 1");
  BOOST_TEST(filter("n.p IS NULL") == "not n.p is there");
  BOOST_TEST(filter("NOT (n:A OR n.p = 1)") == "intersect (not n:A, not n.p = 1)");
  BOOST_TEST(filter("NOT (n:A AND n.p = 1)") == "unite (not n:A, not n.p = 1)");
}

BOOST_AUTO_TEST_CASE(exclusive_or_is_one_without_the_other) {
  BOOST_TEST(filter("n:A XOR n:B") == "unite (intersect (n:A, not n:B), intersect (not n:A, n:B))");
}

BOOST_AUTO_TEST_CASE(what_no_index_answers_is_left_to_the_records) {
  BOOST_TEST(filter("n.p + 1 = 2") == " left: 1");
  BOOST_TEST(filter("n.p = n.q") == " left: 1");
  BOOST_TEST(filter("n.p = rand()") == " left: 1");
  BOOST_TEST(filter("n:A AND n.p = n.q") == "n:A left: 1");
}

BOOST_AUTO_TEST_CASE(a_union_needs_an_answer_for_every_part) {
  BOOST_TEST(filter("n:A OR n.p = n.q") == " left: 1");
  BOOST_TEST(filter("n:B OR (n:A AND n.p = n.q)") == "unite (n:B, intersect, partly (n:A))");
}

BOOST_AUTO_TEST_CASE(tests_of_texts_narrow_to_strings) {
  BOOST_TEST(filter("n.p CONTAINS 'a'") == "n.p contains 'a'");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
