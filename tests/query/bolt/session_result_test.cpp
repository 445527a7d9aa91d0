// Statements and transactions: pulling rows, several results, commits and rollbacks.
#include "tests/query/bolt/bolt_client.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/temporal.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

namespace cairn::test {
namespace {

using query::bolt::Tag;
using query::bolt::Version;

Map portion(std::int64_t rows, std::int64_t result = -1) { return {{"n", rows}, {"qid", result}}; }

}  // namespace

BOOST_FIXTURE_TEST_SUITE(bolt_session_results, BoltFixture)

BOOST_AUTO_TEST_CASE(a_statement_of_its_own_commits) {
  BoltClient one = client();
  const BoltAnswer run =
      one.run("CREATE (n:Person {name: $name}) RETURN n.name AS name", {{"name", "Ada"}});
  BOOST_TEST(run["fields"].to_text() == "['name']");
  BOOST_TEST(run["qid"].is_null());
  BOOST_TEST(run["t_first"].as_integer() >= 0);
  BOOST_TEST(one.pull() == "'Ada'");
  BOOST_TEST(one.pulled["type"].as_string() == "rw");
  BOOST_TEST(one.pulled["db"].as_string() == "neo4j");
  BOOST_TEST(one.pulled["has_more"].is_null());
  BOOST_TEST(one.pulled["t_last"].as_integer() >= 0);
  BoltClient other = client();
  BOOST_TEST(other.result("MATCH (n:Person) RETURN n.name AS name") == "'Ada'");
}

BOOST_AUTO_TEST_CASE(rows_come_in_portions) {
  BoltClient one = client();
  one.run("UNWIND range(1, 5) AS i RETURN i");
  BOOST_TEST(one.pull(2) == "1; 2");
  BOOST_TEST(one.pulled["has_more"].as_bool());
  BOOST_TEST(one.ask(Tag::discard, {portion(1)})["has_more"].as_bool());
  BOOST_TEST(one.pull(2) == "4; 5");
  BOOST_TEST(one.pulled["has_more"].is_null());
  BOOST_TEST(one.result("RETURN 6 AS six") == "6");
}

BOOST_AUTO_TEST_CASE(rows_that_are_prepared_come_once_and_in_order) {
  BoltClient one = client();
  const auto prepare = [&] { one.session().prepare([] { return false; }); };
  BOOST_TEST(!one.session().may_prepare());
  one.run("UNWIND range(1, 8) AS i RETURN i");
  BOOST_TEST(one.pull(2) == "1; 2");
  BOOST_TEST(one.session().may_prepare());
  prepare();
  BOOST_TEST(one.pull(3) == "3; 4; 5");
  prepare();
  prepare();  // there is enough
  BOOST_TEST(one.ask(Tag::discard, {portion(1)})["has_more"].as_bool());
  BOOST_TEST(one.pull(1) == "7");
  prepare();
  BOOST_TEST(one.pull() == "8");
  BOOST_TEST(!one.session().may_prepare());
  one.run("UNWIND range(1, 4) AS i RETURN i");
  BOOST_TEST(one.pull(2) == "1; 2");
  prepare();
  BOOST_TEST(one.pull(2) == "3; 4");
  BOOST_TEST(one.pulled["has_more"].is_null());
}

BOOST_AUTO_TEST_CASE(an_error_of_a_prepared_row_comes_behind_the_rows_before_it) {
  std::string texts[2];
  for (const bool is_prepared : {false, true}) {
    BoltClient one = client();
    one.run("UNWIND range(1, 3000) AS i RETURN 10 / (2990 - i) AS n");
    one.pull(2000);
    if (is_prepared) one.session().prepare([] { return false; });
    texts[is_prepared ? 1 : 0] = one.pull();
    BOOST_TEST(one.pulled.name() == "FAILURE");
  }
  BOOST_TEST(texts[0] == texts[1]);
}

BOOST_AUTO_TEST_CASE(a_transaction_that_was_let_go_is_a_conflict_and_may_end) {
  BoltClient one = client();
  BOOST_TEST(!one.session().may_let_go());
  one.ask(Tag::begin, {Map()});
  one.run("UNWIND range(1, 4) AS i RETURN i");
  BOOST_TEST(one.pull(2) == "1; 2");
  BOOST_TEST(one.session().may_let_go());
  one.session().let_go();
  BOOST_TEST(!one.session().may_let_go());
  const BoltAnswer pulled = one.ask(Tag::pull, {portion(2)});
  BOOST_TEST(pulled.name() == "FAILURE");
  BOOST_TEST(pulled["neo4j_code"].as_string() == "Neo.TransientError.Transaction.DeadlockDetected");
  BOOST_TEST(one.ask(Tag::reset).name() == "SUCCESS");
  BOOST_TEST(one.result("RETURN 5 AS five") == "5");
  one.ask(Tag::begin, {Map()});
  one.session().let_go();
  BOOST_TEST(one.ask(Tag::commit).name() == "SUCCESS");
  BOOST_TEST(one.result("RETURN 6 AS six") == "6");
  one.ask(Tag::begin, {Map()});
  one.run("CREATE (:A)");
  BOOST_TEST(!one.session().may_let_go());
}

BOOST_AUTO_TEST_CASE(nothing_is_prepared_where_a_message_waits) {
  std::atomic<int> calls = 0;
  must(database->register_function("app.waited(number :: INTEGER) :: INTEGER",
                                   [&calls](std::span<const Value> arguments) -> Result<Value> {
                                     ++calls;
                                     return arguments[0];
                                   }));
  BoltClient one = client();
  one.run("UNWIND range(1, 100000000) AS i RETURN app.waited(i) AS i");
  one.pull(5'000);
  const int before = calls;
  one.session().prepare([] { return true; });
  BOOST_TEST(calls == before);
  one.session().prepare([] { return false; });
  BOOST_TEST(calls > before);
  BOOST_TEST(calls < before + 10'000);
}

// Rows that were made without being asked for would count.
BOOST_AUTO_TEST_CASE(a_row_is_made_when_it_is_pulled) {
  std::atomic<int> calls = 0;
  must(database->register_function("app.counted(number :: INTEGER) :: INTEGER",
                                   [&calls](std::span<const Value> arguments) -> Result<Value> {
                                     ++calls;
                                     return arguments[0];
                                   }));
  for (const Map& extra : {Map(), Map{{"mode", "r"}}}) {
    calls = 0;
    BoltClient one = client();
    if (!extra.empty()) one.ask(Tag::begin, {extra});
    one.run("UNWIND range(1, 100000000) AS i RETURN app.counted(i) AS i", {}, extra);
    BOOST_TEST(one.pull(10) == "1; 2; 3; 4; 5; 6; 7; 8; 9; 10");
    BOOST_TEST(one.pull(10) == "11; 12; 13; 14; 15; 16; 17; 18; 19; 20");
    BOOST_TEST(calls >= 20);
    BOOST_TEST(calls < 100'000);
    BOOST_TEST(one.ask(Tag::discard, {portion(-1)}).name() == "SUCCESS");
    BOOST_TEST(calls < 100'000);
  }
}

// Rows are made in batches, and the error is of the batch that it is in: the rows before it come, whatever is pulled.
BOOST_AUTO_TEST_CASE(an_error_comes_with_the_pull_that_needs_it) {
  const std::string text = "UNWIND range(1, 5000) AS i RETURN 10 / (4990 - i) AS x";
  BoltClient one = client();
  one.run(text);
  std::int64_t rows = 0;
  for (; !one.pull(1).starts_with("Neo."); ++rows) {
  }
  BOOST_TEST(rows > 0);
  one.ask(Tag::reset);
  one.run(text);
  one.pull(rows);
  BOOST_TEST(one.pulled["has_more"].to_text() == "true");
  BOOST_TEST(one.pull(1).starts_with("Neo.ClientError.Statement.ArgumentError: line 1, column "));
}

BOOST_AUTO_TEST_CASE(a_transaction_is_seen_by_others_once_it_commits) {
  BoltClient one = client();
  BoltClient other = client();
  BOOST_TEST(one.ask(Tag::begin, {Map()})["db"].as_string() == "neo4j");
  BOOST_TEST(one.result("CREATE (n:Person {name: 'Ada'}) RETURN 1 AS one") == "1");
  BOOST_TEST(one.result("MATCH (n:Person) RETURN count(*) AS n") == "1");
  BOOST_TEST(other.result("MATCH (n:Person) RETURN count(*) AS n") == "0");
  const BoltAnswer committed = one.ask(Tag::commit);
  BOOST_TEST(committed["bookmark"].as_string().starts_with("cairn:"));
  BOOST_TEST(other.result("MATCH (n:Person) RETURN count(*) AS n", {},
                          {{"bookmarks", List{committed["bookmark"]}}}) == "1");
  one.ask(Tag::begin, {Map()});
  one.result("MATCH (n:Person) DETACH DELETE n");
  one.ask(Tag::rollback);
  BOOST_TEST(other.result("MATCH (n:Person) RETURN count(*) AS n") == "1");
}

BOOST_AUTO_TEST_CASE(a_reading_transaction_stays_at_its_moment) {
  BoltClient reader = client();
  BoltClient writer = client();
  reader.ask(Tag::begin, {Map{{"mode", "r"}}});
  writer.result("CREATE (:Late)");
  BOOST_TEST(reader.result("MATCH (n:Late) RETURN count(*) AS n") == "0");
  BOOST_TEST(failure_title(reader.run("CREATE (:Late)")) == "AccessMode");
  reader.ask(Tag::reset);
  BOOST_TEST(reader.result("MATCH (n:Late) RETURN count(*) AS n") == "1");
  BOOST_TEST(failure_title(reader.run("CREATE (:Late)", {}, {{"mode", "r"}})) == "AccessMode");
}

// Drivers begin in mode w unless told otherwise, also to read.
BOOST_AUTO_TEST_CASE(a_transaction_takes_the_turn_when_it_writes) {
  BoltClient reader = client();
  BoltClient writer = client();
  reader.ask(Tag::begin, {Map()});
  BOOST_TEST(reader.result("MATCH (n:Late) RETURN count(*) AS n") == "0");
  BOOST_TEST(writer.result("CREATE (:Late)") == "");
  BOOST_TEST(reader.result("MATCH (n:Late) RETURN count(*) AS n") == "0");
  BOOST_TEST(reader.ask(Tag::commit).name() == "SUCCESS");
  reader.ask(Tag::begin, {Map()});
  BOOST_TEST(reader.result("MATCH (n) RETURN count(*) AS n") == "1");
  BOOST_TEST(reader.result("CREATE (:Own)") == "");
  BOOST_TEST(reader.result("MATCH (n) RETURN count(*) AS n") == "2");
  BOOST_TEST(reader.ask(Tag::commit).name() == "SUCCESS");
  BOOST_TEST(writer.result("MATCH (n) RETURN count(*) AS n") == "2");
}

// It would write by what is no longer so, and an update would be lost.
BOOST_AUTO_TEST_CASE(a_transaction_does_not_write_by_what_it_read_before_others_committed) {
  BoltClient one = client();
  BoltClient other = client();
  one.result("CREATE (:Count {n: 1})");
  one.ask(Tag::begin, {Map()});
  BOOST_TEST(one.result("MATCH (c:Count) RETURN c.n AS n") == "1");
  BOOST_TEST(other.result("MATCH (c:Count) SET c.n = c.n + 1") == "");
  const std::string refused = failure_text(one.run("MATCH (c:Count) SET c.n = 2"));
  BOOST_TEST(refused.starts_with("Neo.TransientError.Transaction.DeadlockDetected"), refused);
  one.ask(Tag::reset);
  // Run again it has the turn before it reads, so that nobody comes between.
  one.ask(Tag::begin, {Map()});
  BOOST_TEST(!database->begin());
  BOOST_TEST(one.result("MATCH (c:Count) RETURN c.n AS n") == "2");
  BOOST_TEST(one.result("MATCH (c:Count) SET c.n = 3") == "");
  BOOST_TEST(one.ask(Tag::commit).name() == "SUCCESS");
  BOOST_TEST(other.result("MATCH (c:Count) RETURN c.n AS n") == "3");
  // Who only writes has read nothing that could be old.
  one.ask(Tag::begin, {Map()});
  other.result("CREATE (:Between)");
  BOOST_TEST(one.result("MATCH (c:Count) SET c.n = c.n + 1") == "");
  BOOST_TEST(one.ask(Tag::commit).name() == "SUCCESS");
}

BOOST_AUTO_TEST_CASE(a_transaction_has_its_time_as_a_whole) {
  BoltClient one = client();
  for (const Tag late : {Tag::commit, Tag::run}) {
    one.ask(Tag::begin, {Map{{"tx_timeout", 100}}});
    one.result("CREATE (:Lost)");
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    const BoltAnswer answer =
        late == Tag::commit ? one.ask(Tag::commit) : one.run("CREATE (:Lost)");
    BOOST_TEST(failure_title(answer) == "TransactionTimedOut");
    one.ask(Tag::reset);
  }
  BOOST_TEST(one.result("MATCH (n:Lost) RETURN count(*) AS n") == "0");
}

BOOST_AUTO_TEST_CASE(several_results_are_open_by_number) {
  for (const char* mode : {"r", "w"}) {
    BoltClient one = client();
    one.ask(Tag::begin, {Map{{"mode", mode}}});
    const std::int64_t first = one.run("UNWIND range(1, 4) AS i RETURN i")["qid"].as_integer();
    const std::int64_t second = one.run("UNWIND range(11, 14) AS i RETURN i")["qid"].as_integer();
    BOOST_TEST(first != second);
    BOOST_TEST(one.pull(2, first) == "1; 2");
    BOOST_TEST(one.pull(3, second) == "11; 12; 13");
    BOOST_TEST(one.pull(-1, first) == "3; 4");
    BOOST_TEST(one.pulled["bookmark"].is_null());
    BOOST_TEST(one.pull() == "14");
    BOOST_TEST(failure_title(one.ask(Tag::pull, {portion(1, first)})) == "Invalid");
    BOOST_TEST(!one.is_closed);
    one.ask(Tag::reset);
  }
}

BOOST_AUTO_TEST_CASE(open_results_are_dropped_by_a_commit) {
  BoltClient one = client();
  one.ask(Tag::begin, {Map()});
  one.run("UNWIND range(1, 4) AS i CREATE (:Made) RETURN i");
  BOOST_TEST(one.pull(1) == "1");
  BOOST_TEST(one.ask(Tag::commit).name() == "SUCCESS");
  BOOST_TEST(one.result("MATCH (n:Made) RETURN count(*) AS n") == "4");
}

BOOST_AUTO_TEST_CASE(results_have_a_limit) {
  limits.results = 3;
  BoltClient one = client();
  one.ask(Tag::begin, {Map{{"mode", "r"}}});
  for (int i = 0; i < 3; ++i) BOOST_TEST(one.run("RETURN 1").name() == "SUCCESS");
  one.pull();
  BOOST_TEST(one.run("RETURN 1").name() == "SUCCESS");
  const std::string refused = failure_text(one.run("RETURN 1"));
  BOOST_TEST(refused.starts_with("Neo.ClientError.Statement.ExecutionFailed"), refused);
  BOOST_TEST(refused.find("BoltLimits::results") != std::string::npos, refused);
}

BOOST_AUTO_TEST_CASE(a_failure_is_rolled_back_and_waits_for_a_reset) {
  BoltClient one = client();
  one.ask(Tag::begin, {Map()});
  one.result("CREATE (:Lost)");
  BOOST_TEST(failure_title(one.run("RETURN 1 +")) == "SyntaxError");
  BOOST_TEST(one.run("RETURN 1").name() == "IGNORED");
  BOOST_TEST(one.ask(Tag::pull, {portion(-1)}).name() == "IGNORED");
  BOOST_TEST(one.ask(Tag::commit).name() == "IGNORED");
  // The turn is free again already.
  BoltClient other = client();
  BOOST_TEST(other.result("CREATE (:Kept)") == "");
  BOOST_TEST(one.ask(Tag::reset).name() == "SUCCESS");
  BOOST_TEST(one.result("MATCH (n:Lost) RETURN count(*) AS n") == "0");
}

BOOST_AUTO_TEST_CASE(the_end_of_a_session_rolls_back) {
  {
    BoltClient one = client();
    one.ask(Tag::begin, {Map()});
    one.result("CREATE (:Lost)");
  }
  BOOST_TEST(result_of(*database, "MATCH (n:Lost) RETURN count(*) AS n") == "0");
}

BOOST_AUTO_TEST_CASE(a_client_that_is_gone_ends_the_session) {
  BoltClient one = client();
  one.run("UNWIND range(1, 1000000) AS i RETURN i");
  one.most_answers = 3;
  BOOST_TEST(one.send(Tag::pull, {portion(-1)}).size() == 3U);
  BOOST_TEST(one.is_closed);
}

BOOST_AUTO_TEST_CASE(parameters_of_all_types_come_back) {
  const Map parameters{{"null", nullptr},
                       {"boolean", true},
                       {"integer", std::int64_t{-9'000'000'000}},
                       {"float", 2.5},
                       {"text", "caf\xc3\xa9"},
                       {"list", list_of({1, "two", nullptr})},
                       {"map", map_of({{"a", list_of({map_of({{"b", 1}})})}})}};
  BoltClient one = client();
  for (const auto& [name, value] : parameters)
    BOOST_TEST(one.result("RETURN $" + name + " AS value", parameters) == value.to_text());
  for (const char* literal : {"date('2026-01-02')", "localtime('10:11:12.5')",
                              "time('10:11:12+02:00')", "localdatetime('2026-01-02T10:11:12')",
                              "datetime('2026-01-02T10:11:12+02:00')", "duration('P1Y2DT3S')"}) {
    const Value value = must(parse_literal(literal));
    BOOST_TEST(one.result("RETURN $value = " + std::string(literal) + " AS same",
                          {{"value", value}}) == "true");
  }
  BoltClient newest = client({6, 0});
  BOOST_TEST(newest.result("RETURN $v AS v", {{"v", Vector({1, 2})}}).find("structure: 'V'") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_value_that_the_language_has_not_fails_its_statement) {
  BoltClient one = client();
  std::string bytes;
  codec::PackStreamWriter writer(bytes);
  writer.begin_structure(0x10, 3);
  writer.add_text("RETURN $x");
  writer.begin_map(1);
  writer.add_text("x");
  writer.add_bytes("abc");
  writer.begin_map(0);
  const auto answers = one.send_bytes(bytes);
  BOOST_TEST(failure_title(answers.at(0)) == "TypeError");
  BOOST_TEST(!one.is_closed);
  one.ask(Tag::reset);
  BOOST_TEST(one.result("RETURN 1 AS one") == "1");
}

BOOST_AUTO_TEST_CASE(entities_are_structures) {
  BoltClient one = client();
  const std::string row =
      one.result("CREATE (a:A {x: 1})-[r:R {y: 2}]->(b:B) RETURN a, r, [a] AS list");
  BOOST_TEST(row.find("structure: 'N'") != std::string::npos, row);
  BOOST_TEST(row.find("structure: 'R'") != std::string::npos, row);
}

BOOST_AUTO_TEST_CASE(a_time_limit_is_the_statements) {
  BoltClient one = client();
  const auto begin = std::chrono::steady_clock::now();
  const std::string text =
      "UNWIND range(1, 1000000000) AS i WITH i WHERE i < 0 RETURN count(*) AS n";
  BOOST_TEST(one.result(text, {}, {{"tx_timeout", 30}})
                 .starts_with("Neo.ClientError.Transaction.TransactionTimedOut"));
  one.ask(Tag::reset);
  one.ask(Tag::begin, {Map{{"tx_timeout", 30}}});
  BOOST_TEST(one.result(text).starts_with("Neo.ClientError.Transaction.TransactionTimedOut"));
  one.ask(Tag::reset);
  // Without it they have half a minute.
  BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds(10)));
  BOOST_TEST(one.result("RETURN 1 AS one", {}, {{"tx_timeout", 0}}) == "1");
}

BOOST_AUTO_TEST_CASE(functions_of_the_program_are_those_of_now) {
  BoltClient one = client();
  const auto answer = [&](int number) {
    must(database->register_function(
        "app.number() :: INTEGER",
        [number](std::span<const Value>) -> Result<Value> { return number; }));
    return one.result("RETURN app.number() AS n");
  };
  BOOST_TEST(answer(1) == "1");
  BOOST_TEST(answer(2) == "2");
}

BOOST_AUTO_TEST_CASE(files_are_not_for_clients) {
  const TemporaryDirectory directory;
  std::ofstream(directory.path() / "x.csv") << "a\n";
  Options options;
  options.file_root = directory.path();
  BoltFixture served(options);
  const std::string text = "LOAD CSV FROM 'file:///x.csv' AS row RETURN row[0] AS cell";
  BOOST_TEST(result_of(*served.database, text) == "'a'");
  BoltClient one = served.client();
  const std::string refused = one.result(text);
  BOOST_TEST(refused.starts_with("Neo.ClientError"), refused);
}

BOOST_AUTO_TEST_CASE(a_route_leads_to_this_server) {
  BoltClient one = client();
  const BoltAnswer answer = one.ask(Tag::route, {Map(), List(), Map{{"db", nullptr}}});
  BOOST_TEST(answer["rt"].to_text() ==
             "{db: 'neo4j', servers: [{addresses: ['127.0.0.1:7687'], role: 'ROUTE'}, {addresses: "
             "['127.0.0.1:7687'], role: 'READ'}, {addresses: ['127.0.0.1:7687'], role: 'WRITE'}], "
             "ttl: 300}");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
