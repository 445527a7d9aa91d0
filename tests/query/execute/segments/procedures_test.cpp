// Procedures that write, in statements that have read segments or sets of ids before.

#include "tests/support/run_query.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cairn/database.hpp>
#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace cairn::test {
namespace {

using Lines = std::vector<std::string>;

struct Fixture {
  Lines rows(const std::string& statement, const StatementOptions& options = {}) {
    return rows_of(database, statement, {}, options);
  }

  static Database opened(const TemporaryDirectory& directory) {
    Options options;
    options.segments = Segments::always;
    options.share = Share::exclusive;
    return std::move(Database::open(directory.path() / "db", options).value());
  }

  TemporaryDirectory directory;
  Database database = opened(directory);
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(procedures, Fixture)

BOOST_AUTO_TEST_CASE(a_rule_is_read_as_the_call_of_the_row_before_left_it) {
  BOOST_TEST(rows("CALL db.rules.put('r', 'x', ['t'])").empty());
  BOOST_TEST(rows("MATCH (t:MemoryTagRule) UNWIND [1, 2, 3] AS i "
                  "CALL db.rules.put('r', t.pattern + 'y', ['t'])")
                 .empty());
  BOOST_TEST(rows("MATCH (t:MemoryTagRule) RETURN t.pattern") == Lines{"'xyyy'"});
}

BOOST_AUTO_TEST_CASE(rules_are_counted_with_those_of_the_rows_before) {
  BOOST_TEST(rows("UNWIND range(1, 3) AS i CALL db.rules.put('r' + COUNT { (:MemoryTagRule) }, "
                  "'x', ['t'])")
                 .empty());
  BOOST_TEST(rows("MATCH (t:MemoryTagRule) RETURN t.name ORDER BY t.name") ==
             (Lines{"'r0'", "'r1'", "'r2'"}));
  BOOST_TEST(rows("UNWIND range(1, 2) AS i CALL db.rules.drop('r' + (COUNT { (:MemoryTagRule) } - "
                  "1))")
                 .empty());
  BOOST_TEST(rows("MATCH (t:MemoryTagRule) RETURN t.name") == Lines{"'r0'"});
}

// The relationship and one of its ends expire. A caller who may not use all namespaces erases both,
// each once.
BOOST_AUTO_TEST_CASE(what_has_expired_is_erased_once) {
  StatementOptions options;
  options.now = 4'102'444'800'000'000;
  options.listed_name_spaces = Lines{""};
  BOOST_TEST(rows("CREATE (a:E {k: 1}), (b:E {k: 2}), (c:E {k: 3}), "
                  "(a)-[:R @ {expires_at: datetime() + duration('PT1S')}]->(b), (b)-[:R]->(c) "
                  "SET b@expires_at = datetime() + duration('PT1S')",
                  options)
                 .empty());
  *options.now += 2'000'000;
  BOOST_TEST(rows("MATCH (a) WITH sum(COUNT { (a)--() }) AS c CALL db.expire() YIELD erased "
                  "RETURN c, erased",
                  options) == Lines{"0 | 3"});
  BOOST_TEST(rows("MATCH (a) RETURN a.k ORDER BY a.k", options) == (Lines{"1", "3"}));
  BOOST_TEST(database.check().value().empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
