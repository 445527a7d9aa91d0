// Functions of a program: their arguments and results. No behaviour of such a function ends the process or blocks a
// statement.
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/cairn.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>

namespace cairn::test {
namespace {

using namespace std::chrono_literals;
using Arguments = std::span<const Value>;

Result<Value> half(Arguments arguments) { return arguments[0].as_float() / 2; }

struct Fixture {
  void add(std::string_view signature, FunctionBody body, const CallOptions& options = {}) {
    must(database->register_function(signature, std::move(body), options));
  }
  [[nodiscard]] std::string result(std::string_view statement, const Parameters& parameters = {}) {
    return result_of(*database, statement, parameters);
  }
  [[nodiscard]] std::string refusal(std::string_view signature, FunctionBody body = half) {
    const Status status = database->register_function(signature, std::move(body));
    return status ? "none"
                  : std::string(to_string(status.error().code)) + ": " + status.error().message;
  }

  TemporaryDatabase database;
};

/// A body that waits until it is let go.
struct Gate {
  std::shared_ptr<std::promise<void>> opened = std::make_shared<std::promise<void>>();
  std::shared_ptr<std::atomic<int>> left = std::make_shared<std::atomic<int>>(0);

  [[nodiscard]] FunctionBody body() const {
    return [waiting = opened->get_future().share(), count = left](Arguments) -> Result<Value> {
      waiting.wait();
      ++*count;
      return 1;
    };
  }
  void open_and_wait() const {
    opened->set_value();
    while (left->load() == 0) std::this_thread::sleep_for(1ms);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(registered_functions, Fixture)

BOOST_AUTO_TEST_CASE(a_statement_calls_a_function_of_the_program) {
  add("app.half(number :: FLOAT) :: FLOAT", half);
  BOOST_TEST(result("RETURN app.half(3.0)") == "1.5");
  BOOST_TEST(result("RETURN APP.Half(3)") == "1.5");
  BOOST_TEST(result("RETURN app.half($x)", {{"x", 5}}) == "2.5");
  BOOST_TEST(result("UNWIND [1, 2, 3] AS x WITH app.half(x) AS y WHERE y > 0.5 RETURN sum(y)") ==
             "2.5");
  BOOST_TEST(result("UNWIND [1, 2] AS x RETURN sum(app.half(x))") == "1.5");
}

BOOST_AUTO_TEST_CASE(a_statement_is_parsed_with_the_database_to_know_it) {
  add("app.half(number :: FLOAT) :: FLOAT", half);
  BOOST_TEST(!Statement::parse("RETURN app.half(1)").has_value());
  const Statement statement = must(Statement::parse("RETURN app.half(1) AS x", *database));
  Rows rows = must(statement.run(must(database->snapshot())));
  BOOST_TEST(must(rows.next()).value()["x"].as_float() == 0.5);
  Transaction transaction = must(database->begin());
  Rows again = must(statement.run(transaction));
  BOOST_TEST(must(again.next()).value()["x"].as_float() == 0.5);
}

BOOST_AUTO_TEST_CASE(what_can_never_fit_is_refused_with_its_place) {
  add("app.half(number :: FLOAT) :: FLOAT", half);
  add("app.name(node :: NODE) :: STRING", [](Arguments) -> Result<Value> { return "x"; });
  add("app.day(day :: DATE) :: DATE", [](Arguments a) -> Result<Value> { return a[0]; });
  const Error wrong = error_of(*database, "RETURN app.half('a')");
  BOOST_TEST((wrong.code == ErrorCode::parse_error));
  BOOST_REQUIRE(wrong.where.has_value());
  BOOST_TEST(
      wrong.message.find("app.half() takes FLOAT for `number`, not a string") != std::string::npos,
      wrong.message);
  BOOST_TEST((error_of(*database, "RETURN app.half()").code == ErrorCode::parse_error));
  BOOST_TEST((error_of(*database, "RETURN app.half(1, 2)").code == ErrorCode::parse_error));
  BOOST_TEST((error_of(*database, "RETURN app.half(app.half)").code == ErrorCode::parse_error));
  BOOST_TEST((error_of(*database, "RETURN app.name(1)").code == ErrorCode::parse_error));
  BOOST_TEST((error_of(*database, "RETURN app.day('2026-01-01')").code == ErrorCode::parse_error));
  BOOST_TEST(
      (error_of(*database, "RETURN DISTINCT app.half(DISTINCT 1)").code == ErrorCode::parse_error));
  BOOST_TEST((error_of(*database, "RETURN app.halve(1)").code == ErrorCode::parse_error));
  BOOST_TEST((error_of(*database, "RETURN toUpper(app.half(1))").code == ErrorCode::type_error ||
              error_of(*database, "RETURN toUpper(app.half(1))").code == ErrorCode::parse_error));
  BOOST_TEST(result("RETURN app.day(date('2026-01-01'))") == "date('2026-01-01')");
}

BOOST_AUTO_TEST_CASE(a_value_of_another_type_is_an_error_of_the_statement) {
  add("app.half(number :: FLOAT) :: FLOAT", half);
  const Error error = error_of(*database, "RETURN app.half($x)", {{"x", "a"}});
  BOOST_TEST((error.code == ErrorCode::type_error));
  BOOST_TEST(error.message.find("app.half() takes FLOAT for `number`, got") != std::string::npos,
             error.message);
}

BOOST_AUTO_TEST_CASE(null_for_what_may_not_be_null_gives_null_without_a_call) {
  std::atomic<int> calls = 0;
  add("app.count(number :: INTEGER) :: INTEGER", [&](Arguments arguments) -> Result<Value> {
    ++calls;
    return arguments[0];
  });
  add("app.or_zero(number :: INTEGER?) :: INTEGER", [](Arguments arguments) -> Result<Value> {
    return arguments[0].is_null() ? Value(0) : arguments[0];
  });
  BOOST_TEST(result("RETURN app.count(null)") == "null");
  BOOST_TEST(calls == 0);
  BOOST_TEST(result("RETURN app.or_zero(null)") == "0");
}

BOOST_AUTO_TEST_CASE(parameters_with_a_question_mark_may_be_left_out) {
  add("app.greet(name :: STRING, greeting? :: STRING) :: STRING",
      [](Arguments arguments) -> Result<Value> {
        const std::string greeting = arguments.size() > 1 ? arguments[1].as_string() : "hello";
        return greeting + " " + arguments[0].as_string();
      });
  BOOST_TEST(result("RETURN app.greet('Ada')") == "'hello Ada'");
  BOOST_TEST(result("RETURN app.greet('Ada', 'good day')") == "'good day Ada'");
}

BOOST_AUTO_TEST_CASE(another_result_than_the_declared_one_is_an_error) {
  add("app.wrong() :: INTEGER", [](Arguments) -> Result<Value> { return "text"; });
  add("app.null() :: INTEGER", [](Arguments) -> Result<Value> { return Value(); });
  add("app.maybe() :: INTEGER?", [](Arguments) -> Result<Value> { return Value(); });
  add("app.whole() :: FLOAT", [](Arguments) -> Result<Value> { return 2; });
  const Error wrong = error_of(*database, "RETURN app.wrong()");
  BOOST_TEST((wrong.code == ErrorCode::type_error));
  BOOST_TEST(wrong.message.find("app.wrong() declares INTEGER and returned") != std::string::npos,
             wrong.message);
  BOOST_TEST((error_of(*database, "RETURN app.null()").code == ErrorCode::type_error));
  BOOST_TEST(result("RETURN app.maybe()") == "null");
  BOOST_TEST(result("RETURN app.whole()") == "2.0");
}

BOOST_AUTO_TEST_CASE(errors_and_exceptions_end_the_statement_and_no_more) {
  for (const bool in_place : {false, true}) {
    const CallOptions options{.runs_in_place = in_place};
    add(
        "app.fails() :: ANY",
        [](Arguments) -> Result<Value> {
          return Error{ErrorCode::not_found, "no such rate", std::nullopt};
        },
        options);
    add(
        "app.throws() :: ANY",
        [](Arguments) -> Result<Value> { throw std::runtime_error("it rains"); }, options);
    add("app.throws_a_number() :: ANY", [](Arguments) -> Result<Value> { throw 7; }, options);
    const Error failed = error_of(*database, "RETURN app.fails()");
    BOOST_TEST((failed.code == ErrorCode::not_found));
    BOOST_TEST(failed.message.find("app.fails(): no such rate") != std::string::npos);
    const Error thrown = error_of(*database, "RETURN app.throws()");
    BOOST_TEST((thrown.code == ErrorCode::invalid_argument));
    BOOST_TEST(thrown.message.find("app.throws() threw an exception: it rains") !=
               std::string::npos);
    BOOST_TEST(
        (error_of(*database, "RETURN app.throws_a_number()").code == ErrorCode::invalid_argument));
    BOOST_TEST(result("RETURN 1") == "1");
  }
}

BOOST_AUTO_TEST_CASE(a_writing_statement_whose_function_fails_writes_nothing) {
  add("app.fails_at(number :: INTEGER) :: INTEGER", [](Arguments arguments) -> Result<Value> {
    if (arguments[0].as_integer() == 3) throw std::runtime_error("three");
    return arguments[0];
  });
  BOOST_TEST((error_of(*database, "UNWIND [1, 2, 3] AS x CREATE (:N {x: app.fails_at(x)})").code ==
              ErrorCode::invalid_argument));
  BOOST_TEST(result("MATCH (n:N) RETURN count(n)") == "0");
  BOOST_TEST(result("UNWIND [1, 2] AS x CREATE (n:N {x: app.fails_at(x)}) RETURN count(n)") == "2");
}

BOOST_AUTO_TEST_CASE(a_function_that_blocks_does_not_hold_up_its_statement) {
  const Gate gate;
  add("app.wait() :: INTEGER", gate.body());
  StatementOptions options;
  options.timeout = 50ms;
  const auto start = std::chrono::steady_clock::now();
  const Error error = error_of(*database, "RETURN app.wait()", {}, options);
  BOOST_TEST((error.code == ErrorCode::resource_limit));
  BOOST_TEST(error.message.find("app.wait()") != std::string::npos, error.message);
  BOOST_TEST((std::chrono::steady_clock::now() - start < 5s));
  gate.open_and_wait();
}

BOOST_AUTO_TEST_CASE(a_cancelled_statement_does_not_wait_for_its_function) {
  const Gate gate;
  add("app.wait() :: INTEGER", gate.body());
  std::stop_source source;
  StatementOptions options;
  options.cancel = source.get_token();
  const std::jthread stopper([&] {
    std::this_thread::sleep_for(20ms);
    source.request_stop();
  });
  const Error error = error_of(*database, "RETURN app.wait()", {}, options);
  BOOST_TEST((error.code == ErrorCode::cancelled));
  gate.open_and_wait();
}

// The body and its arguments belong to the call.
BOOST_AUTO_TEST_CASE(a_call_that_nobody_waits_for_outlives_the_database) {
  const Gate gate;
  {
    TemporaryDatabase other;
    must(other->register_function("app.wait() :: INTEGER", gate.body()));
    StatementOptions options;
    options.timeout = 10ms;
    BOOST_TEST(
        (error_of(*other, "RETURN app.wait()", {}, options).code == ErrorCode::resource_limit));
  }
  gate.open_and_wait();
}

BOOST_AUTO_TEST_CASE(a_body_may_run_in_place) {
  std::thread::id in_place;
  std::thread::id beside;
  add("app.here() :: INTEGER",
      [&](Arguments) -> Result<Value> {
        in_place = std::this_thread::get_id();
        return 1;
      },
      {.runs_in_place = true});
  add("app.there() :: INTEGER", [&](Arguments) -> Result<Value> {
    beside = std::this_thread::get_id();
    return 1;
  });
  BOOST_TEST(result("RETURN app.here() + app.there()") == "2");
  BOOST_TEST((in_place == std::this_thread::get_id()));
  BOOST_TEST((beside != std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(nodes_and_relationships_come_with_their_properties) {
  run_all(*database,
          {"CREATE (:Person {name: 'Ada'})-[:KNOWS {since: 1833}]->(:Person {name: 'Charles'})"});
  add("app.name(node :: NODE) :: STRING", [](Arguments arguments) -> Result<Value> {
    return arguments[0].as_node().properties().at("name");
  });
  add("app.since(relationships :: LIST<RELATIONSHIP>) :: INTEGER",
      [](Arguments arguments) -> Result<Value> {
        return arguments[0].as_list()[0].as_relationship().properties().at("since");
      });
  BOOST_TEST(result("MATCH (a)-[r]->(b) RETURN app.name(a), app.name(b), app.since([r])") ==
             "'Ada' | 'Charles' | 1833");
}

BOOST_AUTO_TEST_CASE(a_name_gets_a_new_body_and_parsed_statements_keep_theirs) {
  add("app.version() :: INTEGER", [](Arguments) -> Result<Value> { return 1; });
  const Statement before = must(Statement::parse("RETURN app.version() AS x", *database));
  add("APP.version() :: INTEGER", [](Arguments) -> Result<Value> { return 2; });
  BOOST_TEST(result("RETURN app.version()") == "2");
  Rows rows = must(before.run(*database));
  BOOST_TEST(must(rows.next()).value()["x"].as_integer() == 1);
}

BOOST_AUTO_TEST_CASE(a_function_can_be_taken_back) {
  add("app.half(number :: FLOAT) :: FLOAT", half);
  const Statement before = must(Statement::parse("RETURN app.half(1) AS x", *database));
  BOOST_TEST(database->unregister_function("APP.half"));
  BOOST_TEST(!database->unregister_function("app.half"));
  BOOST_TEST((error_of(*database, "RETURN app.half(1)").code == ErrorCode::parse_error));
  Rows rows = must(before.run(*database));
  BOOST_TEST(must(rows.next()).value()["x"].as_float() == 0.5);
}

BOOST_AUTO_TEST_CASE(a_statement_with_a_filter_as_parameter_knows_the_functions) {
  run_all(*database, {"CREATE (:N {x: 4}), (:N {x: 5})"});
  add("app.half(number :: FLOAT) :: FLOAT", half);
  const Value filter = Map{{"field", "x"}, {"operator", "equals"}, {"value", 4}};
  BOOST_TEST(result("MATCH (n:N) WHERE matches_filter(n, $f) RETURN app.half(n.x)",
                    {{"f", filter}}) == "2.0");
}

// An index finds what a deterministic function gives, and each row asks another one again.
BOOST_AUTO_TEST_CASE(a_function_that_is_not_deterministic_is_called_for_each_row) {
  std::atomic<int> calls = 0;
  const auto count = [&](Arguments) -> Result<Value> { return ++calls; };
  add("app.next() :: INTEGER", count, {.is_deterministic = false});
  BOOST_TEST(result("UNWIND [1, 2, 3] AS x RETURN collect(x + 0), 1") == "[1, 2, 3] | 1");
  BOOST_TEST(result("UNWIND [1, 2, 3] AS x WITH app.next() AS y RETURN collect(y)") == "[1, 2, 3]");
  BOOST_TEST((error_of(*database, "RETURN sum(app.next())").code == ErrorCode::parse_error));
  run_all(*database, {"UNWIND range(1, 10) AS i CREATE (:N {x: i})"});
  BOOST_TEST(result("MATCH (n:N) WHERE n.x = app.next() - 3 RETURN count(n)") == "10");
}

BOOST_AUTO_TEST_CASE(names_of_the_language_cannot_be_taken) {
  BOOST_TEST(
      refusal("toUpper(text :: FLOAT) :: FLOAT").starts_with("already_exists: toUpper() is"));
  for (const char* name : {"COUNT", "exists", "any", "reduce", "shortestPath", "filter.equals"})
    BOOST_TEST(refusal(std::string(name) + "(x :: FLOAT) :: FLOAT").starts_with("already_exists"),
               name);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_registered_is_told) {
  BOOST_TEST(refusal("app.f(x) :: ANY").starts_with("invalid_argument: \"app.f(x) :: ANY\""));
  BOOST_TEST(refusal("app.f() :: (x :: ANY)").find("register_procedure()") != std::string::npos);
  BOOST_TEST(refusal("app.f() :: ANY", nullptr) ==
             "invalid_argument: app.f() has no body, because the given std::function is empty");
  BOOST_TEST(refusal("app.f() :: ANY") == "none");
}

BOOST_AUTO_TEST_CASE(show_functions_lists_them) {
  add("app.half(number :: FLOAT) :: FLOAT", half);
  BOOST_TEST(result("SHOW FUNCTIONS YIELD name, signature, isAggregating WHERE name = 'app.half' "
                    "RETURN signature, isAggregating") ==
             "'app.half(number :: FLOAT) :: FLOAT' | false");
}

BOOST_AUTO_TEST_CASE(explain_names_the_function_and_does_not_call_it) {
  std::atomic<int> calls = 0;
  add("app.next(x :: INTEGER) :: INTEGER", [&](Arguments) -> Result<Value> { return ++calls; },
      {.is_deterministic = false});
  BOOST_TEST(plan_of(*database, "EXPLAIN MATCH (n) RETURN app.next(n.x) AS y").find("app.next") !=
             std::string::npos);
  BOOST_TEST(calls == 0);
}

BOOST_AUTO_TEST_CASE(a_large_result_counts_towards_the_memory_of_the_statement) {
  add("app.large() :: STRING",
      [](Arguments) -> Result<Value> { return std::string(8 << 20, 'x'); });
  StatementOptions options;
  options.memory_bytes = 1 << 20;
  BOOST_TEST((error_of(*database, "RETURN size(app.large())", {}, options).code ==
              ErrorCode::resource_limit));
}

BOOST_AUTO_TEST_CASE(statements_on_many_threads_call_it_while_it_is_registered_again) {
  add("app.same(x :: INTEGER) :: INTEGER", [](Arguments a) -> Result<Value> { return a[0]; });
  std::atomic<int> right = 0;
  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i)
        if (result_of(*database, "RETURN app.same(7)") == "7") ++right;
    });
  for (int i = 0; i < 50; ++i)
    add("app.same(x :: INTEGER) :: INTEGER", [](Arguments a) -> Result<Value> { return a[0]; });
  threads.clear();
  BOOST_TEST(right == 4 * 50);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
