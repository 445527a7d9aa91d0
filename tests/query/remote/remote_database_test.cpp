// A database that is opened over the network answers as the local one, as far as the token's role and namespaces allow.

#include "tests/query/attach/attached_fixture.hpp"
#include "tests/query/bolt/listener_fixture.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/remote.hpp>

#include <stop_token>
#include <string>
#include <vector>

namespace cairn::test {
namespace {

template <class Place>
Result<Rows> run_in(Place& place, std::string_view text, const StatementOptions& options = {}) {
  return must(Statement::parse(text)).run(place, Parameters(), options);
}

struct RemoteFixture : ListenerFixture {
  [[nodiscard]] std::string address() const { return "bolt://" + listener.address().text(); }
  [[nodiscard]] Result<Database> open(const std::string& token) const {
    return open_remote(address(), {.token = token});
  }
  Database remote = must(open(secret));
};

std::string text_of(const Result<Rows>& started) {
  if (!started) return outcome_text(started);
  Rows rows = *std::move(const_cast<Result<Rows>&>(started));
  std::string text;
  for (const auto& row : rows) {
    if (!row) return text + outcome_text(row);
    for (const Value& value : *row) text += value.to_text() + " ";
    text += "\n";
  }
  for (const std::string& warning : rows.warnings()) text += warning + "\n";
  return text + rows.plan();
}

/// The error of a statement, or of one of its rows.
Error error_of(Result<Rows> started) {
  if (!started) return started.error();
  for (const auto& row : *started)
    if (!row) return row.error();
  return {ErrorCode::io_error, "there was no error", {}};
}

std::string count_of(const Result<Rows>& rows) {
  const std::string text = text_of(rows);
  return text.substr(0, text.find(' '));
}

/// The place of an error as well.
std::string place_of(const Error& error) {
  if (!error.where) return "nowhere";
  return std::to_string(error.where->begin) + "-" + std::to_string(error.where->end) + " line " +
         std::to_string(error.where->line);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(remote_database, RemoteFixture)

BOOST_AUTO_TEST_CASE(statements_give_the_rows_the_plan_and_the_warnings_of_the_local_one) {
  must(execute(
      remote,
      "CREATE (a:P {name: 'Ada', born: date('1815-12-10'), at: datetime('2020-01-01T01:02:03"
      "+02:00'), v: vector([1, 2], 2, FLOAT32), deep: "
      "{a: [1, {b: 2.5}]}})-[:KNOWS {since: duration('P1Y2M')}]->(:P {name: 'Bob'})"));
  for (const std::string statement :
       {"MATCH (n:P) RETURN n, labels(n), n.born, n.at, n.v, n.deep ORDER BY n.name",
        "MATCH p = (a)-[r:KNOWS]->(b) RETURN p, r, r.since", "UNWIND range(1, 5000) AS i RETURN i",
        "RETURN 1.0, 1, null, true, 'a\\u0001', [1, [2]], {a: {b: 1}}, 9223372036854775807",
        "EXPLAIN MATCH (n:P) WHERE n.name = 'Ada' RETURN n", "MATCH (n:Nobody) RETURN n",
        "MATCH (n:P) RETURN n.nothing", "SHOW INDEXES", "RETURN 1 / 0", "RETRUN 1",
        "UNWIND [1, 0] AS i RETURN 1 / i", "RETURN $missing"})
    BOOST_TEST(text_of(execute(remote, statement)) == text_of(execute(*database, statement)));
  const Error there = error_of(execute(remote, "RETURN 1 +\n  1 / 0"));
  const Error here = error_of(execute(*database, "RETURN 1 +\n  1 / 0"));
  BOOST_TEST(place_of(there) == place_of(here));
  BOOST_TEST(place_of(here) != "nowhere");
}

BOOST_AUTO_TEST_CASE(parameters_go_whole) {
  const Value value =
      Map{{"list", list_of({1, 2.5, "x", Value()})},
          {"vector", Vector({1.0F, 0.5F})},
          {"text", std::string(100'000, 'x')},
          {"at", must(parse_literal("datetime('2020-01-01T00:00:00[Europe/Berlin]')"))}};
  Rows rows = must(execute(remote, "RETURN $value AS value", {{"value", value}}));
  BOOST_TEST(((*must(rows.next()))["value"] == value));
}

BOOST_AUTO_TEST_CASE(changes_are_counted) {
  const Rows rows = must(execute(remote, "CREATE (:A {x: 1})-[:R]->(:B)"));
  BOOST_TEST(rows.changes().nodes_created == 2u);
  BOOST_TEST(rows.changes().relationships_created == 1u);
  BOOST_TEST(rows.changes().properties_set == 1u);
}

BOOST_AUTO_TEST_CASE(a_transaction_reads_its_writes_and_goes_on_behind_an_error) {
  Transaction transaction = must(remote.begin());
  must(run_in(transaction, "CREATE (:T {i: 1})"));
  BOOST_TEST((error_of(run_in(transaction, "RETURN 1 / 0")).code == ErrorCode::invalid_argument));
  must(run_in(transaction, "CREATE (:T {i: 2})"));
  BOOST_TEST(count_of(run_in(transaction, "MATCH (t:T) RETURN count(*)")) == "2");
  BOOST_TEST(count_of(execute(*database, "MATCH (t:T) RETURN count(*)")) == "0");
  must(transaction.commit());
  BOOST_TEST(count_of(execute(*database, "MATCH (t:T) RETURN count(*)")) == "2");
  Transaction dropped = must(remote.begin());
  must(run_in(dropped, "CREATE (:T {i: 3})"));
  dropped.rollback();
  Transaction empty = must(remote.begin());
  must(empty.commit());
  BOOST_TEST((run_in(empty, "RETURN 1").error().code == ErrorCode::conflict));
  BOOST_TEST(count_of(execute(*database, "MATCH (t:T) RETURN count(*)")) == "2");
}

BOOST_AUTO_TEST_CASE(a_transaction_that_was_overtaken_has_ended) {
  must(execute(remote, "CREATE (:C {n: 0})"));
  Transaction transaction = must(remote.begin());
  BOOST_TEST(count_of(run_in(transaction, "MATCH (c:C) RETURN count(*)")) == "1");
  must(execute(*database, "CREATE (:C {n: 1})"));
  BOOST_TEST((error_of(run_in(transaction, "CREATE (:Bad)")).code == ErrorCode::conflict));
  BOOST_TEST(!transaction.is_open());
  BOOST_TEST((error_of(run_in(transaction, "CREATE (:Bad)")).code == ErrorCode::conflict));
  BOOST_TEST((transaction.commit().error().code == ErrorCode::conflict));
  BOOST_TEST(count_of(execute(*database, "MATCH (b:Bad) RETURN count(*)")) == "0");
  BOOST_TEST(text_of(execute(remote, "RETURN 1")) == "1 \n");
}

BOOST_AUTO_TEST_CASE(a_transaction_whose_commit_fails_has_ended) {
  must(execute(*database, "CREATE CONSTRAINT keys FOR (k:K) REQUIRE k.key IS UNIQUE"));
  Transaction transaction = must(remote.begin());
  must(run_in(transaction, "CREATE (:K {key: 1})"));
  const Error refused = error_of(run_in(transaction, "CREATE (:K {key: 1})"));
  BOOST_TEST(refused.message.find("keys") != std::string::npos, refused.message);
  if (const Status committed = transaction.commit(); !committed) {
    BOOST_TEST(!transaction.is_open());
    BOOST_TEST((error_of(run_in(transaction, "CREATE (:K {key: 2})")).code == ErrorCode::conflict));
    BOOST_TEST(count_of(execute(*database, "MATCH (k:K) RETURN count(*)")) == "0");
  }
  BOOST_TEST(text_of(execute(remote, "RETURN 1")) == "1 \n");
}

BOOST_AUTO_TEST_CASE(a_large_parameter_is_refused_with_the_limit_and_nothing_is_lost) {
  Transaction transaction = must(remote.begin());
  must(run_in(transaction, "CREATE (:L)"));
  const Statement large = must(Statement::parse("RETURN size($text)"));
  const auto refused = large.run(transaction, {{"text", std::string(20 << 20, 'x')}});
  BOOST_TEST((refused.error().code == ErrorCode::resource_limit));
  BOOST_TEST(refused.error().message.find("17 MiB") != std::string::npos, refused.error().message);
  must(transaction.commit());
  BOOST_TEST(count_of(execute(*database, "MATCH (l:L) RETURN count(*)")) == "1");
}

BOOST_AUTO_TEST_CASE(a_snapshot_of_many_threads_begins_once) {
  must(execute(remote, "CREATE (:S)"));
  const Snapshot snapshot = must(remote.snapshot());
  std::vector<std::string> counts(8);
  {
    std::vector<std::jthread> threads;
    for (std::string& count : counts)
      threads.emplace_back(
          [&] { count = count_of(run_in(snapshot, "MATCH (s:S) RETURN count(*)")); });
  }
  for (const std::string& count : counts) BOOST_TEST(count == "1");
}

BOOST_AUTO_TEST_CASE(a_snapshot_that_was_refused_is_no_other_one) {
  const std::string token = must(create_token(*database, {.name = "home", .role = Role::write}));
  Database other = must(open(token));
  const Snapshot snapshot = must(other.snapshot());
  StatementOptions acme;
  acme.name_space = "acme";
  BOOST_TEST((error_of(run_in(snapshot, "RETURN 1", acme)).code == ErrorCode::unsupported));
  BOOST_TEST(count_of(run_in(snapshot, "MATCH (s:Z) RETURN count(*)")) == "0");
  must(execute(*database, "CREATE (:Z)"));
  BOOST_TEST(count_of(run_in(snapshot, "MATCH (s:Z) RETURN count(*)")) == "0");
  const Snapshot with_deleted = snapshot.with_deleted();
  BOOST_TEST((error_of(run_in(with_deleted, "RETURN 1")).code == ErrorCode::unsupported));
}

BOOST_AUTO_TEST_CASE(a_snapshot_does_not_see_what_comes_later) {
  must(execute(remote, "CREATE (:S)"));
  const Snapshot snapshot = must(remote.snapshot());
  BOOST_TEST(count_of(run_in(snapshot, "MATCH (s:S) RETURN count(*)")) == "1");
  must(execute(*database, "CREATE (:S)"));
  BOOST_TEST(count_of(run_in(snapshot, "MATCH (s:S) RETURN count(*)")) == "1");
  BOOST_TEST(count_of(execute(remote, "MATCH (s:S) RETURN count(*)")) == "2");
}

BOOST_AUTO_TEST_CASE(a_transaction_is_of_the_namespace_of_its_first_statement) {
  StatementOptions acme;
  acme.name_space = "acme";
  Transaction transaction = must(remote.begin());
  must(run_in(transaction, "CREATE (:N)", acme));
  const auto other = run_in(transaction, "CREATE (:N)");
  BOOST_TEST(outcome_text(other).find("uses the namespace \"acme\"") != std::string::npos);
  must(transaction.commit());
  BOOST_TEST(count_of(execute(remote, "MATCH (n:N) RETURN count(*)", {}, acme)) == "1");
  BOOST_TEST(count_of(execute(remote, "MATCH (n:N) RETURN count(*)")) == "0");
}

BOOST_AUTO_TEST_CASE(limits_hold_there_in_transactions_too) {
  StatementOptions options;
  options.timeout = std::chrono::milliseconds(50);
  const auto begin = TestClock::now();
  const Error late = error_of(execute(remote, long_statement, {}, options));
  BOOST_TEST((late.code == ErrorCode::resource_limit), late.message);
  BOOST_TEST(since(begin).count() < 5'000);
  Transaction transaction = must(remote.begin(TransactionMode::read));
  BOOST_TEST(text_of(run_in(transaction, long_statement, options)).find("50") != std::string::npos);
  options = {};
  options.max_rows = 2;
  BOOST_TEST(text_of(execute(remote, "UNWIND [1, 2, 3] AS i RETURN i", {}, options))
                 .find("limit of 2 rows") != std::string::npos);
  options = {};
  options.memory_bytes = 1 << 20;
  BOOST_TEST(error_of(execute(remote, "RETURN range(1, 1000000)", {}, options))
                 .message.find("StatementOptions::memory_bytes") != std::string::npos);
  options = {};
  options.disabled_rules = "x";
  BOOST_TEST((execute(remote, "RETURN 1", {}, options).error().code == ErrorCode::unsupported));
}

BOOST_AUTO_TEST_CASE(no_more_memory_or_rows_are_given_than_usual) {
  StatementOptions options;
  options.max_rows = static_cast<std::size_t>(-1);
  options.memory_bytes = static_cast<std::size_t>(-1);
  options.timeout = std::chrono::minutes(2);
  const Error refused = error_of(execute(remote, "RETURN size(range(1, 100000000))", {}, options));
  BOOST_TEST((refused.code == ErrorCode::resource_limit), refused.message);
}

BOOST_AUTO_TEST_CASE(a_statement_is_cancelled_and_the_connection_stays) {
  std::stop_source stop;
  StatementOptions options;
  options.cancel = stop.get_token();
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop.request_stop();
  });
  const Error stopped = error_of(execute(remote, long_statement, {}, options));
  BOOST_TEST((stopped.code == ErrorCode::cancelled), stopped.message);
  BOOST_TEST(text_of(execute(remote, "RETURN 1")) == "1 \n");
}

BOOST_AUTO_TEST_CASE(rows_that_nobody_reads_are_given_up) {
  {
    Rows rows = must(execute(remote, many_rows));
    BOOST_TEST((*must(rows.next()))[0].as_integer() == 1);
  }
  BOOST_TEST(text_of(execute(remote, "RETURN 1")) == "1 \n");
}

BOOST_AUTO_TEST_CASE(a_role_and_namespaces_are_kept_to) {
  const std::string reads = must(create_token(*database, {.name = "r", .role = Role::read}));
  Database reader = must(open(reads));
  BOOST_TEST(text_of(execute(reader, "RETURN 1")) == "1 \n");
  const auto refused = execute(reader, "CREATE (:No)");
  BOOST_TEST((refused.error().code == ErrorCode::unsupported));
  BOOST_TEST(refused.error().message.find("needs the role \"write\"") != std::string::npos,
             refused.error().message);
  StatementOptions acme;
  acme.name_space = "acme";
  BOOST_TEST((error_of(execute(reader, "RETURN 1", {}, acme)).code == ErrorCode::unsupported));
  BOOST_TEST(count_of(execute(*database, "MATCH (n:No) RETURN count(*)")) == "0");
}

BOOST_AUTO_TEST_CASE(calls_that_are_no_statements_are_refused_with_what_to_do) {
  for (const Error& error :
       {remote.statistics().error(), remote.check().error(), remote.role().error(),
        remote.backup("nowhere").error(), remote.checkpoint().error(),
        must(remote.snapshot()).find_node(NodeId{1}).error()}) {
    BOOST_TEST((error.code == ErrorCode::unsupported));
    BOOST_TEST(error.message.find("runs only statements") != std::string::npos, error.message);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
