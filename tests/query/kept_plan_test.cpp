// Compares statements that are parsed once and run many times with the same text parsed for each run. Whatever happened
// to the database in between, the rows are the same.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>

namespace cairn::test {
namespace {

const char* const texts[] = {
    "MATCH (n:A) RETURN count(*)",
    "MATCH (n:A) WHERE n.p = $p RETURN count(*)",
    "MATCH (n:A) WHERE n.p = $p AND n.q >= 2 RETURN n.q ORDER BY n.q DESC LIMIT 3",
    "MATCH (n:A:B) WHERE n.q = 3 AND n.p = $p AND n.r = 3 RETURN count(*)",
    "MATCH (n:A) WHERE n.p = $p OR n.q = $p RETURN n.p, count(*) ORDER BY n.p",
    "MATCH (n) WHERE id(n) = $p RETURN n.q",
    "MATCH (n:A) WHERE n.p IN [$p, 3] AND NOT n.q = 1 RETURN n.q ORDER BY n.q",
    "MATCH (n:A) WHERE n.p STARTS WITH $p RETURN count(n)",
    "MATCH (n:A) WHERE n.q < $p AND n.r > 0 RETURN min(n.q), max(n.q)",
    "MATCH (n:A) WHERE n.p = $p RETURN labels(n), n.new",
    "MATCH (n) WHERE (n)-[:R]->(:A {p: $p}) RETURN n.q ORDER BY n.q",
    "MATCH (n:A)-[r:R]->(m) WHERE m.p = $p RETURN n.q, m.q ORDER BY n.q, m.q",
    "MATCH ()-[r:R]->() RETURN count(r)",
    "UNWIND [$p, 2, 'x'] AS x MATCH (n:A {p: x}) RETURN x, n.q ORDER BY n.q",
    "MATCH (n:A) WHERE n.p = $p RETURN n.q AS q UNION MATCH (n:B) RETURN n.q AS q",
};

std::vector<std::string> lines_of(Result<Rows> rows) {
  if (!rows) return {rows.error().message};
  std::vector<std::string> lines;
  while (true) {
    const auto row = rows->next();
    if (!row) {
      lines.push_back(row.error().message);
      return lines;
    }
    if (!*row) return lines;
    std::string line;
    for (const Value& value : **row) line += value.to_text() + " | ";
    lines.push_back(std::move(line));
  }
}

struct Fixture {
  Fixture() {
    for (const char* text : texts) kept.push_back(must(Statement::parse(text)));
  }

  /// Each twice, so that the second run has the plan of the first; with values of several types.
  template <class Target>
  void check(Target& target, const StatementOptions& options = {}) {
    for (const Value& value : {Value(1), Value("x1"), Value(2.0), Value(), Value(List{1, 2})})
      for (std::size_t i = 0; i < kept.size(); ++i)
        for (int run = 0; run < 2; ++run) {
          const Parameters parameters = {{"p", value}};
          const Statement fresh = must(Statement::parse(texts[i]));
          BOOST_TEST_CONTEXT(texts[i] << " with " << value.to_text())
          BOOST_TEST(lines_of(kept[i].run(target, parameters, options)) ==
                         lines_of(fresh.run(target, parameters, options)),
                     boost::test_tools::per_element());
        }
  }

