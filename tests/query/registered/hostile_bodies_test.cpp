// Bodies that do what they should not: each ends its statement with an error, or is none the wiser.
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/cairn.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <exception>
#include <memory>

namespace cairn::test {
namespace {

using namespace std::chrono_literals;
using Arguments = std::span<const Value>;

struct HostileFixture {
  void add(std::string_view signature, FunctionBody body, const CallOptions& options = {}) {
    must(database->register_function(signature, std::move(body), options));
  }
  void add_procedure(std::string_view signature, ProcedureBody body) {
    must(database->register_procedure(signature, std::move(body)));
  }
  [[nodiscard]] std::string result(std::string_view statement, const Parameters& parameters = {},
                                   const StatementOptions& options = {}) {
    return result_of(*database, statement, parameters, options);
  }
  [[nodiscard]] Error error(std::string_view statement, const Parameters& parameters = {},
                            const StatementOptions& options = {}) {
    return error_of(*database, statement, parameters, options);
  }
  [[nodiscard]] bool is_refused(const std::string& signature) {
    const Status status =
        database->register_function(signature, [](Arguments) -> Result<Value> { return 1; });
    return !status && status.error().code == ErrorCode::already_exists;
  }

  TemporaryDatabase database;
};

struct SaysNothing final : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return nullptr; }
};

Value nested(int levels) {
  Value value = List{};
  for (int i = 1; i < levels; ++i) value = List{value};
  return value;
}

