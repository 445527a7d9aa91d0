#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

// 200 users, 10 groups, 3 admins; each user is in one group, admins lead groups.
struct Fixture {
  Fixture() {
    run_all(*database,
            {"UNWIND range(0, 9) AS g CREATE (:Group {g: g})",
             "UNWIND range(0, 199) AS u MATCH (g:Group {g: u % 10}) "
             "CREATE (:User {u: u})-[:IN {since: u}]->(g)",
             "MATCH (u:User), (g:Group) WHERE u.u < 3 AND g.g = u.u CREATE (u)-[:LEADS]->(g)"});
  }

  // Scans and steps from first to last.
  std::string steps(const std::string& statement) {
    std::string result;
    for (const std::string& row : rows_of(*database, "EXPLAIN " + statement)) {
      const std::string text = row.substr(1, row.find('~') - 1);
      for (const char* name : {"ScanNodes", "ScanRelationships", "Expand", "FindEnds"})
        if (const std::size_t at = text.find(name); at != std::string::npos) {
          std::string line = text.substr(at);
          line.erase(line.find_last_not_of(' ') + 1);
          result = line + (result.empty() ? "" : "; ") + result;
          break;
        }
    }
    return result;
  }
  TemporaryDatabase database;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(order_expansions, Fixture)

BOOST_AUTO_TEST_CASE(the_most_selective_end_is_where_it_starts) {
  BOOST_TEST(steps("MATCH (g:Group)<-[:IN]-(u:User {u: 7}) RETURN g") ==
             "ScanNodes (u); Expand (u)-[:IN]->(g)");
  BOOST_TEST(steps("MATCH (u:User)-[:IN]->(g:Group {g: 1}) RETURN u") ==
             "ScanNodes (g); Expand (g)<-[:IN]-(u)");
}

BOOST_AUTO_TEST_CASE(rare_steps_are_taken_first) {
  BOOST_TEST(steps("MATCH (x:User)-[:IN]->(g:Group {g: 2})<-[:LEADS]-(l) RETURN x, l") ==
             "ScanNodes (g); Expand (g)<-[:LEADS]-(l); Expand (g)<-[:IN]-(x)");
}

BOOST_AUTO_TEST_CASE(few_relationships_are_scanned_themselves) {
  BOOST_TEST(steps("MATCH (u)-[r:LEADS]->(g) RETURN u, g") ==
             "ScanRelationships (u)-[r:LEADS]->(g)");
  BOOST_TEST(steps("MATCH (u)-[r:IN {since: 5}]->(g) RETURN u, g") ==
             "ScanRelationships (u)-[r:IN]->(g)");
}

BOOST_AUTO_TEST_CASE(walks_of_many_hops_come_last) {
  BOOST_TEST(steps("MATCH (a:Group), (b:Group)-[:LEADS]-()-[:IN]-(b)-[*]-(a) RETURN count(*)") ==
             "ScanNodes (b); Expand (b)-[:LEADS]-() where (b)-[:IN]-(); ExpandInto ()-[:IN]-(b); "
             "ExpandVariable (b)-[*1..]-(a)");
}

BOOST_AUTO_TEST_CASE(bound_variables_are_never_scanned) {
  BOOST_TEST(steps("MATCH (g:Group {g: 1}) WITH g MATCH (u:User {u: 11})-[:IN]->(g) RETURN u") ==
             "ScanNodes (g); Expand (g)<-[:IN]-(u)");
}

BOOST_AUTO_TEST_CASE(unconnected_parts_are_scanned_smallest_first) {
  BOOST_TEST(steps("MATCH (u:User), (g:Group {g: 3}) RETURN u, g") ==
             "ScanNodes (g); ScanNodes (u)");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
