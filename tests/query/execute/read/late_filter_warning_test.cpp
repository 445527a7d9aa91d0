// The warning that a pattern or a WHERE after a search dropped some of its hits.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::test {
namespace {

struct Fixture {
  TemporaryDatabase database;

  Fixture() {
    run_all(*database,
            {"CREATE FULLTEXT INDEX texts FOR (m:Memory) ON EACH [m.content]",
             "CREATE (:Memory {n: 1, content: 'tea'}), (:Memory {n: 2, content: 'tea'}), "
             "(:Memory {n: 3, content: 'moss'}), (:Memory {n: 4, content: 'moss'})"});
  }

  std::string warnings(const std::string& statement) {
    Rows rows = must(execute(*database, statement));
    must(rows.all());
    std::string text;
    for (const std::string& one : rows.warnings()) text += one.substr(0, one.find(" were")) + ";";
    return text;
  }
};

std::string search(const std::string& word, const std::string& condition) {
  return "MATCH (m:Memory) SEARCH m IN (FULLTEXT INDEX texts FOR '" + word + "' LIMIT 5) WHERE " +
         condition + " RETURN m.n AS n";
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(late_filter_warning, Fixture)

BOOST_AUTO_TEST_CASE(hits_that_are_dropped_are_counted) {
  BOOST_TEST(warnings(search("tea", "m.n > 0")) == "");
  BOOST_TEST(warnings(search("tea", "m.n > 1")) == "1 of 2 hits;");
}

BOOST_AUTO_TEST_CASE(each_branch_of_a_union_has_hits_of_its_own) {
  BOOST_TEST(warnings(search("tea", "m.n > 0") + " UNION ALL " + search("moss", "m.n > 0")) == "");
  BOOST_TEST(warnings(search("tea", "m.n > 1") + " LIMIT 1 UNION ALL " +
                      search("moss", "m.n > 3")) == "1 of 2 hits;");
}

BOOST_AUTO_TEST_CASE(each_search_of_a_pipeline_has_hits_of_its_own) {
  const std::string first =
      "UNWIND [1] AS i MATCH (m:Memory) SEARCH m IN (FULLTEXT INDEX texts FOR 'tea' LIMIT 5) WHERE "
      "m.n > 0 WITH m.n AS x ";
  BOOST_TEST(warnings(first + search("moss", "m.n > 0")) == "");
  BOOST_TEST(warnings(first + search("moss", "m.n > 3")) == "1 of 2 hits;");
}

BOOST_AUTO_TEST_CASE(each_run_of_a_subquery_has_hits_of_its_own) {
  BOOST_TEST(
      warnings("UNWIND ['tea', 'moss'] AS word RETURN COLLECT { MATCH (m:Memory) SEARCH m IN "
               "(FULLTEXT INDEX texts FOR word LIMIT 5) WHERE m.n > 0 RETURN m.n LIMIT 1 }") == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
