// CALL { query } IN TRANSACTIONS: each batch of rows is committed on its own.
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/functions.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string>

namespace cairn::test {
namespace {

std::uint64_t commits(TemporaryDatabase& database) {
  return must(database->snapshot()).commit_number();
}

/// The number of commits that a statement makes.
std::uint64_t commits_of(TemporaryDatabase& database, const std::string& statement,
                         const Parameters& parameters = {}) {
  const std::uint64_t before = commits(database);
  must(execute(*database, statement, parameters));
  return commits(database) - before;
}

std::string count_of(TemporaryDatabase& database, const std::string& pattern = "(n)") {
  return result_of(*database, "MATCH " + pattern + " RETURN count(*)");
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct Refused {
  const char* statement;
  const char* sentence;  // with its place
  friend std::ostream& operator<<(std::ostream& out, const Refused& one) {
    return out << one.statement;
  }
};

const Refused refused[] = {
    {"CREATE (a) WITH a CALL (a) { SET a.x = 1 } IN TRANSACTIONS",
     "column 1: a change outside of CALL { } IN TRANSACTIONS would belong to none of its"},
    {"UNWIND [1] AS i CALL (i) { CREATE (:T) } IN TRANSACTIONS WITH i CREATE (:T)",
     "column 65: a change outside of CALL { } IN TRANSACTIONS"},
    {"UNWIND [1] AS i CALL (i) { CREATE (:T) } WITH i CALL (i) { CREATE (:T) } IN TRANSACTIONS",
     "column 17: a change outside of CALL { } IN TRANSACTIONS"},
    {"UNWIND [1] AS i CALL (i) { CREATE (:T) } IN TRANSACTIONS CALL (i) { CREATE (:T) } IN "
     "TRANSACTIONS",
     "column 58: a statement has one CALL { } IN TRANSACTIONS"},
    {"CALL { CREATE (:T) RETURN 1 AS x } IN TRANSACTIONS RETURN x UNION RETURN 2 AS x",
     "UNION is not possible with CALL { } IN TRANSACTIONS"},
    {"RETURN 2 AS x UNION CALL { CREATE (:T) RETURN 1 AS x } IN TRANSACTIONS RETURN x",
     "UNION is not possible with CALL { } IN TRANSACTIONS"},
    {"CALL { CALL { CREATE (:T) } IN TRANSACTIONS }",
     "column 29: IN TRANSACTIONS is not possible inside of a subquery"},
    {"CALL { CALL { CREATE (:T) } IN TRANSACTIONS } IN TRANSACTIONS",
     "column 29: IN TRANSACTIONS is not possible inside of a subquery"},
    {"RETURN COUNT { CALL { RETURN 1 AS x } IN TRANSACTIONS RETURN x } AS n",
     "IN TRANSACTIONS is not possible inside of a subquery"},
    {"CALL { CREATE (:T) } IN 3 CONCURRENT TRANSACTIONS", "column 22: CONCURRENT is not possible"},
    {"CALL { CREATE (:T) } IN TRANSACTIONS ON ERROR RETRY",
     "column 47: ON ERROR RETRY is not possible; write CONTINUE, BREAK or FAIL"},
    {"CALL { CREATE (:T) } IN TRANSACTIONS REPORT STATUS AS s RETURN s",
     "column 55: REPORT STATUS is not possible with ON ERROR FAIL"},
    {"CALL { CREATE (:T) } IN TRANSACTIONS REPORT STATUS AS s ON ERROR BREAK REPORT STATUS AS s "
     "RETURN s",
     "column 89: REPORT STATUS is given twice"},
    {"WITH 1 AS s CALL { CREATE (:T) } IN TRANSACTIONS ON ERROR BREAK REPORT STATUS AS s RETURN s",
     "column 82: `s` is defined already"},
    {"CALL { CREATE (:T) } IN TRANSACTIONS ON ERROR CONTINUE REPORT STATUS AS s RETURN s + 1",
     "map"},
    {"UNWIND [1] AS x CALL { CREATE (:T) } IN TRANSACTIONS OF x ROWS", "`x` is a variable"},
    {"MATCH (n) CALL db.create.setNodeVectorProperty(n, 'e', [1.0]) CALL (n) { SET n.x = 1 } IN "
     "TRANSACTIONS",
     "db.create.setnodevectorproperty() writes, and outside of CALL { } IN TRANSACTIONS"},
    {"CALL db.scrub() YIELD commit CALL { CREATE (:T) } IN TRANSACTIONS",
     "CALL db.scrub() must be the whole statement"},
    {"MATCH (n) CALL (n) { CALL db.create.setNodeVectorProperty(n, 'e', [1.0]) } CALL (n) { SET "
     "n.x = 1 } IN TRANSACTIONS",
     "a subquery outside of CALL { } IN TRANSACTIONS calls a procedure that writes"},
    {"MATCH (n) CALL (n) { SET n.x = 1 } IN TRANSACTIONS CALL (n) { CALL (n) { CALL "
     "db.create.setNodeVectorProperty(n, 'e', [1.0]) } } RETURN n",
     "a subquery outside of CALL { } IN TRANSACTIONS calls a procedure that writes"},
    {"UNWIND [1] AS i CALL (i) { CREATE (:T) } IN TRANSACTIONS OF 0 ROWS",
     "IN TRANSACTIONS OF needs at least 1 row in a batch, got 0"},
    {"UNWIND [1] AS i CALL (i) { CREATE (:T) } IN TRANSACTIONS OF -1 ROWS",
     "a number of rows cannot be negative"},
    {"UNWIND [1] AS i CALL (i) { CREATE (:T) } IN TRANSACTIONS OF $none ROWS", "none"},
    {"UNWIND [1] AS i CALL (i) { CREATE (n:T) RETURN [n] AS n } IN TRANSACTIONS RETURN n",
     "a subquery IN TRANSACTIONS cannot return nodes, relationships or paths"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(calls_in_transactions)

BOOST_AUTO_TEST_CASE(each_batch_is_a_commit) {
  TemporaryDatabase database;
  const std::string call = " CALL (i) { CREATE (:T {i: i}) } IN TRANSACTIONS";
  BOOST_TEST(commits_of(database, "UNWIND range(1, 5) AS i" + call + " OF 2 ROWS") == 3U);
  BOOST_TEST(commits_of(database, "UNWIND range(1, 6) AS i" + call + " OF $n ROWS", {{"n", 3}}) ==
             2U);
  BOOST_TEST(commits_of(database, "UNWIND range(1, 2001) AS i" + call) == 3U);
  BOOST_TEST(commits_of(database, "UNWIND [] AS i" + call) == 0U);
  BOOST_TEST(count_of(database) == "2012");
}

BOOST_AUTO_TEST_CASE(an_error_keeps_the_batches_before_it_and_says_how_many_rows) {
  TemporaryDatabase database;
  const std::string call =
      "UNWIND $xs AS i CALL (i) { CREATE (:T {x: 1 / i}) } IN TRANSACTIONS OF 2 ROWS ON ERROR FAIL";
  const Error later = error_of(*database, call, {{"xs", list_of({1, 2, 3, 4, 5, 0, 7, 8})}});
  BOOST_TEST(has(later.message, "zero"), later.message);
  BOOST_TEST(has(later.message, "4 rows were committed in 2 transactions and stay"), later.message);
  BOOST_TEST(later.where.value().column == 43U);
  BOOST_TEST(count_of(database) == "4");
  const Error first = error_of(*database, call, {{"xs", list_of({1, 0})}});
  BOOST_TEST(!has(first.message, "committed"), first.message);
  BOOST_TEST(count_of(database) == "4");
}

// The lookahead for the last batch reads it.
BOOST_AUTO_TEST_CASE(an_error_of_a_later_row_of_the_outer_part_does_not_hinder_a_batch) {
  TemporaryDatabase database;
  const Error error = error_of(*database,
                               "UNWIND [[1], [2], 3] AS xs CALL (xs) { RETURN size(xs) AS s } CALL "
                               "(xs) { CREATE (:T) } IN TRANSACTIONS OF 2 ROWS");
  BOOST_TEST(has(error.message, "2 rows were committed in 1 transaction and stay"), error.message);
  BOOST_TEST(count_of(database) == "2");
}

BOOST_AUTO_TEST_CASE(an_error_after_the_batches_says_that_they_stay) {
  TemporaryDatabase database;
  const Error error = error_of(
      *database, "UNWIND [1] AS i CALL (i) { CREATE (:T) } IN TRANSACTIONS RETURN 1 / (i - 1)");
  BOOST_TEST(has(error.message, "1 row was committed in 1 transaction and stay"), error.message);
  BOOST_TEST(count_of(database) == "1");
}

BOOST_AUTO_TEST_CASE(the_outer_part_reads_the_graph_as_it_was_before) {
  TemporaryDatabase database;
  run_all(*database, {"UNWIND range(1, 3) AS i CREATE (:T {i: i})"});
  BOOST_TEST(result_of(*database,
                       "MATCH (n:T) CALL (n) { SET n.i = 9 CREATE (:T) } IN TRANSACTIONS OF 1 ROW "
                       "RETURN n.i ORDER BY n.i") == "1; 2; 3");
  BOOST_TEST(count_of(database) == "6");
  BOOST_TEST(count_of(database, "(n {i: 9})") == "3");
}

BOOST_AUTO_TEST_CASE(a_batch_sees_the_batches_before_it) {
  TemporaryDatabase database;
  BOOST_TEST(result_of(*database,
                       "UNWIND [1, 1, 2, 1] AS i CALL (i) { MERGE (n:T {i: i}) ON MATCH SET n.m = "
                       "coalesce(n.m, 0) + 1 RETURN n.m AS m } IN TRANSACTIONS OF 1 ROW RETURN i, "
                       "m") == "1 | null; 1 | 1; 2 | null; 1 | 2");
  BOOST_TEST(count_of(database) == "2");
}

BOOST_AUTO_TEST_CASE(what_an_earlier_batch_deleted_is_deleted_once) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:T)-[:R]->(:T)"});
  auto rows = must(execute(*database,
                           "UNWIND [1, 2, 3] AS i MATCH (n:T) CALL (n) { DETACH DELETE n } IN "
                           "TRANSACTIONS OF 1 ROW"));
  BOOST_TEST(rows.changes().nodes_deleted == 2U);
  BOOST_TEST(rows.changes().relationships_deleted == 1U);
  run_all(*database, {"CREATE (:T {x: 1})"});
  const Error read =
      error_of(*database,
               "MATCH (n:T) UNWIND [1, 2] AS i CALL (n, i) { WITH n, n.x AS x DELETE "
               "n } IN TRANSACTIONS OF 1 ROW");
  BOOST_TEST(has(read.message, "was deleted by this statement"), read.message);
}

BOOST_AUTO_TEST_CASE(all_batches_run_although_a_limit_needs_fewer_rows) {
  TemporaryDatabase database;
  const std::string call =
      "UNWIND range(1, 5) AS i CALL (i) { CREATE (:T {i: i}) RETURN i * 10 AS x } IN TRANSACTIONS "
      "OF 2 ROWS RETURN x LIMIT ";
  BOOST_TEST(result_of(*database, call + "1") == "10");
  BOOST_TEST(count_of(database) == "5");
  BOOST_TEST(result_of(*database, call + "0") == "");
  BOOST_TEST(count_of(database) == "10");
}

BOOST_AUTO_TEST_CASE(changes_and_rows_are_those_of_all_batches) {
  TemporaryDatabase database;
  auto rows = must(execute(*database,
                           "UNWIND range(1, 5) AS i CALL (i) { UNWIND range(1, i) AS k CREATE (:T "
                           "{i: i})-[:R]->(:S) RETURN k } IN TRANSACTIONS OF 2 ROWS RETURN i, k"));
  BOOST_TEST(must(rows.all()).size() == 15U);
  BOOST_TEST(rows.changes().nodes_created == 30U);
  BOOST_TEST(rows.changes().relationships_created == 15U);
  BOOST_TEST(rows.changes().labels_added == 30U);
  BOOST_TEST(rows.changes().properties_set == 15U);
  BOOST_TEST(rows.warnings().empty());
}

BOOST_AUTO_TEST_CASE(a_constraint_refuses_only_the_batch_that_violates_it) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE CONSTRAINT c FOR (n:T) REQUIRE n.i IS UNIQUE"});
  const Error error = error_of(
      *database,
      "UNWIND [1, 2, 3, 1, 5] AS i CALL (i) { CREATE (:T {i: i}) } IN TRANSACTIONS OF 2 ROWS");
  BOOST_TEST(has(error.message, "constraint \"c\""), error.message);
  BOOST_TEST(has(error.message, "2 rows were committed in 1 transaction"), error.message);
  BOOST_TEST(result_of(*database, "MATCH (n:T) RETURN n.i ORDER BY n.i") == "1; 2");
}

BOOST_AUTO_TEST_CASE(random_values_of_batches_differ) {
  TemporaryDatabase database;
  run_all(*database, {"UNWIND range(1, 50) AS i CALL (i) { CREATE (:T {u: randomUUID()}) } IN "
                      "TRANSACTIONS OF 1 ROW"});
  BOOST_TEST(result_of(*database, "MATCH (n:T) RETURN count(DISTINCT n.u)") == "50");
}

BOOST_AUTO_TEST_CASE(memory_is_needed_for_one_batch) {
  TemporaryDatabase database;
  StatementOptions options;
  options.memory_bytes = std::size_t{8} << 20;
  const std::string call =
      "UNWIND range(1, 20000) AS i CALL (i) { CREATE (:T {t: reduce(t = 'abcdefgh', k IN range(1, "
      "7) | t + t)}) }";
  BOOST_TEST((error_of(*database, call, {}, options).code == ErrorCode::resource_limit));
  BOOST_TEST(count_of(database) == "0");
  must(execute(*database, call + " IN TRANSACTIONS OF 500 ROWS", {}, options));
  BOOST_TEST(count_of(database) == "20000");
}

BOOST_AUTO_TEST_CASE(it_runs_on_its_own_only) {
  TemporaryDatabase database;
  const std::string call = "UNWIND [1] AS i CALL (i) { CREATE (:T) } IN TRANSACTIONS";
  const Statement statement = must(Statement::parse(call));
  BOOST_TEST(statement.is_writing());
  {
    Transaction transaction = must(database->begin());
    const auto rows = statement.run(transaction);
    BOOST_REQUIRE(!rows);
    BOOST_TEST((rows.error().code == ErrorCode::unsupported));
    BOOST_TEST(has(rows.error().message, "can only be executed in an implicit transaction"));
    BOOST_TEST(has(rows.error().message, "run the statement on its own"));
    must(must(Statement::parse("EXPLAIN " + call)).run(transaction));
    must(transaction.commit());
  }
  BOOST_TEST(!statement.run(must(database->snapshot())));
  BOOST_TEST(count_of(database) == "0");
}

BOOST_AUTO_TEST_CASE(a_subquery_that_only_reads_has_nothing_to_commit) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:T {i: 1})"});
  const std::string call = "CALL { MATCH (n:T) RETURN n } IN TRANSACTIONS RETURN n.i AS i";
  BOOST_TEST(commits_of(database, call) == 0U);
  Transaction transaction = must(database->begin());
  auto rows = must(must(Statement::parse(call)).run(transaction));
  BOOST_TEST((*must(rows.next()))["i"].as_integer() == 1);
  BOOST_TEST(rows.warnings().empty());
}

BOOST_AUTO_TEST_CASE(profile_sums_the_batches) {
  TemporaryDatabase database;
  const std::string plan = plan_of(*database,
                                   "PROFILE UNWIND range(1, 7) AS i CALL (i) { UNWIND [i, i] AS k "
                                   "CREATE (:T) } IN TRANSACTIONS OF 3 ROWS");
  const std::size_t inner = plan.find("\n      Unwind");
  BOOST_REQUIRE(inner != std::string::npos);
  BOOST_TEST(has(plan.substr(inner + 1, plan.find('\n', inner + 1) - inner), " 14 "), plan);
}

BOOST_DATA_TEST_CASE(what_is_refused_says_where_and_why, refused, one) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:A)"});
  const std::string message = error_of(*database, one.statement).message;
  BOOST_TEST(has(message, one.sentence), message);
  BOOST_TEST(count_of(database) == "1");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
