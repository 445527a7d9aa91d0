// Statements of an attached process: rows, summaries, limits, errors and cancelling, as of a local one.

#include "tests/query/attach/attached_fixture.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace cairn::test {
namespace {

using std::chrono::milliseconds;

std::string text_of(Rows& rows) {
  std::string text;
  for (const Result<Row>& row : rows) {
    if (!row) return text + outcome_text(row);
    for (const Value& value : *row) text += value.to_text() + " ";
  }
  return text;
}

/// Of the run, or of its rows.
Error last_error(Result<Rows> rows) {
  if (!rows) return rows.error();
  auto all = rows->all();
  return all ? Error{ErrorCode::not_found, "no error", {}} : all.error();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(attached_rows)

BOOST_AUTO_TEST_CASE(a_statement_runs_with_parameters_in_the_host) {
  AttachedFixture fixture;
  Rows rows = must(execute(fixture.database, "CREATE (n:A {x: $x, v: $v}) RETURN n",
                           {{"x", "\xff"}, {"v", Vector({1, 2})}}));
  const Node node = (*must(rows.next()))[0].as_node();
  BOOST_TEST(node.property("x").as_string() == "\xff");
  BOOST_TEST((node.property("v") == Value(Vector({1, 2}))));
  BOOST_TEST(rows.changes().nodes_created == 1u);
  BOOST_TEST(rows.changes().properties_set == 2u);
}

BOOST_AUTO_TEST_CASE(many_rows_come_in_their_order) {
  AttachedFixture fixture;
  Rows rows = must(execute(fixture.database, "UNWIND range(1, 20000) AS i RETURN i"));
  std::int64_t last = 0;
  for (const Result<Row>& row : rows) BOOST_REQUIRE(must(row)[0].as_integer() == ++last);
  BOOST_TEST(last == 20'000);
}

BOOST_AUTO_TEST_CASE(rows_are_made_while_they_are_asked_for) {
  AttachedFixture fixture;
  // All of them would take minutes.
  Rows rows = must(execute(fixture.database, "UNWIND range(1, 1000000000) AS i RETURN i"));
  for (int i = 1; i <= 100; ++i) BOOST_TEST((*must(rows.next()))[0].as_integer() == i);
}

// As far as the rows before it were there without it.
BOOST_AUTO_TEST_CASE(an_error_comes_where_it_comes_locally) {
  AttachedFixture fixture;
  TemporaryDatabase local;
  for (const char* statement :
       {"UNWIND [1, 2, 0] AS i RETURN 4 / i", "UNWIND range(-5000, 5000) AS i RETURN 4 / i"}) {
    Rows there = must(execute(fixture.database, statement));
    Rows here = must(execute(*local, statement));
    BOOST_TEST(text_of(there) == text_of(here));
  }
}

BOOST_AUTO_TEST_CASE(warnings_and_plans_come_with_the_rows) {
  AttachedFixture fixture;
  Rows rows = must(execute(fixture.database, "MATCH (n:Unknown) RETURN n"));
  BOOST_TEST(!must(rows.next()).has_value());
  BOOST_TEST(rows.warnings().size() == 1u);
  BOOST_TEST(!must(execute(fixture.database, "EXPLAIN MATCH (n) RETURN n")).plan().empty());
  Rows profiled = must(execute(fixture.database, "PROFILE UNWIND range(1, 99) AS i RETURN i"));
  BOOST_TEST(must(profiled.all()).size() == 99u);
  BOOST_TEST(!profiled.plan().empty());
}

BOOST_AUTO_TEST_CASE(errors_have_their_kind_and_their_place) {
  AttachedFixture fixture;
  const auto parsed = execute(fixture.database, "MATCH (n) RETRUN n");
  BOOST_TEST((parsed.error().code == ErrorCode::parse_error));
  BOOST_TEST(parsed.error().where.has_value());
  const auto typed = last_error(execute(fixture.database, "UNWIND [true] AS x RETURN 1 + x"));
  BOOST_TEST((typed.code == ErrorCode::type_error), typed.message);
  const auto missing = last_error(execute(fixture.database, "RETURN $none"));
  BOOST_TEST((missing.code == ErrorCode::invalid_argument), missing.message);
  // The connection is as good as before.
  BOOST_TEST(fixture.count() == 0);
}

BOOST_AUTO_TEST_CASE(limits_of_a_statement_hold) {
  AttachedFixture fixture;
  StatementOptions options;
  options.max_rows = 10;
  Rows rows = must(execute(fixture.database, "UNWIND range(1, 99) AS i RETURN i", {}, options));
  const auto all = rows.all();
  BOOST_TEST((all.error().code == ErrorCode::resource_limit));
  options = {};
  options.timeout = milliseconds(50);
  const auto slow = last_error(
      execute(fixture.database, "UNWIND range(1, 1000000000) AS i RETURN sum(i)", {}, options));
  BOOST_TEST((slow.code == ErrorCode::resource_limit), slow.message);
}

BOOST_AUTO_TEST_CASE(a_statement_is_cancelled_in_the_host) {
  AttachedFixture fixture;
  std::stop_source stop;
  StatementOptions options;
  options.cancel = stop.get_token();
  const std::jthread later([&] {
    std::this_thread::sleep_for(milliseconds(100));
    stop.request_stop();
  });
  const auto begin = std::chrono::steady_clock::now();
  const auto done = last_error(
      execute(fixture.database, "UNWIND range(1, 1000000000) AS i RETURN sum(i)", {}, options));
  BOOST_TEST((done.code == ErrorCode::cancelled), done.message);
  BOOST_TEST((std::chrono::steady_clock::now() - begin < milliseconds(5'000)));
  BOOST_TEST(fixture.count() == 0);
}

BOOST_AUTO_TEST_CASE(a_statement_that_is_cancelled_before_it_runs_is_the_only_one) {
  AttachedFixture fixture;
  std::stop_source stop;
  stop.request_stop();
  StatementOptions options;
  options.cancel = stop.get_token();
  for (int i = 0; i < 20; ++i) {
    const auto done = last_error(
        execute(fixture.database, "UNWIND range(1, 1000000000) AS i RETURN sum(i)", {}, options));
    BOOST_TEST((done.code == ErrorCode::cancelled), done.message);
    BOOST_TEST(fixture.count() == 0);
  }
}

// Moments at random, in a snapshot whose other statements go on.
BOOST_AUTO_TEST_CASE(cancelling_at_any_moment_leaves_the_snapshot_as_it_is) {
  AttachedFixture fixture;
  must(execute(fixture.database, "UNWIND range(1, 100) AS i CREATE (:A {x: i})"));
  const Snapshot snapshot = must(fixture.database.snapshot());
  const Statement statement = must(Statement::parse("MATCH (a:A), (b:A) RETURN sum(a.x * b.x)"));
  const Statement count = must(Statement::parse("MATCH (a:A) RETURN count(*)"));
  for (int i = 0; i < 200; ++i) {
    std::stop_source stop;
    StatementOptions options;
    options.cancel = stop.get_token();
    std::jthread later([&stop, i] {
      std::this_thread::sleep_for(std::chrono::microseconds(10 * i));
      stop.request_stop();
    });
    auto rows = statement.run(snapshot, {}, options);
    const auto all = rows ? rows->all() : Result<std::vector<std::vector<Value>>>(rows.error());
    BOOST_TEST((all || all.error().code == ErrorCode::cancelled), outcome_text(all));
    later.join();
    Rows counted = must(count.run(snapshot));
    BOOST_REQUIRE((*must(counted.next()))[0].as_integer() == 100);
  }
}

BOOST_AUTO_TEST_CASE(rows_that_nobody_reads_on_are_given_up) {
  AttachedFixture fixture;
  for (int i = 0; i < 100; ++i)
    must(must(execute(fixture.database, "UNWIND range(1, 100000) AS i RETURN i")).next());
  BOOST_TEST(fixture.count() == 0);
}

// Each call may come before the host finds the work idle, and then the next one is later.
BOOST_AUTO_TEST_CASE(what_reads_and_is_idle_is_let_go_and_can_be_run_again) {
  Options options;
  options.writer_idle_limit = milliseconds(20);
  AttachedFixture fixture(options);
  must(execute(fixture.database, "CREATE (:A)"));
  const auto error_when_idle = [](const auto& call) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    std::optional<Error> error;
    while (!error && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(milliseconds(50));
      error = call();
    }
    return error.value_or(Error{ErrorCode::not_found, "no error", {}});
  };
  const auto of_statement = [](auto& place) -> std::optional<Error> {
    const Error error = last_error(must(Statement::parse("MATCH (n) RETURN n")).run(place));
    return error.code == ErrorCode::not_found ? std::nullopt : std::optional(error);
  };
  const Snapshot snapshot = must(fixture.database.snapshot());
  const auto of_call = [&]() -> std::optional<Error> {
    const auto found = snapshot.find_node(NodeId{1});
    return found ? std::nullopt : std::optional(found.error());
  };
  Transaction reading = must(fixture.database.begin(TransactionMode::read));
  for (const Error& error :
       {error_when_idle([&] { return of_statement(snapshot); }), error_when_idle(of_call),
        error_when_idle([&] { return of_statement(reading); })}) {
    BOOST_TEST((error.code == ErrorCode::conflict), error.message);
    BOOST_TEST(error.message.find("Options::writer_idle_limit") != std::string::npos,
               error.message);
  }
  int runs = 0;
  must(fixture.database.read([&](const Snapshot& again) -> Status {
    const auto error =
        ++runs == 1 ? error_when_idle([&] { return of_statement(again); }) : of_statement(again);
    return error ? Status(*error) : Status();
  }));
  BOOST_TEST(runs >= 2);
}

// Nobody else wants its turn.
BOOST_AUTO_TEST_CASE(what_writes_is_not_let_go) {
  Options options;
  options.writer_idle_limit = milliseconds(1);
  AttachedFixture fixture(options);
  Transaction transaction = must(fixture.database.begin());
  must(transaction.create_node({{"A"}}));
  std::this_thread::sleep_for(milliseconds(30));
  must(must(Statement::parse("CREATE (:A)")).run(transaction));
  must(transaction.commit());
  BOOST_TEST(fixture.count() == 2);
}

BOOST_AUTO_TEST_CASE(functions_of_this_program_are_refused_by_name_of_the_host) {
  AttachedFixture fixture;
  must(fixture.database.register_function(
      "app.one() :: INTEGER", [](std::span<const Value>) -> Result<Value> { return Value(1); }));
  const auto done = execute(fixture.database, "RETURN app.one()");
  BOOST_TEST((done.error().code == ErrorCode::unsupported));
  BOOST_TEST(done.error().message.find(std::to_string(fixture.host->id())) != std::string::npos);
  BOOST_TEST(fixture.count() == 0);
}

// The host may have another procedure of this name.
BOOST_AUTO_TEST_CASE(procedures_of_this_program_are_refused_by_name_of_the_host) {
  AttachedFixture fixture;
  must(fixture.database.register_procedure(
      "app.one() :: (n :: INTEGER)",
      [](std::span<const Value>, ProcedureRows& rows) -> Status { return rows.add({1}); }));
  for (const char* text : {"CALL app.one()", "CALL app.one() YIELD n RETURN n",
                           "CALL { CALL app.one() YIELD n RETURN n } RETURN n",
                           "RETURN EXISTS { CALL app.one() YIELD n RETURN n }"}) {
    const auto done = execute(fixture.database, text);
    BOOST_REQUIRE(!done.has_value());
    BOOST_TEST((done.error().code == ErrorCode::unsupported), outcome_text(done));
    BOOST_TEST(done.error().message.find(std::to_string(fixture.host->id())) != std::string::npos);
  }
  BOOST_TEST(fixture.count() == 0);
}

BOOST_AUTO_TEST_CASE(files_that_the_host_does_not_share_are_refused_with_the_reason) {
  AttachedFixture fixture;
  const auto error = [&](const Options& options, const StatementOptions& how) {
    Database database = fixture.open(options);
    auto rows = execute(database, "LOAD CSV FROM 'a.csv' AS row RETURN row", {}, how);
    const auto all = rows ? rows->all() : Result<std::vector<std::vector<Value>>>(rows.error());
    BOOST_TEST((all.error().code == ErrorCode::unsupported), outcome_text(all));
    return all.error().message;
  };
  const std::string other = error({.file_root = fixture.directory.path()}, {});
  BOOST_TEST(other.find("process " + std::to_string(fixture.host->id())) != std::string::npos,
             other);
  BOOST_TEST(other.find(fixture.directory.path().string()) != std::string::npos, other);
  BOOST_TEST(other.find("--file-root") != std::string::npos, other);
  const std::string none = error({}, {});
  BOOST_TEST(none.find("Options::file_root is not set") != std::string::npos, none);
  const std::string forbidden =
      error({.file_root = fixture.directory.path()}, {.use_files = false});
  BOOST_TEST(forbidden.find("StatementOptions::use_files") != std::string::npos, forbidden);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
