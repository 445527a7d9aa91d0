#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

struct Fixture {
  Fixture() { run_all(*database, {"CREATE (:A {v: 1})-[:R]->(:B {v: 2}), (:A {v: 3})"}); }
  TemporaryDatabase database;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(optional, Fixture)

BOOST_AUTO_TEST_CASE(a_row_without_a_match_goes_on_with_nulls) {
  BOOST_TEST(result_of(*database,
                       "MATCH (a:A) OPTIONAL MATCH (a)-[r]->(b) "
                       "RETURN a.v, b.v, r IS NULL ORDER BY a.v") ==
             "1 | 2 | false; 3 | null | true");
}

BOOST_AUTO_TEST_CASE(its_conditions_belong_to_the_match) {
  BOOST_TEST(result_of(*database,
                       "MATCH (a:A) OPTIONAL MATCH (a)-->(b) WHERE b.v > 5 "
                       "RETURN a.v, b.v ORDER BY a.v") == "1 | null; 3 | null");
  BOOST_TEST(result_of(*database, "OPTIONAL MATCH (x:Nobody) RETURN x") == "null");
}

BOOST_AUTO_TEST_CASE(paths_of_what_is_missing_are_null) {
  BOOST_TEST(result_of(*database, "MATCH (a:A {v: 3}) OPTIONAL MATCH p = (a)-->() RETURN p") ==
             "null");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
