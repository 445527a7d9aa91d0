// SHOW TRANSACTIONS and TERMINATE TRANSACTIONS: which statements run, who may see them, and that
// they end.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace cairn::test {
namespace {

constexpr std::string_view long_statement = "UNWIND range(1, 1000000) AS i RETURN i";
constexpr std::string_view queries =
    "SHOW TRANSACTIONS YIELD currentQuery WHERE "
    "currentQuery STARTS WITH 'UNWIND' RETURN currentQuery";

struct Fixture {
  std::string result(std::string_view statement, const StatementOptions& options = {}) {
    return result_of(*database, statement, {}, options);
  }
  /// Starts a statement and reads no rows, so that it goes on running.
  Rows begin(const StatementOptions& options = {}) {
    return must(execute(*database, long_statement, {}, options));
  }
  /// The id of the only long statement.
  std::string id() {
    return must(must(execute(*database,
                             "SHOW TRANSACTIONS YIELD transactionId, currentQuery WHERE "
                             "currentQuery STARTS WITH 'UNWIND' RETURN transactionId"))
                    .all())
        .at(0)
        .at(0)
        .as_string();
  }
  TemporaryDatabase database;
};

/// Options of a caller who may use only these namespaces, in the first of them.
StatementOptions tenant(const std::vector<std::string>& name_spaces) {
  StatementOptions options;
  options.name_space = name_spaces.front();
  options.listed_name_spaces = name_spaces;
  return options;
}

bool is_cancelled(Rows& rows) {
  const auto all = rows.all();
  return !all && all.error().code == ErrorCode::cancelled;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(transaction_procedures, Fixture)

BOOST_AUTO_TEST_CASE(running_statements_are_listed_until_they_end) {
  BOOST_TEST(result(queries) == "");
  {
    StatementOptions options;
    options.caller = "ada";
    const Rows rows = begin(options);
    BOOST_TEST(result(queries) == "'" + std::string(long_statement) + "'");
    BOOST_TEST(result("SHOW TRANSACTIONS YIELD * WHERE username = 'ada' RETURN database, status, "
                      "elapsedTime.seconds >= 0, startTime <= datetime(), "
                      "transactionId STARTS WITH 'neo4j-transaction-'") ==
               "'neo4j' | 'Running' | true | true | true");
  }
  BOOST_TEST(result(queries) == "");
  // A statement whose rows are read to the end no longer runs, although a caller keeps the rows.
  Rows read = must(execute(*database, "UNWIND [1, 2] AS i RETURN i"));
  BOOST_TEST(result(queries) == "'UNWIND [1, 2] AS i RETURN i'");
  BOOST_TEST(must(read.all()).size() == 2U);
  BOOST_TEST(result(queries) == "");
  BOOST_TEST(result("SHOW TRANSACTIONS YIELD currentQuery, username RETURN size(currentQuery) > 0, "
                    "username") == "true | null");
  BOOST_TEST(rows_of(*database, "SHOW TRANSACTIONS").size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_terminated_statement_ends_with_cancelled) {
  Rows first = begin();
  BOOST_TEST(result("TERMINATE TRANSACTIONS '" + id() + "' YIELD message RETURN message") ==
             "'Transaction terminated.'");
  BOOST_TEST(result("SHOW TRANSACTIONS YIELD status, currentQuery WHERE currentQuery STARTS WITH "
                    "'UNWIND' RETURN status") == "'Terminated'");
  BOOST_TEST(is_cancelled(first));
  BOOST_TEST(result(queries) == "");
  BOOST_TEST(result("TERMINATE TRANSACTIONS 'neo4j-transaction-999999', ['x', '-transaction-1'] "
                    "YIELD transactionId, message RETURN transactionId, message") ==
             "'neo4j-transaction-999999' | 'Transaction not found.'; "
             "'x' | 'Transaction not found.'; '-transaction-1' | 'Transaction not found.'");
  BOOST_TEST((error_of(*database, "TERMINATE TRANSACTIONS 1").code == ErrorCode::type_error));
}

BOOST_AUTO_TEST_CASE(the_token_of_the_caller_still_ends_its_statement) {
  std::stop_source source;
  StatementOptions options;
  options.cancel = source.get_token();
  Rows rows = begin(options);
  source.request_stop();
  BOOST_TEST(is_cancelled(rows));
  BOOST_TEST(
      (error_of(*database, "UNWIND range(1, 1000000) AS i RETURN max(i)", {}, options).code ==
       ErrorCode::cancelled));
}

BOOST_AUTO_TEST_CASE(a_tenant_sees_and_ends_only_statements_of_its_own) {
  Rows rows = begin(tenant({"a"}));
  const std::string terminate = "TERMINATE TRANSACTION '" + id() + "' YIELD message RETURN message";
  BOOST_TEST(result(queries, tenant({"b"})) == "");
  BOOST_TEST(result(terminate, tenant({"b"})) == "'Transaction not found.'");
  BOOST_TEST(must(rows.next()).has_value());
  BOOST_TEST(result(queries, tenant({"b", "a"})) == "'" + std::string(long_statement) + "'");
  BOOST_TEST(result(terminate, tenant({"a"})) == "'Transaction terminated.'");
  BOOST_TEST(is_cancelled(rows));
}

BOOST_AUTO_TEST_CASE(an_idle_writing_transaction_is_listed_and_ended) {
  constexpr std::string_view idle =
      "SHOW TRANSACTIONS YIELD transactionId, status, currentQuery "
      "WHERE status = 'Idle' RETURN transactionId, currentQuery";
  BOOST_TEST(result(idle) == "");
  Transaction transaction = must(database->begin());
  must(transaction.create_node({{"Lost"}, {}, ""}));
  const auto rows = must(must(execute(*database, idle)).all());
  BOOST_TEST_REQUIRE(rows.size() == 1U);
  BOOST_TEST(rows[0][1].as_string() == "");
  const std::string terminate =
      "TERMINATE TRANSACTIONS '" + rows[0][0].as_string() + "' YIELD message RETURN message";
  BOOST_TEST(result(idle, tenant({""})) == "");
  BOOST_TEST(result(terminate, tenant({""})) == "'Transaction not found.'");
  BOOST_TEST(result(terminate) == "'Transaction terminated.'");
  BOOST_TEST(result(terminate) == "'Transaction not found.'");
  BOOST_TEST(result(idle) == "");
  // The transaction's changes are lost, so it cannot read them either.
  const auto read = must(Statement::parse("MATCH (n:Lost) RETURN count(n)")).run(transaction);
  BOOST_TEST_REQUIRE(!read.has_value());
  BOOST_TEST((read.error().code == ErrorCode::cancelled));
  const auto made = transaction.create_node({{"Lost"}, {}, ""});
  BOOST_TEST_REQUIRE(!made.has_value());
  BOOST_TEST((made.error().code == ErrorCode::cancelled));
  BOOST_TEST(!transaction.commit().has_value());
  transaction.rollback();
  BOOST_TEST(result("CREATE (n:Next) RETURN labels(n)") == "['Next']");
  BOOST_TEST(result("MATCH (n) RETURN labels(n)") == "['Next']");
}

BOOST_AUTO_TEST_CASE(a_statement_that_waits_to_write_is_listed_and_ended) {
  constexpr std::string_view waiting =
      "SHOW TRANSACTIONS YIELD transactionId, status, elapsedTime WHERE status = 'Waiting' "
      "RETURN transactionId, elapsedTime.seconds >= 0";
  Transaction transaction = must(database->begin());
  Result<Rows> waited = must(execute(*database, "RETURN 1"));
  std::jthread writer([&] { waited = execute(*database, "CREATE (:Lost)"); });
  std::vector<List> rows;
  while (rows.empty()) rows = must(must(execute(*database, waiting)).all());
  BOOST_TEST((rows[0][1] == Value(true)));
  BOOST_TEST(result(waiting, tenant({""})) == "");
  const std::string terminate =
      "TERMINATE TRANSACTIONS '" + rows[0][0].as_string() + "' YIELD message RETURN message";
  BOOST_TEST(result(terminate, tenant({""})) == "'Transaction not found.'");
  BOOST_TEST(result(terminate) == "'Transaction terminated.'");
  writer.join();
  BOOST_REQUIRE(!waited.has_value());
  BOOST_TEST((waited.error().code == ErrorCode::cancelled));
  must(transaction.create_node({{"Kept"}, {}, ""}));
  must(transaction.commit());
  BOOST_TEST(result("MATCH (n) RETURN labels(n)") == "['Kept']");
}

BOOST_AUTO_TEST_CASE(the_token_of_the_caller_ends_the_wait_for_the_turn) {
  const Transaction transaction = must(database->begin());
  std::stop_source source;
  StatementOptions options;
  options.cancel = source.get_token();
  Result<Rows> waited = must(execute(*database, "RETURN 1"));
  std::jthread writer([&] { waited = execute(*database, "CREATE (:Lost)", {}, options); });
  while (result("SHOW TRANSACTIONS YIELD status WHERE status = 'Waiting' RETURN 1") == "")
    std::this_thread::yield();
  source.request_stop();
  writer.join();
  BOOST_REQUIRE(!waited.has_value());
  BOOST_TEST((waited.error().code == ErrorCode::cancelled));
}

// The text of a statement that may use more namespaces may name their records.
BOOST_AUTO_TEST_CASE(a_tenant_does_not_see_those_who_may_use_more) {
  StatementOptions all;
  all.name_space = "a";
  const Rows of_all = begin(all);
  BOOST_TEST(result(queries, tenant({"a"})) == "");
  const Rows of_two = begin(tenant({"a", "b"}));
  BOOST_TEST(result(queries, tenant({"a"})) == "");
  BOOST_TEST(rows_of(*database, queries, {}, tenant({"b", "a"})).size() == 1U);
  BOOST_TEST(rows_of(*database, queries).size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
