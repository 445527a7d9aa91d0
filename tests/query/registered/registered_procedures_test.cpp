// Procedures of a program: arguments, columns, rows, and what goes wrong in them.
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

Status add_digits(Arguments arguments, ProcedureRows& rows) {
  for (std::int64_t rest = arguments[0].as_integer(); rest > 0; rest /= 10)
    CAIRN_TRY(rows.add({rest % 10, rest}));
  return {};
}

struct Fixture {
  Fixture() {
    add("app.digits(number :: INTEGER) :: (digit :: INTEGER, rest :: INTEGER)", add_digits);
  }

  void add(std::string_view signature, ProcedureBody body, const CallOptions& options = {}) {
    must(database->register_procedure(signature, std::move(body), options));
  }
  [[nodiscard]] std::string result(std::string_view statement, const Parameters& parameters = {}) {
    return result_of(*database, statement, parameters);
  }
  [[nodiscard]] Error error(std::string_view statement, const Parameters& parameters = {}) {
    return error_of(*database, statement, parameters);
  }

  TemporaryDatabase database;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(registered_procedures, Fixture)

BOOST_AUTO_TEST_CASE(a_call_gives_the_rows_that_the_body_adds) {
  BOOST_TEST(result("CALL app.digits(312)") == "2 | 312; 1 | 31; 3 | 3");
  BOOST_TEST(result("CALL app.digits(312) YIELD digit WHERE digit > 1 RETURN digit") == "2; 3");
  BOOST_TEST(result("CALL APP.Digits(12) YIELD rest AS a, digit AS b RETURN b, a") ==
             "2 | 12; 1 | 1");
  BOOST_TEST(result("UNWIND [12, 0, 3] AS n CALL app.digits(n) YIELD digit RETURN n, digit") ==
             "12 | 2; 12 | 1; 3 | 3");
}

BOOST_AUTO_TEST_CASE(the_columns_of_a_call_alone_are_those_of_the_signature) {
  Rows rows = must(execute(*database, "CALL app.digits(1)"));
  BOOST_TEST(rows.columns() == (std::vector<std::string>{"digit", "rest"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(without_parentheses_parameters_of_the_same_names_are_passed) {
  BOOST_TEST(result("CALL app.digits", {{"number", 7}}) == "7 | 7");
  BOOST_TEST((error("CALL app.digits").code == ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_CASE(a_procedure_without_columns_lets_rows_go_on) {
  std::atomic<int> calls = 0;
  add("app.note(x :: ANY) :: ()", [&](Arguments, ProcedureRows&) -> Status {
    ++calls;
    return {};
  });
  BOOST_TEST(result("UNWIND [1, 2, 3] AS x CALL app.note(x) RETURN x") == "1; 2; 3");
  BOOST_TEST(calls == 3);
  BOOST_TEST(result("CALL app.note(1)").empty());
}

BOOST_AUTO_TEST_CASE(mistakes_in_a_call_are_found_when_it_is_parsed) {
  for (const char* statement :
       {"CALL app.digits()", "CALL app.digits(1, 2)", "CALL app.digits('a')",
        "CALL app.digits(1.5)", "CALL app.digits(1) YIELD figure RETURN figure",
        "WITH 1 AS digit CALL app.digits(1) YIELD digit RETURN digit"})
    BOOST_TEST((error(statement).code == ErrorCode::parse_error), statement);
  BOOST_TEST(error("CALL app.digits(1) YIELD figure RETURN figure")
                 .message.find("gives no column `figure`; it has digit, rest") !=
             std::string::npos);
  BOOST_TEST((error("CALL app.digits($x)", {{"x", "a"}}).code == ErrorCode::type_error));
  BOOST_TEST((error("CALL app.digits(null)").code == ErrorCode::type_error));
  BOOST_TEST((error("CALL app.figures(1)").code == ErrorCode::not_found));
}

BOOST_AUTO_TEST_CASE(a_row_that_does_not_fit_its_columns_ends_the_statement) {
  add("app.short() :: (a :: INTEGER, b :: INTEGER)",
      [](Arguments, ProcedureRows& rows) -> Status { return rows.add({1}); });
  add("app.wrong() :: (a :: INTEGER)",
      [](Arguments, ProcedureRows& rows) -> Status { return rows.add({"text"}); });
  add("app.heedless() :: (a :: INTEGER)", [](Arguments, ProcedureRows& rows) -> Status {
    for (int i = 0; i < 3; ++i) {
      [[maybe_unused]] const Status ignored = rows.add({i == 1 ? Value("text") : Value(i)});
    }
    return {};
  });
  add("app.whole() :: (a :: FLOAT)",
      [](Arguments, ProcedureRows& rows) -> Status { return rows.add({1}); });
  BOOST_TEST((error("CALL app.short()").code == ErrorCode::invalid_argument));
  const Error wrong = error("CALL app.wrong()");
  BOOST_TEST((wrong.code == ErrorCode::type_error));
  BOOST_TEST(
      wrong.message.find("app.wrong() declares INTEGER for its column `a`") != std::string::npos,
      wrong.message);
  BOOST_TEST((error("CALL app.heedless()").code == ErrorCode::type_error));
  BOOST_TEST(result("CALL app.whole()") == "1.0");
}

BOOST_AUTO_TEST_CASE(errors_and_exceptions_of_a_body_end_the_statement) {
  add("app.fails() :: (a :: ANY)", [](Arguments, ProcedureRows& rows) -> Status {
    CAIRN_TRY(rows.add({1}));
    return Error{ErrorCode::busy, "the line is engaged", std::nullopt};
  });
  add("app.throws() :: (a :: ANY)",
      [](Arguments, ProcedureRows&) -> Status { throw std::out_of_range("off the map"); });
  const Error failed = error("CALL app.fails()");
  BOOST_TEST((failed.code == ErrorCode::busy));
  BOOST_TEST(failed.message.find("app.fails(): the line is engaged") != std::string::npos);
  BOOST_TEST(error("CALL app.throws()").message.find("off the map") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_body_that_does_not_end_is_stopped_at_its_next_row) {
  const auto stopped = std::make_shared<std::promise<ErrorCode>>();
  auto code = stopped->get_future();
  add("app.endless() :: (a :: INTEGER)", [stopped](Arguments, ProcedureRows& rows) -> Status {
    for (int i = 0;; ++i) {
      std::this_thread::sleep_for(1ms);
      const Status added = rows.add({i});
      if (added) continue;
      stopped->set_value(added.error().code);
      return added;
    }
  });
  StatementOptions options;
  options.timeout = 50ms;
  BOOST_TEST(
      (error_of(*database, "CALL app.endless()", {}, options).code == ErrorCode::resource_limit));
  BOOST_TEST((code.wait_for(10s) == std::future_status::ready));
  BOOST_TEST((code.get() == ErrorCode::cancelled));
}

BOOST_AUTO_TEST_CASE(rows_take_no_more_memory_than_the_statement_has) {
  const auto added = std::make_shared<std::atomic<std::size_t>>(0);
  add("app.many() :: (text :: STRING)", [added](Arguments, ProcedureRows& rows) -> Status {
    for (int i = 0; i < 100'000; ++i, ++*added) CAIRN_TRY(rows.add({std::string(1'000, 'x')}));
    return {};
  });
  StatementOptions options;
  options.memory_bytes = 1 << 20;
  BOOST_TEST(
      (error_of(*database, "CALL app.many()", {}, options).code == ErrorCode::resource_limit));
  BOOST_TEST(added->load() < 1'100U);
}

BOOST_AUTO_TEST_CASE(nodes_go_in_and_out) {
  run_all(*database, {"CREATE (:N {x: 1}), (:N {x: 2})"});
  add("app.larger(nodes :: LIST<NODE>) :: (node :: NODE)",
      [](Arguments arguments, ProcedureRows& rows) -> Status {
        for (const Value& node : arguments[0].as_list())
          if (node.as_node().properties().at("x").as_integer() > 1) CAIRN_TRY(rows.add({node}));
        return {};
      });
  BOOST_TEST(result("MATCH (n:N) WITH collect(n) AS nodes CALL app.larger(nodes) YIELD node "
                    "SET node.seen = true RETURN node.x, node.seen") == "2 | true");
}

BOOST_AUTO_TEST_CASE(names_of_the_language_cannot_be_taken) {
  const auto code = [&](std::string_view signature) {
    return database->register_procedure(signature, add_digits).error().code;
  };
  BOOST_TEST((code("db.labels() :: (label :: STRING)") == ErrorCode::already_exists));
  BOOST_TEST((code("db.mine() :: (label :: STRING)") == ErrorCode::already_exists));
  BOOST_TEST((code("app.f() :: STRING") == ErrorCode::invalid_argument));
  BOOST_TEST((code("app.f() ::") == ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_CASE(a_procedure_can_be_taken_back) {
  BOOST_TEST(database->unregister_procedure("app.digits"));
  BOOST_TEST(!database->unregister_procedure("app.digits"));
  BOOST_TEST((error("CALL app.digits(1)").code == ErrorCode::not_found));
}

BOOST_AUTO_TEST_CASE(show_procedures_lists_them) {
  BOOST_TEST(result("SHOW PROCEDURES YIELD name, signature, columns WHERE name = 'app.digits' "
                    "RETURN signature, columns") ==
             "'app.digits(number :: INTEGER) :: (digit :: INTEGER, rest :: INTEGER)' | "
             "['digit', 'rest']");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
