// Requests with an id in tx_metadata: a second run of the same request commits nothing.
#include "codec/meta.hpp"
#include "engine/database/access.hpp"
#include "engine/database/core.hpp"
#include "query/bolt/stored_outcome.hpp"
#include "query/bolt/work.hpp"
#include "tests/query/bolt/bolt_client.hpp"
#include "tests/support/graph_builder.hpp"

#include <cairn/scrub.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace cairn;
using namespace cairn::test;
using query::bolt::OldRequests;
using query::bolt::Tag;

namespace {

Map request(const Value& id) { return {{"tx_metadata", Map{{"cairn_request_id", id}}}}; }

std::string key_of(const char* id) {
  return codec::client_entry_key(query::bolt::note_of_request("all", "", id).client);
}

/// Keeps an outcome of some time ago. Returns its key.
std::string keep_old(const Database& database, const char* id,
                     std::chrono::minutes age = std::chrono::minutes(11),
                     bool is_unfinished = false) {
  const auto time = OldRequests::Clock::now() - age;
  const auto micros =
      std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch());
  std::string key = key_of(id);
  must(Access::core(database)->write_note(
      key, codec::encode(codec::ClientEntry{1, micros.count(), {}, is_unfinished})));
  return key;
}

bool is_kept(const Database& database, const std::string& key) {
  return must(Access::core(database)->store().get(engine::Family::meta, key, nullptr)).has_value();
}

struct RequestFixture : BoltFixture {
  BoltClient session = client();

  std::string run(const std::string& text, const char* id) {
    return session.result(text, {}, request(id));
  }
  std::string count() { return session.result("MATCH (n:A) RETURN count(n)"); }
  /// Registers a function that calls `pause` once, while no transaction of the statement is open.
  void call_between_batches(std::function<void()> pause) {
    const auto body = [pause = std::move(pause),
                       was_called = std::make_shared<std::atomic<bool>>()](
                          std::span<const Value> arguments) -> Result<Value> {
      if (!was_called->exchange(true)) pause();
      return arguments[0];
    };
    must(database->register_function("test.pause(i :: INTEGER) :: INTEGER", body));
  }
};

// Reads row 2,500 when the first batch is committed.
constexpr const char* paused_call =
    "UNWIND range(1, 3000) AS i WITH i, CASE i WHEN 2500 THEN test.pause(i) ELSE 0 END AS z "
    "CALL (i) { CREATE (:A {i: i}) } IN TRANSACTIONS OF 1000 ROWS";

