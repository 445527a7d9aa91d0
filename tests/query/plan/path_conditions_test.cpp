// Conditions on each element of a path, and conditions that cannot fail.
#include "query/plan/path_conditions.hpp"

#include "tests/query/plan/support.hpp"

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <variant>

namespace cairn::query {
namespace {

const MatchClause& match_of(const PlannedStatement& planned, std::size_t clause = 0) {
  return std::get<MatchClause>(std::get<Query>(planned.bound.content).parts[0].clauses[clause]);
}

/// What element_condition() finds in the only condition of a path: "all relationships", "no nodes" and so on; "-" if
/// nothing.
std::string elements_of(const std::string& condition) {
  const PlannedStatement planned("MATCH p = (a)-[r*1..3]->(b), (c) WHERE " + condition +
                                 " RETURN 1");
  const MatchClause& match = match_of(planned);
  const PathPattern& path = match.paths[0];
  BOOST_TEST_REQUIRE(match.conjuncts.size() == 1U);
  const auto found = element_condition(*match.conjuncts[0], path.relationships[0], &path);
  if (!found) return "-";
  BOOST_TEST((found->test.condition == match.conjuncts[0]->children[1].get()));
  return std::string(found->test.wanted ? "all " : "no ") +
         (found->is_of_nodes ? "nodes" : "relationships");
}

bool is_safe(const std::string& condition) {
  const PlannedStatement planned("UNWIND $list AS x MATCH (a)-[r]->(b) WHERE " + condition +
                                 " RETURN 1");
  const MatchClause& match = match_of(planned, 1);
  const PathPattern& path = match.paths[0];
  BOOST_TEST_REQUIRE(match.conjuncts.size() == 1U);
  return cannot_fail(*match.conjuncts[0], [&](Slot slot) {
    return slot == path.nodes[0].slot || slot == path.nodes[1].slot ||
           slot == path.relationships[0].slot;
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(path_conditions)

BOOST_AUTO_TEST_CASE(conditions_on_each_element_are_recognised) {
  BOOST_TEST(elements_of("all(x IN r WHERE x.w > 1)") == "all relationships");
  BOOST_TEST(elements_of("none(x IN relationships(p) WHERE x.w > 1)") == "no relationships");
  BOOST_TEST(elements_of("all(x IN nodes(p) WHERE x.w > c.w)") == "all nodes");
}

BOOST_AUTO_TEST_CASE(conditions_that_read_more_of_the_path_are_not) {
  BOOST_TEST(elements_of("all(x IN r WHERE x.w > size(r))") == "-");
  BOOST_TEST(elements_of("all(x IN nodes(p) WHERE length(p) > 1)") == "-");
  BOOST_TEST(elements_of("any(x IN r WHERE x.w > 1)") == "-");
  BOOST_TEST(elements_of("single(x IN r WHERE x.w > 1)") == "-");
  BOOST_TEST(elements_of("all(x IN c.list WHERE x > 1)") == "-");
  BOOST_TEST(elements_of("all(x IN tail(r) WHERE x.w > 1)") == "-");
  BOOST_TEST(elements_of("size(r) > 2") == "-");
}

BOOST_AUTO_TEST_CASE(tests_of_properties_and_labels_cannot_fail) {
  BOOST_TEST(is_safe("a.x = b.y"));
  BOOST_TEST(is_safe("a.x < 'text'"));
  BOOST_TEST(is_safe("r.x >= $p"));
  BOOST_TEST(is_safe("x = 1 OR NOT a.x IS NULL"));
  BOOST_TEST(is_safe("a:Label"));
  BOOST_TEST(is_safe("a = b"));
}

BOOST_AUTO_TEST_CASE(conditions_that_compute_may_fail) {
  BOOST_TEST(!is_safe("x.y = 1"));  // x may be a number
  BOOST_TEST(!is_safe("a.x + 1 = 2"));
  BOOST_TEST(!is_safe("a.x"));
  BOOST_TEST(!is_safe("a.x = 1 OR toInteger(a.y) = 2"));
  BOOST_TEST(!is_safe("NOT a.x STARTS WITH b.y"));
  BOOST_TEST(!is_safe("a.x.y = 1"));
  BOOST_TEST(!is_safe("EXISTS { (a)-->() }"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
