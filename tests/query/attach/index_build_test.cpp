// An index over many records is listed while it is built, and the build can be terminated: locally, attached and by
// Bolt. A terminated build leaves nothing behind.

#include "engine/database/access.hpp"
#include "engine/write/writer.hpp"
#include "tests/query/attach/attached_fixture.hpp"
#include "tests/query/bolt/listener_fixture.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace cairn::test {
namespace {

using query::bolt::Tag;

constexpr const char* full_text = "CREATE FULLTEXT INDEX made FOR (d:Doc) ON EACH [d.text]";
constexpr const char* vectors =
    "CREATE VECTOR INDEX made FOR (v:List) ON (v.list) OPTIONS {indexConfig: "
    "{`vector.dimensions`: 8, `vector.similarity_function`: 'cosine'}}";
constexpr const char* constraint = "CREATE CONSTRAINT made FOR (v:List) REQUIRE v.key IS UNIQUE";
constexpr const char* made_indexes = "SHOW INDEXES YIELD name WHERE name = 'made' RETURN name";
constexpr const char* texts_found =
    "CALL db.index.fulltext.queryNodes('made', 'tea') YIELD node RETURN count(*)";

/// Texts that take some tenths of a second to analyse: few, so that they are made soon.
void add_texts(Database& database) {
  std::string text = "tea";
  for (int i = 0; i < 2'000; ++i) text += " word" + std::to_string(i * i);
  for (int part = 0; part < 10; ++part)
    must(execute(database, "UNWIND range(1, 40) AS i CREATE (:Doc {text: $text + i})",
                 {{"text", text}}));
}

void add_lists(Database& database) {
  must(execute(database,
               "UNWIND range(1, 20000) AS i "
               "CREATE (:List {key: i, list: [1.0, 0.5, i, 0.1, 0.2, 0.3, 0.4, 0.5]})"));
}

/// The id under which a statement is listed; nothing where it is not.
std::optional<std::string> listed_id(Database& database, const std::string& text) {
  Rows rows = must(execute(database,
                           "SHOW TRANSACTIONS YIELD transactionId, currentQuery, status "
                           "WHERE currentQuery = $text AND status = 'Running' RETURN transactionId",
                           {{"text", text}}));
  const auto row = must(rows.next());
  return row ? std::optional((*row)[0].as_string()) : std::nullopt;
}

/// Runs `run`, which builds an index, in a thread, until `end` has terminated the build and returns true. Returns the
/// outcome of `run`, or nothing if the index was complete before that.
std::optional<std::string> ended_once(const std::function<std::string()>& run,
                                      const std::function<bool()>& end) {
  std::atomic<bool> is_made = false;
  std::string outcome;
  std::thread runner([&] {
    outcome = run();
    is_made = true;
  });
  bool is_ended = false;
  while (!is_made && !is_ended) is_ended = end();
  const auto asked = TestClock::now();
  runner.join();
  if (!is_ended || outcome == "success") return std::nullopt;
  BOOST_TEST(since(asked).count() < 5'000);
  return outcome;
}

/// The same, but what was made before is undone and made again.
std::string ended(Database& database, const std::function<std::string()>& run,
                  const std::function<bool()>& end,
                  const std::vector<const char*>& undo = {"DROP INDEX made IF EXISTS"}) {
  for (int tries = 0; tries < 10; ++tries) {
    if (auto outcome = ended_once(run, end)) return *std::move(outcome);
    for (const char* const statement : undo) must(execute(database, statement));
  }
  return "it was made before it could be ended";
}

/// Ends the statement with this text, if it is listed.
bool terminate(Database& database, const std::string& text) {
  const auto id = listed_id(database, text);
  return id && result_of(database, "TERMINATE TRANSACTION '" + *id + "'") != "";
}

std::string terminated(Database& database, const std::string& text,
                       const std::function<std::string()>& run) {
  return ended(database, run, [&] { return terminate(database, text); },
               {"DROP INDEX made IF EXISTS", "DROP CONSTRAINT made IF EXISTS"});
}

std::string outcome_of(Database& database, const std::string& text,
                       const StatementOptions& options = {}) {
  const auto rows = execute(database, text, {}, options);
  return outcome_text(rows);
}

/// Nothing is left of the index, and it can be made then.
void check_nothing_is_left(Database& database) {
  BOOST_TEST(result_of(database, made_indexes) == "");
  BOOST_TEST(result_of(database, "SHOW CONSTRAINTS YIELD name RETURN name") == "");
  BOOST_TEST(result_of(database, "CREATE (n:Next) DELETE n RETURN 1") == "1");
  BOOST_TEST(must(database.check()).empty());
}

void check_texts_can_be_indexed(Database& database) {
  check_nothing_is_left(database);
  BOOST_TEST(outcome_of(database, full_text) == "success");
  BOOST_TEST(result_of(database, texts_found) == "400");
  BOOST_TEST(must(database.check()).empty());
}

/// Whether so many percent of an index are made.
bool is_made_beyond(Database& database, const std::string& index, int percent) {
  return result_of(database, "SHOW INDEXES YIELD name, populationPercent WHERE name = '" + index +
                                 "' AND populationPercent > " + std::to_string(percent) +
                                 " RETURN 1") != "";
}

constexpr std::string_view cancelled_commit =
    "cancelled: the transaction was cancelled while its commit filled a full-text index; "
    "nothing of it was written";

}  // namespace

BOOST_AUTO_TEST_SUITE(index_build)

BOOST_AUTO_TEST_CASE(a_full_text_index_that_is_made_can_be_ended) {
  TemporaryDatabase database;
  add_texts(*database);
  const auto run = [&] { return outcome_of(*database, full_text); };
  BOOST_TEST(terminated(*database, full_text, run) == cancelled_commit);
  check_texts_can_be_indexed(*database);
}

// Some are on the disk by then.
BOOST_AUTO_TEST_CASE(pieces_of_an_index_that_was_ended_are_erased) {
  Options options;
  options.transaction_bytes = std::size_t{2} << 20;
  TemporaryDatabase database(options);
  add_texts(*database);
  const auto run = [&] { return outcome_of(*database, full_text); };
  const auto end = [&] {
    return is_made_beyond(*database, "made", 70) && terminate(*database, full_text);
  };
  BOOST_TEST(ended(*database, run, end) == cancelled_commit);
  BOOST_TEST(must(database->check()).empty());
  check_texts_can_be_indexed(*database);
}

// One transaction may make several: the first is on the disk when the second is ended.
BOOST_AUTO_TEST_CASE(an_index_that_was_filled_before_the_one_that_is_ended_is_erased) {
  TemporaryDatabase database;
  add_texts(*database);
  const auto run = [&] {
    Transaction transaction = must(database->begin());
    must(must(Statement::parse(full_text)).run(transaction));
    must(
        must(Statement::parse("CREATE FULLTEXT INDEX second FOR (d:Doc) ON EACH [d.text, d.title]"))
            .run(transaction));
    return outcome_text(transaction.commit());
  };
  const auto end = [&] {
    return is_made_beyond(*database, "second", 0) && terminate(*database, "COMMIT");
  };
  BOOST_TEST(ended(*database, run, end, {"DROP INDEX made", "DROP INDEX second"}) ==
             cancelled_commit);
  BOOST_TEST(must(database->check()).empty());
  check_texts_can_be_indexed(*database);
}

// In a transaction, the commit does the work.
BOOST_AUTO_TEST_CASE(the_commit_that_makes_an_index_can_be_ended) {
  TemporaryDatabase database;
  add_texts(*database);
  const auto run = [&] {
    Transaction transaction = must(database->begin());
    must(must(Statement::parse(full_text)).run(transaction));
    return outcome_text(transaction.commit());
  };
  BOOST_TEST(terminated(*database, "COMMIT", run) == cancelled_commit);
  check_texts_can_be_indexed(*database);
}

BOOST_AUTO_TEST_CASE(vectors_and_a_constraint_that_are_made_can_be_ended) {
  TemporaryDatabase database;
  add_lists(*database);
  const auto run_vectors = [&] { return outcome_of(*database, vectors); };
  BOOST_TEST(terminated(*database, vectors, run_vectors) ==
             "cancelled: the statement was cancelled");
  check_nothing_is_left(*database);
  const auto run_constraint = [&] { return outcome_of(*database, constraint); };
  BOOST_TEST(terminated(*database, constraint, run_constraint) ==
             "cancelled: the statement was cancelled");
  check_nothing_is_left(*database);
}

BOOST_AUTO_TEST_CASE(an_attached_process_can_end_what_it_makes) {
  AttachedFixture fixture;
  add_texts(fixture.database);
  const auto run = [&] { return outcome_of(fixture.database, full_text); };
  BOOST_TEST(terminated(fixture.database, full_text, run) == cancelled_commit);
  check_texts_can_be_indexed(fixture.database);
}

// The token of the caller ends it too.
BOOST_AUTO_TEST_CASE(a_token_ends_what_is_made_here_and_in_the_host) {
  AttachedFixture fixture;
  TemporaryDatabase local;
  for (Database* const database : {&*local, &fixture.database}) {
    add_texts(*database);
    std::optional<std::string> outcome;
    for (int tries = 0; tries < 10 && !outcome; ++tries) {
      must(execute(*database, "DROP INDEX made IF EXISTS"));
      std::stop_source source;
      StatementOptions options;
      options.cancel = source.get_token();
      const auto end = [&] { return listed_id(*database, full_text) && source.request_stop(); };
      outcome = ended_once([&] { return outcome_of(*database, full_text, options); }, end);
    }
    BOOST_TEST_REQUIRE(outcome.has_value());
    BOOST_TEST(outcome->starts_with("cancelled: "), *outcome);
    check_texts_can_be_indexed(*database);
  }
}

// The default limit does not: nobody chose it, and the work is as long as the records are many.
BOOST_AUTO_TEST_CASE(a_time_limit_that_was_chosen_ends_what_is_made) {
  TemporaryDatabase database;
  add_texts(*database);
  add_lists(*database);
  StatementOptions options;
  options.timeout = std::chrono::milliseconds(5);
  for (const char* const text : {full_text, vectors, constraint}) {
    const std::string outcome = outcome_of(*database, text, options);
    BOOST_TEST(outcome.starts_with("resource_limit: the statement reached its limit of 5 ms"),
               outcome);
    check_nothing_is_left(*database);
  }
}

BOOST_AUTO_TEST_CASE(a_time_limit_ends_what_an_attached_process_makes) {
  AttachedFixture fixture;
  add_texts(fixture.database);
  StatementOptions options;
  options.timeout = std::chrono::milliseconds(20);
  const std::string outcome = outcome_of(fixture.database, full_text, options);
  BOOST_TEST(outcome.starts_with("resource_limit: the statement reached its limit of 20 ms"),
             outcome);
  check_texts_can_be_indexed(fixture.database);
}

BOOST_FIXTURE_TEST_CASE(a_time_limit_ends_the_commit_of_a_driver, ListenerFixture) {
  add_texts(*database);
  SocketClient driver = client();
  // A busy machine may take longer for what comes before the commit.
  int limit = 50;
  driver.ask(Tag::begin, {Map{{"tx_timeout", limit}}});
  while (driver.result(full_text) != "") {
    BOOST_REQUIRE(limit < 1'000);
    limit *= 2;
    BOOST_TEST(driver.ask(Tag::reset).name() == "SUCCESS");
    driver.ask(Tag::begin, {Map{{"tx_timeout", limit}}});
  }
  const std::string outcome = failure_text(driver.ask(Tag::commit));
  BOOST_TEST(outcome.find("TransactionTimedOut") != std::string::npos, outcome);
  check_texts_can_be_indexed(*database);
}

// The commit counts the time since the statement began, or none.
BOOST_AUTO_TEST_CASE(a_commit_ends_when_the_time_of_its_statement_is_over) {
  TemporaryDatabase database;
  must(execute(*database, "CREATE (:Doc {text: 'tea'})"));
  const auto commit = [&](std::chrono::milliseconds timeout,
                          std::optional<std::chrono::steady_clock::time_point> begun) {
    StatementOptions options;
    options.timeout = timeout;
    Transaction transaction = must(database->begin());
    must(must(Statement::parse(full_text)).run(transaction));
    Access::writer(transaction)->commit_for("CREATE", options, begun);
    return outcome_text(transaction.commit());
  };
  const auto now = std::chrono::steady_clock::now();
  constexpr std::chrono::minutes minute(1);
  const std::string outcome = commit(minute, now - 2 * minute);
  BOOST_TEST(outcome.starts_with("resource_limit: the statement reached its limit of 60000 ms"),
             outcome);
  check_nothing_is_left(*database);
  BOOST_TEST(commit(minute, now) == "success");
  must(execute(*database, "DROP INDEX made"));
  BOOST_TEST(commit(std::chrono::milliseconds(0), std::nullopt) == "success");
  must(execute(*database, "DROP INDEX made"));
  const auto usual = StatementOptions().timeout;
  BOOST_TEST(commit(usual, now - 2 * usual) == "success");
}

BOOST_FIXTURE_TEST_CASE(a_driver_can_end_what_it_makes, ListenerFixture) {
  add_texts(*database);
  const auto run = [&] {
    SocketClient one = client();
    const std::string outcome = one.result(full_text);
    return outcome.empty() ? "success" : outcome;
  };
  const std::string outcome = terminated(*database, full_text, run);
  BOOST_TEST(outcome.ends_with(cancelled_commit.substr(cancelled_commit.find("the "))), outcome);
  check_texts_can_be_indexed(*database);
}

BOOST_FIXTURE_TEST_CASE(what_a_driver_makes_ends_when_it_is_gone, ListenerFixture) {
  add_texts(*database);
  bool is_ended = false;
  for (int tries = 0; tries < 10 && !is_ended; ++tries) {
    must(execute(*database, "DROP INDEX made IF EXISTS"));
    {
      SocketClient gone = client();
      BOOST_TEST(gone.send(statement_bytes(full_text)));
      comes_true([&] { return listed_id(*database, full_text).has_value(); });
    }
    BOOST_TEST(has_connections(0));
    is_ended = result_of(*database, made_indexes) == "";
  }
  BOOST_TEST(is_ended);
  check_texts_can_be_indexed(*database);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