  TemporaryDatabase database;
  std::vector<Statement> kept;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(kept_plan, Fixture)

BOOST_AUTO_TEST_CASE(names_and_indexes_may_come_and_go_between_two_runs) {
  check(*database);
  const Snapshot before = must(database->snapshot());
  for (const char* change :
       {"UNWIND range(1, 40) AS i CREATE (:A {p: i % 4, q: i})",
        "MATCH (n:A) WHERE n.q % 3 = 0 SET n.p = 'x' + toString(n.q % 2)",
        "MATCH (a:A), (b:A) WHERE b.q = a.q + 1 CREATE (a)-[:R]->(b)",
        "MATCH (n:A) WHERE n.q < 10 SET n.r = n.q, n:B", "CREATE INDEX a_p FOR (n:A) ON (n.p)",
        "MATCH (n:A) WHERE n.q = 5 SET n.new = 'yes'",
        "CREATE VECTOR INDEX v FOR (n:A) ON (n.e) OPTIONS {indexConfig: {`vector.dimensions`: 2}}",
        "MATCH (n:A) WHERE n.q > 30 DETACH DELETE n", "DROP INDEX v", "DROP INDEX a_p",
        "MATCH (n:A) WHERE n.q > 20 REMOVE n:A", "MATCH (n) SET n.p = [n.p, 2]",
        "MATCH (n) DETACH DELETE n"}) {
    BOOST_TEST_CONTEXT("after " << change) {
      must(execute(*database, change));
      check(*database);
      check(before);
    }
  }
}

BOOST_AUTO_TEST_CASE(name_spaces_do_not_share_what_they_see) {
  StatementOptions tenant;
  tenant.name_space = "tenant";
  run_all(*database, {"UNWIND range(1, 9) AS i CREATE (:A {p: i % 3, q: i})-[:R]->(:A {p: 1})"});
  check(*database);
  check(*database, tenant);
  must(execute(*database, "UNWIND range(1, 5) AS i CREATE (:A {p: 1, q: i})-[:R]->(:B {q: i})", {},
               tenant));
  check(*database, tenant);
  check(*database);
}

BOOST_AUTO_TEST_CASE(a_transaction_sees_its_own_changes_and_others_do_not) {
  run_all(*database, {"UNWIND range(1, 9) AS i CREATE (:A {p: i % 3, q: i})"});
  check(*database);
  Transaction transaction = must(database->begin());
  must(must(Statement::parse("MATCH (n:A) WHERE n.q > 4 SET n.p = 1, n.new = 2 CREATE (:B {q: 1})"))
           .run(transaction));
  check(transaction);
  check(*database);
  transaction.rollback();
  check(*database);
}

BOOST_AUTO_TEST_CASE(one_statement_runs_on_several_databases) {
  TemporaryDatabase other;
  run_all(*database, {"UNWIND range(1, 9) AS i CREATE (:A {p: i % 3, q: i})"});
  run_all(*other,
          {"CREATE (:Z {z: 1})", "UNWIND range(1, 9) AS i CREATE (:B {q: i}), (:A {p: 'x1'})"});
  for (int i = 0; i < 2; ++i) {
    check(*database);
    check(*other);
  }
}

// A plan that is taken is nobody else's: rows that are still open, and other threads, have their own.
BOOST_AUTO_TEST_CASE(runs_at_once_have_their_own_parameters) {
  run_all(*database, {"UNWIND range(1, 2000) AS i CREATE (:A {p: i % 20, q: i})"});
  const Statement statement =
      must(Statement::parse("MATCH (n:A) WHERE n.p = $p AND n.q > $q RETURN n.p, n.q"));
  std::vector<Rows> open;
  for (int p = 0; p < 20; ++p) open.push_back(must(statement.run(*database, {{"p", p}, {"q", 0}})));
  for (int p = 0; p < 20; ++p) {
    const auto rows = must(open[static_cast<std::size_t>(p)].all());
    BOOST_TEST(rows.size() == 100U);
    for (const auto& row : rows) BOOST_TEST((row[0] == Value(p)));
  }
  open.clear();
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 12; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 60; ++i) {
        const int p = (t + i) % 20;
        auto rows = must(must(statement.run(*database, {{"p", p}, {"q", 1'000}})).all());
        wrong += rows.size() != 50U;
        for (const auto& row : rows) wrong += row[0] != Value(p);
      }
    });
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(a_run_that_fails_leaves_the_next_one_as_it_was) {
  run_all(*database, {"UNWIND range(1, 9) AS i CREATE (:A {p: i % 3, q: i})"});
  const Statement statement =
      must(Statement::parse("MATCH (n:A) RETURN n.q / $d ORDER BY n.q LIMIT 2"));
  for (int i = 0; i < 3; ++i) {
    BOOST_TEST(lines_of(statement.run(*database, {{"d", 0}})).size() == 1U);
    BOOST_TEST(lines_of(statement.run(*database)).size() == 1U);
    BOOST_TEST(lines_of(statement.run(*database, {{"d", 1}})) ==
                   (std::vector<std::string>{"1 | ", "2 | "}),
               boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