std::string message_of(const Status& status) {
  return status ? "done" : std::string(to_string(status.error().code));
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(hostile_bodies, HostileFixture)

BOOST_AUTO_TEST_CASE(a_body_cannot_use_the_transaction_of_its_statement) {
  for (const bool in_place : {false, true}) {
    Transaction transaction = must(database->begin());
    std::string said;
    const auto body = [&](Arguments) -> Result<Value> {
      said = message_of(transaction.commit());
      const auto made = transaction.create_node({{"X"}, {}, {}});
      said += made ? " made" : " " + std::string(to_string(made.error().code));
      const auto rows = must(Statement::parse("CREATE (:Y)")).run(transaction);
      said += rows ? " run" : " " + std::string(to_string(rows.error().code));
      return 1;
    };
    add("app.meddle() :: INTEGER", body, {.is_deterministic = false, .runs_in_place = in_place});
    const Statement statement =
        must(Statement::parse("CREATE (:N {x: app.meddle()}) CREATE (:N {x: 2})", *database));
    BOOST_TEST(statement.run(transaction).has_value());
    BOOST_TEST(said == "conflict conflict conflict");
    BOOST_TEST(message_of(transaction.commit()) == "done");
  }
  BOOST_TEST(result("MATCH (n) RETURN labels(n), count(*)") == "['N'] | 4");
}

BOOST_AUTO_TEST_CASE(a_rollback_within_a_statement_comes_after_it) {
  Transaction transaction = must(database->begin());
  add("app.back() :: INTEGER", [&](Arguments) -> Result<Value> {
    transaction.rollback();
    return 1;
  });
  const Statement statement =
      must(Statement::parse("CREATE (:N {x: app.back()}) CREATE (:N)", *database));
  BOOST_TEST(statement.run(transaction).has_value());
  BOOST_TEST(!transaction.is_open());
  BOOST_TEST(message_of(transaction.commit()) == "conflict");
  BOOST_TEST(result("MATCH (n) RETURN count(*)") == "0");
}

BOOST_AUTO_TEST_CASE(a_body_that_writes_beside_its_statement_is_told_at_once) {
  add("app.write() :: STRING", [&](Arguments) -> Result<Value> {
    const auto rows = execute(*database, "CREATE (:FromBody)");
    return rows ? std::string("done") : std::string(to_string(rows.error().code));
  });
  const auto begin = std::chrono::steady_clock::now();
  BOOST_TEST(result("CREATE (n:N {x: app.write()}) RETURN n.x") == "'busy'");
  BOOST_TEST((std::chrono::steady_clock::now() - begin < 5s));
  BOOST_TEST(result("RETURN app.write()") == "'done'");
  BOOST_TEST(result("MATCH (n:FromBody) RETURN count(*)") == "1");
}

BOOST_AUTO_TEST_CASE(calls_within_calls_end) {
  add("app.again(n :: INTEGER) :: INTEGER", [&](Arguments arguments) -> Result<Value> {
    if (arguments[0].as_integer() == 0) return 0;
    CAIRN_ASSIGN(Rows rows,
                 execute(*database, "RETURN 1 + app.again($n - 1) AS n", {{"n", arguments[0]}}));
    CAIRN_ASSIGN(const auto row, rows.next());
    return (*row)[0];
  });
  BOOST_TEST(result("RETURN app.again(7)") == "7");
  const Error deep = error("RETURN app.again(100)");
  BOOST_TEST((deep.code == ErrorCode::resource_limit), deep.message);
  BOOST_TEST(deep.message.find("more than 8 calls") != std::string::npos, deep.message);
}

// What a body holds may ask the database for something when it goes.
BOOST_AUTO_TEST_CASE(a_body_that_goes_may_use_the_database) {
  struct Unregisters {
    Database* database;
    ~Unregisters() { database->unregister_function("app.other"); }
  };
  add("app.one() :: INTEGER",
      [held = std::make_shared<Unregisters>(&*database)](Arguments) -> Result<Value> { return 1; });
  add("app.one() :: INTEGER", [](Arguments) -> Result<Value> { return 2; });
  BOOST_TEST(result("RETURN app.one()") == "2");
}

BOOST_AUTO_TEST_CASE(what_a_body_returns_of_a_record_is_its_id) {
  run_all(*database, {"CREATE (:N {x: 1})"});
  add("app.pick(nodes :: LIST<NODE>) :: NODE",
      [](Arguments arguments) -> Result<Value> { return arguments[0].as_list()[0]; });
  add("app.all(nodes :: LIST<NODE>) :: MAP",
      [](Arguments arguments) -> Result<Value> { return Map{{"nodes", arguments[0]}}; });
  add_procedure("app.rows(nodes :: LIST<NODE>) :: (node :: NODE)",
                [](Arguments arguments, ProcedureRows& rows) -> Status {
                  return rows.add({arguments[0].as_list()[0]});
                });
  const std::string changed = "(:Extra:N {seen: true, x: 1}) | true | ['Extra', 'N']";
  const std::string rest = " SET n.seen = true, n:Extra RETURN n, n.seen, labels(n)";
  const std::string all = "MATCH (n:N) WITH collect(n) AS c ";
  BOOST_TEST(result(all + "WITH app.pick(c) AS n" + rest) == changed);
  BOOST_TEST(result(all + "WITH app.all(c).nodes[0] AS n" + rest) == changed);
  BOOST_TEST(result(all + "CALL app.rows(c) YIELD node AS n" + rest) == changed);
}

BOOST_AUTO_TEST_CASE(invented_records_are_none) {
  auto content = std::make_shared<Node::Content>();
  content->labels = {"Zebra"};
  content->properties["a"] = 1;
  const Value zebra = Node(NodeId{99}, content);
  add("app.zebra() :: NODE", [zebra](Arguments) -> Result<Value> { return zebra; });
  BOOST_TEST(result("RETURN app.zebra()") == "()");
  BOOST_TEST(result("RETURN $n, [$n]", {{"n", zebra}}) == "() | [()]");
}

BOOST_AUTO_TEST_CASE(values_of_too_many_levels_are_refused) {
  add_procedure("app.deep(levels :: INTEGER) :: (n :: LIST)",
                [](Arguments arguments, ProcedureRows& rows) -> Status {
                  return rows.add({nested(static_cast<int>(arguments[0].as_integer()))});
                });
  add("app.deep(levels :: INTEGER) :: LIST", [](Arguments arguments) -> Result<Value> {
    return nested(static_cast<int>(arguments[0].as_integer()));
  });
  BOOST_TEST(result("CALL app.deep(900) YIELD n RETURN size(n)") == "1");
  BOOST_TEST((error("CALL app.deep(3000)").code == ErrorCode::resource_limit));
  BOOST_TEST((error("CALL app.deep(20000) YIELD n RETURN 1").code == ErrorCode::resource_limit));
  BOOST_TEST((error("RETURN app.deep(20000)").code == ErrorCode::resource_limit));
  BOOST_TEST((error("RETURN $p", {{"p", nested(20'000)}}).code == ErrorCode::resource_limit));
}

// A list that is there once and shared a thousand times is small, until somebody unfolds it.
BOOST_AUTO_TEST_CASE(shared_lists_are_not_unfolded) {
  const Value shared = List(10'000, Value(1));
  const Value many = List(6'000, shared);
  StatementOptions small;
  small.memory_bytes = std::size_t{16} << 20;
  small.timeout = 20s;
  add("app.same(lists :: LIST<LIST<INTEGER>>) :: INTEGER",
      [](Arguments arguments) -> Result<Value> {
        return static_cast<std::int64_t>(arguments[0].as_list().size());
      });
  add("app.floats(lists :: LIST<LIST<FLOAT>>) :: INTEGER",
      [](Arguments) -> Result<Value> { return 1; });
  add("app.give() :: LIST<LIST<INTEGER>>", [many](Arguments) -> Result<Value> { return many; });
  BOOST_TEST(result("RETURN app.same($p)", {{"p", many}}, small) == "6000");
  BOOST_TEST(
      (error("RETURN app.floats($p)", {{"p", many}}, small).code == ErrorCode::resource_limit));
  BOOST_TEST((error("RETURN app.give()", {}, small).code == ErrorCode::resource_limit));
}

BOOST_AUTO_TEST_CASE(an_exception_without_words_is_an_error) {
  add("app.throw() :: INTEGER", [](Arguments) -> Result<Value> { throw SaysNothing(); });
  BOOST_TEST(error("RETURN app.throw()").message.find("it has no message") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_place_of_an_inner_statement_is_not_the_one_of_the_outer) {
  add("app.inner() :: INTEGER",
      [](Arguments) -> Result<Value> { return Statement::parse("\n\n\n\n RETURN 1 2").error(); });
  const Error outer = error("RETURN app.inner()");
  BOOST_REQUIRE(outer.where.has_value());
  BOOST_TEST(outer.where->line == 1U);
}

BOOST_AUTO_TEST_CASE(explaining_calls_nothing) {
  std::atomic<int> calls = 0;
  add("app.count() :: INTEGER", [&](Arguments) -> Result<Value> { return ++calls; });
  static_cast<void>(result("EXPLAIN MATCH (n:N) WHERE n.x = app.count() SET n.y = 1"));
  BOOST_TEST(calls.load() == 0);
}

BOOST_AUTO_TEST_CASE(behind_an_error_there_are_no_rows) {
  add("app.bad(n :: INTEGER) :: INTEGER", [](Arguments arguments) -> Result<Value> {
    if (arguments[0].as_integer() != 2) return arguments[0];
    return Error{ErrorCode::not_found, "two", {}};
  });
  for (const char* text :
       {"UNWIND [1, 2, 3, 4] AS x RETURN app.bad(x)", "UNWIND [1, 0, 3, 4] AS x RETURN 8 / x"}) {
    Rows rows = must(execute(*database, text));
    auto row = rows.next();
    while (row && *row) row = rows.next();
    BOOST_REQUIRE(!row.has_value());
    const ErrorCode code = row.error().code;
    for (int i = 0; i < 3; ++i) {
      const auto next = rows.next();
      BOOST_REQUIRE(!next.has_value());
      BOOST_TEST((next.error().code == code));
    }
  }
}

BOOST_AUTO_TEST_CASE(words_that_the_grammar_reads_itself_are_no_names) {
  for (const char* name : {"any", "all", "exists", "reduce", "not", "distinct", "case", "null",
                           "true", "matches_filter", "at_least", "filter.mine", "upper"})
    BOOST_TEST(is_refused(std::string(name) + "(a :: ANY) :: ANY"), name);
  for (const char* name : {"mine", "app.any", "notable", "caseless"})
    BOOST_TEST(!is_refused(std::string(name) + "(a :: ANY) :: ANY"), name);
}

BOOST_AUTO_TEST_CASE(a_call_on_its_own_names_its_columns_as_yield_does) {
  add_procedure("app.two() :: (a :: INTEGER, b :: INTEGER)",
                [](Arguments, ProcedureRows& rows) -> Status { return rows.add({1, 2}); });
  Rows rows = must(execute(*database, "CALL app.two() YIELD b AS c, a"));
  BOOST_TEST(rows.columns() == (std::vector<std::string>{"c", "a"}),
             boost::test_tools::per_element());
  BOOST_TEST(must(rows.next()).value()["c"].as_integer() == 2);
  Rows twice = must(execute(*database, "CALL app.two() YIELD a AS x, a AS y"));
  BOOST_TEST(must(twice.next()).value()["y"].as_integer() == 1);
}

BOOST_AUTO_TEST_CASE(a_vector_is_a_list_of_floats) {
  add("app.sum(numbers :: LIST<FLOAT>) :: FLOAT", [](Arguments arguments) -> Result<Value> {
    double sum = 0;
    for (const Value& one : arguments[0].as_list()) sum += one.as_float();
    return sum;
  });
  BOOST_TEST(result("RETURN app.sum($v)", {{"v", Vector({1.0F, 2.5F})}}) == "3.5");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