/// A scrub that erases old outcomes, and then fails because the paused statement holds a snapshot.
void scrub_in_the_pause(Database& database) {
  const auto refused = database.scrub({.wait_for_readers = std::chrono::milliseconds(0)});
  BOOST_REQUIRE(!refused);
  BOOST_TEST(refused.error().message.find("still sees") != std::string::npos,
             refused.error().message);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(request_ids, RequestFixture)

BOOST_AUTO_TEST_CASE(a_repeated_statement_answers_as_before_and_commits_nothing) {
  const std::string text = "CREATE (n:A {x: 1}) RETURN n.x, 'y'";
  BOOST_TEST(run(text, "r1") == "1 | 'y'");
  const Value counts = session.pulled["stats"];
  const Value bookmark = session.pulled["bookmark"];
  BoltClient again = client();
  BOOST_TEST(again.result(text, {}, request("r1")) == "1 | 'y'");
  BOOST_TEST((again.pulled["stats"] == counts));
  BOOST_TEST((again.pulled["bookmark"] == bookmark));
  BOOST_TEST(count() == "1");
  BOOST_TEST(run(text, "r2") == "1 | 'y'");
  BOOST_TEST(count() == "2");
}

// It has several commits, the last of which keeps the outcome.
BOOST_AUTO_TEST_CASE(a_repeated_drop_of_a_namespace_answers_as_before_and_drops_nothing) {
  const std::string fill = "UNWIND range(1, 3000) AS i CREATE (:A)";
  static_cast<void>(session.result(fill, {}, {{"db", "acme"}}));
  BOOST_TEST(run("DROP NAMESPACE acme", "r1") == "");
  const Value counts = session.pulled["stats"];
  BOOST_TEST(counts.to_text().find("`nodes-deleted`: 3000") != std::string::npos, counts.to_text());
  static_cast<void>(session.result("CREATE (:A)", {}, {{"db", "acme"}}));
  BoltClient again = client();
  BOOST_TEST(again.result("DROP NAMESPACE acme", {}, request("r1")) == "");
  BOOST_TEST((again.pulled["stats"] == counts));
  BOOST_TEST(session.result("MATCH (n) RETURN count(n)", {}, {{"db", "acme"}}) == "1");
}

BOOST_AUTO_TEST_CASE(a_drop_of_a_namespace_erases_its_requests) {
  const auto send = [&](const char* name_space, const char* text) {
    Map extra = request("r1");
    extra.emplace("db", name_space);
    BoltClient one = client();
    return one.result(text, {}, extra);
  };
  for (const char* name : {"acme", "acme2"}) static_cast<void>(send(name, "CREATE (:A)"));
  static_cast<void>(session.result("DROP NAMESPACE acme"));
  for (const char* name : {"acme", "acme2"}) static_cast<void>(send(name, "CREATE (:A)"));
  BOOST_TEST(session.result("MATCH (n) RETURN count(n)", {}, {{"db", "acme"}}) == "1");
  BOOST_TEST(session.result("MATCH (n) RETURN count(n)", {}, {{"db", "acme2"}}) == "1");
}

// The entry of the drop itself is in the namespace too, and is needed if the answer was lost.
BOOST_AUTO_TEST_CASE(a_drop_from_within_the_namespace_may_be_repeated) {
  static_cast<void>(session.result("CREATE (:A)", {}, {{"db", "acme"}}));
  Map extra = request("r1");
  extra.emplace("db", "acme");
  for (int i = 0; i < 2; ++i) {
    BoltClient one = client();
    BOOST_TEST(one.result("DROP NAMESPACE acme", {}, extra) == "");
  }
}

// Others write between the commits, so that neither request finds an outcome when it begins.
BOOST_AUTO_TEST_CASE(a_drop_that_two_connections_request_at_once_succeeds_for_both) {
  const std::string fill = "UNWIND range(1, 10000) AS i CREATE (:A)";
  static_cast<void>(session.result(fill, {}, {{"db", "acme"}}));
  std::array<std::string, 2> results{"none", "none"};
  {
    std::vector<std::jthread> both;
    for (std::string& result : results)
      both.emplace_back([this, &result] {
        BoltClient one = client();
        result = one.result("DROP NAMESPACE acme", {}, request("r1"));
      });
  }
  BOOST_TEST(results[0] == "");
  BOOST_TEST(results[1] == "");
}

BOOST_AUTO_TEST_CASE(a_repeated_statement_in_batches_answers_as_before_and_commits_nothing) {
  const std::string call =
      "UNWIND range(1, 5) AS i CALL (i) { CREATE (:A) } IN TRANSACTIONS OF 2 ROWS";
  BOOST_TEST(run(call, "r1") == "");
  const Value counts = session.pulled["stats"];
  BOOST_TEST(counts.to_text().find("`nodes-created`: 5") != std::string::npos, counts.to_text());
  BOOST_TEST(run(call + " RETURN sum(i)", "r2") == "15");
  BOOST_TEST(count() == "10");
  BoltClient again = client();
  BOOST_TEST(again.result(call, {}, request("r1")) == "");
  BOOST_TEST((again.pulled["stats"] == counts));
  const std::string told = failure_text(again.run(call + " RETURN sum(i)", {}, request("r2")));
  BOOST_TEST(told.find("its rows are lost") != std::string::npos, told);
  BOOST_TEST(count() == "10");
}

BOOST_AUTO_TEST_CASE(a_repeated_statement_in_batches_that_failed_is_told_what_is_committed) {
  const std::string text =
      "UNWIND [1, 2, 3, 4, 0, 6] AS i CALL (i) { CREATE (:A {x: 1 / i}) } IN TRANSACTIONS OF 2 "
      "ROWS";
  for (int i = 0; i < 2; ++i) {
    const std::string told = failure_text(session.run(text, {}, request("r1")));
    BOOST_TEST(told.find("4 rows were committed in 2 transactions and stay") != std::string::npos,
               told);
    BOOST_TEST(
        (told.find("cairn_request_id has not reached its end") != std::string::npos) == (i == 1),
        told);
    BOOST_TEST(session.ask(Tag::reset).name() == "SUCCESS");
  }
  BOOST_TEST(count() == "4");
}

// The last batch fails, so that no commit follows the failure.
BOOST_AUTO_TEST_CASE(a_repeated_statement_whose_last_batch_failed_answers_as_before) {
  const std::string call =
      "UNWIND [1, 2, 0] AS i CALL (i) { CREATE (:A {x: 1 / i}) } IN TRANSACTIONS OF 1 ROW ON ERROR "
      "CONTINUE";
  BOOST_TEST(run(call, "r1") == "");
  const Value counts = session.pulled["stats"];
  BOOST_TEST(run(call, "r1") == "");
  BOOST_TEST((session.pulled["stats"] == counts));
  BOOST_TEST(count() == "2");
}

// The first batch is committed, and all later ones fail, some of them before row 5,500 is read.
BOOST_AUTO_TEST_CASE(while_a_statement_runs_a_repeated_request_is_told_what_failed) {
  const std::string call =
      "UNWIND range(1, 6000) AS i WITH i, CASE i WHEN 5500 THEN test.pause(i) END AS z CALL (i) { "
      "CREATE (:A {x: 1 / (1000 / i)}) } IN TRANSACTIONS OF 1000 ROWS ON ERROR CONTINUE";
  std::string told;
  call_between_batches([&] {
    BoltClient again = client();
    told = failure_text(again.run(call, {}, request("r1")));
  });
  BOOST_TEST(run(call, "r1") == "");
  BOOST_TEST(told.find("1000 rows were committed in 1 transaction (") != std::string::npos, told);
  BOOST_TEST(told.find(" other rows failed) and stay") != std::string::npos, told);
  BOOST_TEST(count() == "1000");
}

// Nothing was committed that a second run could repeat.
BOOST_AUTO_TEST_CASE(a_statement_whose_batches_all_failed_may_be_repeated) {
  const std::string call =
      "UNWIND [1, 2] AS i CALL (i) { MATCH (b:B) CREATE (:A {x: 1 / b.x}) } IN TRANSACTIONS OF 1 "
      "ROW ON ERROR CONTINUE";
  static_cast<void>(session.result("CREATE (:B {x: 0})"));
  BOOST_TEST(run(call, "r1") == "");
  static_cast<void>(session.result("MATCH (b:B) SET b.x = 1"));
  BOOST_TEST(run(call, "r1") == "");
  BOOST_TEST(count() == "2");
}

BOOST_AUTO_TEST_CASE(batches_without_changes_leave_the_others_to_go_on) {
  static_cast<void>(run("UNWIND range(1, 4) AS i CREATE (:A {i: i})", "r0"));
  const auto merge = [](const std::string& rows) {
    return "UNWIND " + rows + " AS i CALL (i) { MERGE (:A {i: i}) } IN TRANSACTIONS OF 2 ROWS";
  };
  const std::pair<std::string, std::string> steps[] = {
      {"[1, 2, 3, 4]", "4"}, {"[1, 2, 5, 6]", "6"}, {"[7, 8, 1, 2, 9, 10, 3, 4]", "10"}};
  for (const auto& [rows, after] : steps)
    for (int i = 0; i < 2; ++i) {
      BOOST_TEST(run(merge(rows), ("r" + rows).c_str()) == "");
      BOOST_TEST(count() == after);
    }
}

// The lock is free between the commits, so that both may have begun before the first one.
BOOST_AUTO_TEST_CASE(of_two_connections_that_request_it_at_once_one_commits_each_batch) {
  const std::string text =
      "UNWIND range(1, 200) AS i CALL (i) { CREATE (:A {i: i}) } IN TRANSACTIONS OF 1 ROW";
  std::array<std::string, 2> results;
  {
    std::vector<std::jthread> both;
    for (std::string& result : results)
      both.emplace_back([&] {
        BoltClient one = client();
        const auto answer = one.run(text, {}, request("r1"));
        result = answer.name() == "SUCCESS" ? "SUCCESS" : failure_text(answer);
      });
  }
  for (const std::string& result : results)
    BOOST_TEST((result == "SUCCESS" || result.find("do not run") != std::string::npos ||
                result.find("send the request again") != std::string::npos),
               result);
  BOOST_TEST((results[0] == "SUCCESS" || results[1] == "SUCCESS"));
  BOOST_TEST(count() == "200");
}

BOOST_AUTO_TEST_CASE(a_scrub_between_batches_leaves_what_a_repeated_request_needs) {
  std::string told;
  call_between_batches([&] {
    scrub_in_the_pause(*database);
    BoltClient again = client();
    told = failure_text(again.run(paused_call, {}, request("r1")));
  });
  BOOST_TEST(run(paused_call, "r1") == "");
  BOOST_TEST(told.find("1000 rows were committed in 1 transaction") != std::string::npos, told);
  BOOST_TEST(count() == "3000");
}

// An attached process asks the next host for this outcome. Without one, it would repeat the statement.
BOOST_AUTO_TEST_CASE(a_scrub_between_batches_leaves_what_an_attached_process_asks_for) {
  const query::bolt::CommitNote note{"client", 1};
  std::optional<std::string> committed;
  call_between_batches([&] {
    scrub_in_the_pause(*database);
    if (const auto stored = must(query::bolt::find_outcome(*database, note)))
      committed = query::bolt::partial_text(*stored);
  });
  const std::size_t most_results = 1;
  const query::bolt::Interruption interruption;
  query::bolt::Work work(*database, most_results, interruption);
  query::bolt::WorkOptions options;
  options.is_attached = true;
  work.prepare(options);
  const Statement statement = must(Statement::parse(paused_call, *database));
  must(work.run(statement, paused_call, {}, {{}, false, note}));
  BOOST_TEST(committed.value_or("none") == "1000 rows were committed in 1 transaction and stay");
  BOOST_TEST(count() == "3000");
}

BOOST_AUTO_TEST_CASE(a_statement_in_batches_ends_if_its_outcome_is_erased) {
  call_between_batches([&] { must(Access::core(*database)->erase_notes({key_of("r1")})); });
  const std::string told = failure_text(session.run(paused_call, {}, request("r1")));
  BOOST_TEST(told.find("was erased while the statement ran") != std::string::npos, told);
  BOOST_TEST(told.find("1000 rows were committed in 1 transaction") != std::string::npos, told);
  BOOST_TEST(session.ask(Tag::reset).name() == "SUCCESS");
  BOOST_TEST(count() == "1000");
}

BOOST_AUTO_TEST_CASE(a_violated_constraint_has_its_code_after_a_committed_batch) {
  static_cast<void>(session.result("CREATE CONSTRAINT c FOR (n:A) REQUIRE n.x IS UNIQUE"));
  const auto answer =
      session.run("UNWIND [1, 1] AS i CALL (i) { CREATE (:A {x: i}) } IN TRANSACTIONS OF 1 ROW");
  BOOST_TEST(failure_title(answer) == "ConstraintValidationFailed");
  BOOST_TEST(failure_text(answer).find("1 row was committed") != std::string::npos);
}

// LangChain finds this code and this part of the message, and then runs the statement in a session of its own.
BOOST_AUTO_TEST_CASE(a_statement_in_batches_is_refused_in_a_transaction_as_neo4j_does) {
  const char* text = "UNWIND [1] AS i CALL (i) { CREATE (:A) } IN TRANSACTIONS";
  BOOST_TEST(session.ask(Tag::begin, {Map{}}).name() == "SUCCESS");
  const auto answer = session.run(text);
  BOOST_TEST(failure_title(answer) == "TransactionStartFailed");
  BOOST_TEST(failure_text(answer).find("in an implicit transaction") != std::string::npos);
  BOOST_TEST(session.ask(Tag::reset).name() == "SUCCESS");
  BOOST_TEST(session.result(text) == "");
  BOOST_TEST(count() == "1");
}

BOOST_AUTO_TEST_CASE(an_id_that_begins_with_another_is_another) {
  static_cast<void>(run("CREATE (:A)", "r11"));
  static_cast<void>(run("CREATE (:A)", "r1"));
  static_cast<void>(run("CREATE (:A)", "r1"));
  BOOST_TEST(count() == "2");
}

BOOST_AUTO_TEST_CASE(an_id_of_another_statement_is_refused_and_writes_nothing) {
  static_cast<void>(session.result("CREATE (:A {x: $x})", {{"x", 1}}, request("r1")));
  BoltClient other = client();
  BOOST_TEST(failure_title(other.run("CREATE (:A {x: $x})", {{"x", 2}}, request("r1"))) ==
             "ArgumentError");
  BOOST_TEST(other.ask(Tag::reset).name() == "SUCCESS");
  BOOST_TEST(failure_title(other.run("CREATE (:B)", {}, request("r1"))) == "ArgumentError");
  BOOST_TEST(count() == "1");
}

BOOST_AUTO_TEST_CASE(a_repeated_transaction_is_told_that_it_was_committed) {
  const auto begin = [&](BoltClient& client) {
    BOOST_TEST(client.ask(Tag::begin, {request("r1")}).name() == "SUCCESS");
    BOOST_TEST(client.result("MATCH (n:A) RETURN count(n)").size() == 1U);
    return client.run("CREATE (:A)");
  };
  BOOST_TEST(begin(session).name() == "SUCCESS");
  static_cast<void>(session.pull());
  BOOST_TEST(session.ask(Tag::commit).name() == "SUCCESS");
  BoltClient again = client();
  BOOST_TEST(failure_title(begin(again)) == "AlreadyCommitted");
  BOOST_TEST(again.ask(Tag::reset).name() == "SUCCESS");
  BOOST_TEST(count() == "1");
}

BOOST_AUTO_TEST_CASE(a_transaction_that_was_rolled_back_may_be_repeated) {
  BOOST_TEST(session.ask(Tag::begin, {request("r1")}).name() == "SUCCESS");
  static_cast<void>(session.result("CREATE (:A)"));
  BOOST_TEST(session.ask(Tag::rollback).name() == "SUCCESS");
  BOOST_TEST(failure_title(session.run("CREATE (:A {x: 1 / 0})", {}, request("r1"))) != "SUCCESS");
  BOOST_TEST(session.ask(Tag::reset).name() == "SUCCESS");
  static_cast<void>(run("CREATE (:A)", "r1"));
  BOOST_TEST(count() == "1");
}

BOOST_AUTO_TEST_CASE(ids_of_two_tokens_are_different) {
  static_cast<void>(run("CREATE (:A)", "r1"));
  BoltClient other(shared);
  other.log_on(token({"other", Role::admin, "", {"*"}}));
  static_cast<void>(other.result("CREATE (:A)", {}, request("r1")));
  BOOST_TEST(count() == "2");
}

BOOST_AUTO_TEST_CASE(ids_of_two_namespaces_are_different) {
  static_cast<void>(run("CREATE (:A)", "r1"));
  Map other = request("r1");
  other.emplace("db", "other");
  static_cast<void>(session.result("CREATE (:A)", {}, other));
  static_cast<void>(session.result("CREATE (:A)", {}, other));
  const Map reading{{"db", "other"}};
  BOOST_TEST(session.result("MATCH (n:A) RETURN count(n)", {}, reading) == "1");
  BOOST_TEST(count() == "1");
}

BOOST_AUTO_TEST_CASE(rows_that_are_too_large_or_too_deep_to_keep_are_not_made_again) {
  for (const char* rows :
       {"[x IN range(1, 100000) | x]", "reduce(x = [], i IN range(1, 300) | [x])"}) {
    const std::string text = std::string("CREATE (n:A) RETURN ") + rows + " AS xs";
    static_cast<void>(run(text, rows));
    const std::string told = failure_text(session.run(text, {}, request(rows)));
    BOOST_TEST(told.find("committed the statement") != std::string::npos, told);
    BOOST_TEST(session.ask(Tag::reset).name() == "SUCCESS");
  }
  BOOST_TEST(count() == "2");
}

BOOST_AUTO_TEST_CASE(rows_as_deep_as_may_be_kept_are_answered_again) {
  const std::string text = "CREATE (n:A) RETURN reduce(x = [], i IN range(1, 127) | [x]) AS xs";
  const std::string first = run(text, "r1");
  BOOST_TEST(run(text, "r1") == first);
  BOOST_TEST(count() == "1");
}

BOOST_AUTO_TEST_CASE(an_id_that_is_no_short_text_is_refused) {
  for (const Value& id : {Value(1), Value(""), Value(std::string(300, 'x'))}) {
    BoltClient asking = client();
    BOOST_TEST(failure_title(asking.run("CREATE (:A)", {}, request(id))) == "Invalid");
  }
  BOOST_TEST(count() == "0");
}

BOOST_AUTO_TEST_CASE(an_outcome_is_kept_for_ten_minutes) {
  using namespace std::chrono_literals;
  static_cast<void>(run("CREATE (:A)", "r1"));
  const auto now = OldRequests::Clock::now();
  OldRequests old;
  old.forget(*database, now + 9min);
  static_cast<void>(run("CREATE (:A)", "r1"));
  BOOST_TEST(count() == "1");
  old.forget(*database, now + 12min);
  static_cast<void>(run("CREATE (:A)", "r1"));
  BOOST_TEST(count() == "2");
}

BOOST_AUTO_TEST_CASE(an_old_outcome_is_forgotten_by_the_next_request) {
  const std::string key = keep_old(*database, "r1");
  static_cast<void>(session.result("CREATE (:A)"));
  BOOST_TEST(is_kept(*database, key));
  static_cast<void>(session.result("CREATE (:A)", {}, request("r2")));
  BOOST_TEST(!is_kept(*database, key));
}

BOOST_AUTO_TEST_CASE(the_outcome_of_an_unfinished_request_is_kept_for_a_day) {
  using namespace std::chrono_literals;
  const std::string young = keep_old(*database, "r1", 23h, true);
  const std::string old = keep_old(*database, "r2", 25h, true);
  must(query::bolt::forget_old_requests(*database));
  BOOST_TEST(is_kept(*database, young));
  BOOST_TEST(!is_kept(*database, old));
}

BOOST_AUTO_TEST_CASE(an_old_outcome_is_forgotten_at_an_opening) {
  TemporaryDatabase other;
  const std::string key = keep_old(*other, "r1");
  BOOST_TEST(is_kept(*other, key));
  other.reopen();
  BOOST_TEST(!is_kept(*other, key));
}

BOOST_AUTO_TEST_SUITE_END()
