// ON ERROR and REPORT STATUS of CALL { query } IN TRANSACTIONS: what an error of a batch does to the others.
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <stop_token>
#include <string>

namespace cairn::test {
namespace {

/// Batches of two rows, of which those with a 0 fail.
const std::string dividing =
    "UNWIND $xs AS i CALL (i) { CREATE (:T {i: i, x: 10 / i}) RETURN 10 / i AS x } IN TRANSACTIONS "
    "OF 2 ROWS ";

Parameters numbers() { return {{"xs", list_of({1, 2, 5, 0, 10})}}; }

bool tells(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

struct Batches {
  std::string result(const std::string& statement, const Parameters& parameters = numbers()) {
    return result_of(*database, statement, parameters);
  }
  std::string stored() { return result("MATCH (n:T) RETURN n.i ORDER BY n.i", {}); }
  std::vector<std::string> warnings(const std::string& statement) {
    Rows rows = must(execute(*database, statement, numbers()));
    static_cast<void>(must(rows.all()));
    return rows.warnings();
  }

  TemporaryDatabase database;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(errors_in_batches, Batches)

BOOST_AUTO_TEST_CASE(continue_skips_the_batch_that_failed) {
  BOOST_TEST(result(dividing + "ON ERROR CONTINUE RETURN i, x") ==
             "1 | 10; 2 | 5; 5 | null; 0 | null; 10 | 1");
  BOOST_TEST(stored() == "1; 2; 10");
}

BOOST_AUTO_TEST_CASE(break_runs_no_batch_after_the_one_that_failed) {
  BOOST_TEST(result(dividing + "ON ERROR BREAK RETURN i, x") ==
             "1 | 10; 2 | 5; 5 | null; 0 | null; 10 | null");
  BOOST_TEST(stored() == "1; 2");
}

BOOST_AUTO_TEST_CASE(fail_is_the_default_and_ends_the_statement) {
  for (const std::string handling : {"", "ON ERROR FAIL "}) {
    const Error error = error_of(*database, dividing + handling + "RETURN x", numbers());
    BOOST_TEST(tells(error.message, "2 rows were committed in 1 transaction and stay"),
               error.message);
  }
  BOOST_TEST(stored() == "1; 1; 2; 2");
}

BOOST_AUTO_TEST_CASE(each_row_has_the_status_of_its_batch) {
  const std::string status =
      "REPORT STATUS AS s RETURN i, s.started, s.committed, s.transactionId, s.errorMessage IS "
      "NULL";
  BOOST_TEST(result(dividing + "ON ERROR CONTINUE " + status) ==
             "1 | true | true | 'batch-1' | true; 2 | true | true | 'batch-1' | true; "
             "5 | true | false | 'batch-2' | false; 0 | true | false | 'batch-2' | false; "
             "10 | true | true | 'batch-3' | true");
  BOOST_TEST(result(dividing + "ON ERROR BREAK " + status) ==
             "1 | true | true | 'batch-1' | true; 2 | true | true | 'batch-1' | true; "
             "5 | true | false | 'batch-2' | false; 0 | true | false | 'batch-2' | false; "
             "10 | false | false | null | true");
  BOOST_TEST(
      tells(result(dividing + "REPORT STATUS AS s ON ERROR BREAK WITH s WHERE NOT s.committed "
                              "RETURN s.errorMessage LIMIT 1"),
            "zero"));
}

BOOST_AUTO_TEST_CASE(a_query_without_columns_has_a_status_too) {
  BOOST_TEST(result("UNWIND $xs AS i CALL (i) { CREATE (:T {i: 10 / i}) } IN TRANSACTIONS OF 1 ROW "
                    "ON ERROR CONTINUE REPORT STATUS AS s RETURN collect(s.committed)") ==
             "[true, true, true, false, true]");
}

// A row may have several output rows, none, or, if its batch failed, one.
BOOST_AUTO_TEST_CASE(a_row_of_a_failed_batch_has_one_output_row) {
  BOOST_TEST(result("UNWIND $xs AS i CALL (i) { UNWIND range(1, i) AS k CREATE (:T) RETURN k, 1 / "
                    "(i - 2) AS y } IN TRANSACTIONS OF 1 ROW ON ERROR CONTINUE RETURN i, k",
                    {{"xs", list_of({1, 2, 0, 3})}}) == "1 | 1; 2 | null; 3 | 1; 3 | 2; 3 | 3");
}

BOOST_AUTO_TEST_CASE(what_a_failed_batch_changed_is_not_counted) {
  Rows rows = must(execute(*database, dividing + "ON ERROR CONTINUE RETURN x", numbers()));
  static_cast<void>(must(rows.all()));
  BOOST_TEST(rows.changes().nodes_created == 3U);
  BOOST_TEST(rows.changes().properties_set == 6U);
}

BOOST_AUTO_TEST_CASE(what_a_failed_batch_deleted_is_there_for_the_next_one) {
  run_all(*database, {"CREATE (:T {i: 1})"});
  BOOST_TEST(result("MATCH (n:T) UNWIND [0, 1] AS k CALL (n, k) { SET n.seen = true WITH n, k, "
                    "n.i AS i DELETE n RETURN i / k AS i } IN TRANSACTIONS OF 1 ROW ON ERROR "
                    "CONTINUE RETURN i",
                    {}) == "null; 1");
  BOOST_TEST(stored() == "");
}

// Deleting a record again is no error, but only for what the statement has deleted.
BOOST_AUTO_TEST_CASE(a_failed_batch_does_not_forget_what_earlier_ones_deleted) {
  run_all(*database, {"CREATE (:T)-[:R]->(:T)"});
  BOOST_TEST(
      result("UNWIND [1, 0, 2] AS k MATCH (n:T) CALL (n, k) { WITH n, 1 / k AS x DETACH DELETE n } "
             "IN TRANSACTIONS OF 2 ROWS ON ERROR CONTINUE REPORT STATUS AS s RETURN k, "
             "s.committed, s.errorMessage IS NULL",
             {}) ==
      "1 | true | true; 1 | true | true; 0 | false | false; 0 | false | false; "
      "2 | true | true; 2 | true | true");
}

BOOST_AUTO_TEST_CASE(a_violated_constraint_fails_its_batch) {
  run_all(*database, {"CREATE CONSTRAINT c FOR (n:T) REQUIRE n.i IS UNIQUE"});
  BOOST_TEST(
      tells(result("UNWIND [1, 2, 1, 3, 4] AS i CALL (i) { CREATE (:T {i: i}) } IN "
                   "TRANSACTIONS OF 2 ROWS ON ERROR CONTINUE REPORT STATUS AS s WITH s WHERE "
                   "NOT s.committed RETURN DISTINCT s.errorMessage"),
            "constraint \"c\""));
  BOOST_TEST(stored() == "1; 2; 4");
}

BOOST_AUTO_TEST_CASE(all_batches_run_although_a_limit_needs_fewer_rows) {
  BOOST_TEST(result(dividing + "ON ERROR CONTINUE RETURN x LIMIT 1") == "10");
  BOOST_TEST(stored() == "1; 2; 10");
  BOOST_TEST(result(dividing + "ON ERROR BREAK RETURN x LIMIT 0") == "");
  BOOST_TEST(stored() == "1; 1; 2; 2; 10");
}

// Nothing else would tell that rows are missing.
BOOST_AUTO_TEST_CASE(without_a_status_a_warning_names_the_first_rows_that_failed) {
  const auto told = warnings(dividing + "ON ERROR CONTINUE RETURN x");
  BOOST_REQUIRE(told.size() == 1U);
  BOOST_TEST(tells(told[0], "rows 3 to 4 were rolled back"), told[0]);
  BOOST_TEST(tells(told[0], "zero"), told[0]);
  BOOST_TEST(tells(told[0], "REPORT STATUS AS s"), told[0]);
  BOOST_TEST(warnings(dividing + "ON ERROR CONTINUE REPORT STATUS AS s RETURN s").empty());
}

BOOST_AUTO_TEST_CASE(a_later_error_says_what_was_committed_and_what_failed) {
  const Error error = error_of(
      *database, dividing + "ON ERROR CONTINUE RETURN CASE i WHEN 10 THEN 1 / (i - 10) END",
      numbers());
  BOOST_TEST(tells(error.message,
                   "3 rows were committed in 2 transactions (2 other rows failed) and stay"),
             error.message);
}

BOOST_AUTO_TEST_CASE(an_error_of_the_outer_part_ends_the_statement) {
  const Error error = error_of(*database,
                               "UNWIND [[1], 2, [3]] AS xs CALL (xs) { RETURN size(xs) AS s } CALL "
                               "(xs) { CREATE (:T) } IN TRANSACTIONS OF 1 ROW ON ERROR CONTINUE");
  BOOST_TEST(tells(error.message, "1 row was committed in 1 transaction and stay"), error.message);
}

BOOST_AUTO_TEST_CASE(limits_and_cancellations_end_the_statement) {
  StatementOptions brief;
  brief.timeout = std::chrono::milliseconds(50);
  const std::string slow =
      "UNWIND range(1, 3) AS i CALL (i) { UNWIND range(1, 10000) AS a UNWIND range(1, 10000) AS b "
      "WITH i, count(*) AS s CREATE (:T {i: s}) } IN TRANSACTIONS OF 1 ROW ON ERROR CONTINUE";
  BOOST_TEST((error_of(*database, slow, {}, brief).code == ErrorCode::resource_limit));
  std::stop_source stop;
  stop.request_stop();
  StatementOptions stopped;
  stopped.cancel = stop.get_token();
  BOOST_TEST((error_of(*database, slow, {}, stopped).code == ErrorCode::cancelled));
  BOOST_TEST(stored() == "");
}

// Only the batch that needs too much memory fails.
BOOST_AUTO_TEST_CASE(a_batch_that_is_too_large_fails_alone) {
  StatementOptions options;
  options.memory_bytes = std::size_t{16} << 20;
  const std::string call =
      "UNWIND [1, 60000, 2] AS n CALL (n) { UNWIND range(1, n) AS i CREATE (:T {i: n, t: reduce(t "
      "= 'abcdefgh', k IN range(1, 7) | t + t)}) } IN TRANSACTIONS OF 1 ROW ON ERROR CONTINUE "
      "REPORT STATUS AS s RETURN collect(s.committed)";
  BOOST_TEST(result_of(*database, call, {}, options) == "[true, false, true]");
  BOOST_TEST(stored() == "1; 2; 2");
}

// Each row would fail, so the statement is refused as it is without ON ERROR.
BOOST_AUTO_TEST_CASE(what_no_batch_can_do_ends_the_statement) {
  const Error error = error_of(*database,
                               "CALL { CREATE (n:T) RETURN n } IN TRANSACTIONS ON ERROR "
                               "CONTINUE RETURN n");
  BOOST_TEST((error.code == ErrorCode::unsupported), error.message);
}

// Its batches have transactions too, which a failing one reports.
BOOST_AUTO_TEST_CASE(a_query_that_only_reads_reports_its_batches) {
  BOOST_TEST(result("UNWIND $xs AS i CALL (i) { RETURN 10 / i AS x } IN TRANSACTIONS OF 2 ROWS ON "
                    "ERROR CONTINUE REPORT STATUS AS s RETURN x, s.committed") ==
             "10 | true; 5 | true; null | false; null | false; 1 | true");
}

BOOST_AUTO_TEST_CASE(the_plan_shows_what_an_error_does) {
  BOOST_TEST(
      tells(plan_of(*database, "EXPLAIN CALL { CREATE (:T) } IN TRANSACTIONS ON ERROR BREAK"),
            "CallSubquery IN TRANSACTIONS ON ERROR BREAK"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
