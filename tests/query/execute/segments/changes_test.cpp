// Segments while commits go on: statements that read changed values from the records cause the segment to be rebuilt at
// the commit that they read, and each statement sees the values of its commit.

#include "tests/support/run_query.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cairn/database.hpp>
#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <vector>

namespace cairn::test {
namespace {

using Lines = std::vector<std::string>;

struct OpenDatabase {
  Lines rows(const std::string& statement) { return sorted_rows(database, statement); }

  static Database opened(const TemporaryDirectory& directory) {
    Options options;
    options.durability = Durability::async;
    options.share = Share::exclusive;
    return Database::open(directory.path() / "db", options).value();
  }

  /// Runs a statement until the segments of these names contain all changes. Checks its rows each time.
  void run_until_known(const std::string& names, const std::string& statement,
                       const Lines& expected) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    Lines changed = {""};
    while (!changed.empty() && std::chrono::steady_clock::now() < end) {
      BOOST_TEST_REQUIRE(rows(statement) == expected, boost::test_tools::per_element());
      changed = rows("CALL db.segments() YIELD name, changed WHERE changed > 0 AND name IN " +
                     names + " RETURN name");
    }
    BOOST_TEST(changed == Lines(), boost::test_tools::per_element());
    BOOST_TEST(rows("CALL db.segments() YIELD name WHERE name IN " + names +
                    " RETURN count(*) >= size(" + names + ") AS has_all") == Lines{"true"},
               boost::test_tools::per_element());
  }

  TemporaryDirectory directory;
  Database database = opened(directory);
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(changes, OpenDatabase)

BOOST_AUTO_TEST_CASE(a_column_takes_up_what_commits_change) {
  rows("UNWIND range(0, 2999) AS k CREATE (:N {k: k, v: k % 3, w: 't' + (k % 2)})");
  rows("CALL db.warm(['v', 'w'])");
  const std::string groups = "MATCH (n:N) RETURN n.w AS w, count(*) AS c, sum(n.v) AS s";
  BOOST_TEST(rows(groups) == (Lines{"'t0' | 1500 | 1500", "'t1' | 1500 | 1500"}));
  rows("MATCH (n:N) WHERE n.k < 300 SET n.v = 10, n.w = 'new'");
  rows("MATCH (n:N {k: 2999}) DELETE n");
  rows("CREATE (:N {k: 3000, v: 'a text', w: 5})");
  const std::string changed = "MATCH (n:N) WHERE n.k <> 3000 RETURN n.w AS w, sum(n.v) AS s";
  run_until_known("['v', 'w']", changed, {"'new' | 3000", "'t0' | 1350", "'t1' | 1348"});
  BOOST_TEST(rows("MATCH (n:N {k: 3000}) RETURN n.v AS v, n.w AS w") == Lines{"'a text' | 5"});
}

BOOST_AUTO_TEST_CASE(lists_take_up_what_commits_change_in_both_directions) {
  rows("UNWIND range(0, 1999) AS k CREATE (:N {k: k})");
  rows("MATCH (a:N), (b:N) WHERE b.k = (a.k + 1) % 2000 CREATE (a)-[:R]->(b)");
  rows("CALL db.warm()");
  rows("MATCH (a:N) WHERE a.k < 100 MATCH (b:N {k: 1999 - a.k}) CREATE (a)-[:S]->(b)");
  rows("MATCH (a:N {k: 500})-[r:R]->() DELETE r");
  run_until_known("['outgoing']",
                  "MATCH (a:N)-[r]->(b) RETURN type(r) AS t, count(b) AS c, sum(b.k - a.k) AS s",
                  {"'R' | 1999 | -1", "'S' | 100 | 190000"});
  run_until_known("['incoming']",
                  "MATCH (a:N)<-[r]-(b) RETURN type(r) AS t, count(b) AS c, sum(b.k - a.k) AS s",
                  {"'R' | 1999 | 1", "'S' | 100 | -190000"});
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
