// Reports about statements that have ended: in the metrics, and to the hook for slow statements.
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/metrics.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <stdexcept>
#include <stop_token>
#include <thread>

namespace cairn::test {
namespace {

struct Told {
  std::string text;
  std::uint64_t rows;
  bool failed;
};

/// A database that takes every statement for slow.
struct Fixture {
  std::vector<Told> told;
  TemporaryDatabase database{options()};

  Options options() {
    Options options;
    options.slow_statement_after = std::chrono::milliseconds(0);
    options.slow_statement = [this](const SlowStatement& slow) {
      BOOST_TEST(slow.elapsed.count() >= 0);
      told.push_back({std::string(slow.text), slow.rows, slow.failed});
    };
    return options;
  }
  double value(const std::string& name) {
    const Metrics metrics = database->metrics();
    return std::ranges::find(metrics.values, "cairn_" + name + "_total", &Metric::name)->value;
  }
  Rows run(const std::string& text, const StatementOptions& chosen = {}) {
    return must(execute(*database, text, {}, chosen));
  }
};

const std::string endless = "UNWIND range(1, 1000000000) AS i RETURN i";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(statement_metrics, Fixture)

BOOST_AUTO_TEST_CASE(a_statement_is_told_of_after_its_last_row) {
  Rows rows = run("UNWIND [1, 2, 3] AS i RETURN i");
  for (int i = 0; i < 3; ++i) BOOST_TEST(must(rows.next()).has_value());
  BOOST_TEST(told.empty());
  BOOST_TEST(!must(rows.next()).has_value());
  BOOST_TEST_REQUIRE(told.size() == 1U);
  BOOST_TEST(told[0].text == "UNWIND [1, 2, 3] AS i RETURN i");
  BOOST_TEST(told[0].rows == 3U);
  BOOST_TEST(!told[0].failed);
  BOOST_TEST(!must(rows.next()).has_value());  // asked again, and not told again
  BOOST_TEST(told.size() == 1U);
  BOOST_TEST(value("statements") == 1);
  BOOST_TEST(value("rows_returned") == 3);
}

BOOST_AUTO_TEST_CASE(rows_that_are_dropped_end_it_too) {
  {
    Rows rows = run(endless);
    for (int i = 0; i < 10; ++i) must(rows.next());
    BOOST_TEST(told.empty());
  }
  BOOST_TEST_REQUIRE(told.size() == 1U);
  BOOST_TEST(told[0].rows == 10U);
  BOOST_TEST(!told[0].failed);
  run(endless);  // and where no row was taken
  BOOST_TEST_REQUIRE(told.size() == 2U);
  BOOST_TEST(told[1].rows == 0U);
  BOOST_TEST(value("rows_returned") == 10);
}

BOOST_AUTO_TEST_CASE(rows_outlive_their_database_handle) {
  auto rows = std::make_unique<Rows>(run(endless));
  must(rows->next());
  database.close();
  rows.reset();
  BOOST_TEST(told.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_statement_that_writes_is_told_of_once) {
  run("CREATE (:A) RETURN 1");
  Transaction transaction = must(database->begin());
  must(must(Statement::parse("MATCH (a:A) RETURN a")).run(transaction));
  transaction.rollback();
  run("CREATE INDEX FOR (a:A) ON (a.x)");
  BOOST_TEST_REQUIRE(told.size() == 3U);
  BOOST_TEST(told[0].rows == 1U);
  BOOST_TEST(told[1].rows == 1U);
  BOOST_TEST(told[2].rows == 0U);
  BOOST_TEST(value("statements") == 3);
}

BOOST_AUTO_TEST_CASE(failures_are_told_as_such) {
  static_cast<void>(error_of(*database, "UNWIND [1, 0] AS i RETURN 1 / i"));
  static_cast<void>(error_of(*database,
                             "MATCH (a) SEARCH a IN (VECTOR INDEX none FOR [1] LIMIT 1) "
                             "RETURN a"));
  static_cast<void>(error_of(*database, "CREATE (:A {x: 1 / 0})"));
  StatementOptions few;
  few.max_rows = 2;
  static_cast<void>(error_of(*database, "UNWIND [1, 2, 3] AS i RETURN i", {}, few));
  few.max_rows = 10'000'000;
  few.memory_bytes = 1'000;  // what a writing statement gives is held until its end
  static_cast<void>(
      error_of(*database, "UNWIND range(1, 100) AS i CREATE (a:A {x: i}) RETURN i", {}, few));
  BOOST_TEST_REQUIRE(told.size() == 5U);
  for (const Told& one : told) BOOST_TEST(one.failed, one.text);
  BOOST_TEST(told[3].rows == 2U);
  BOOST_TEST(value("statements_failed") == 5);
  BOOST_TEST(value("statements_cancelled") == 0);
}

BOOST_AUTO_TEST_CASE(a_statement_that_was_cancelled_is_told_as_such) {
  std::stop_source source;
  StatementOptions options;
  options.cancel = source.get_token();
  Rows rows = run(endless, options);
  must(rows.next());
  source.request_stop();
  while (rows.next()) continue;
  BOOST_TEST(told.size() == 1U);
  BOOST_TEST(value("statements_cancelled") == 1);
  BOOST_TEST(value("statements_failed") == 1);
}

BOOST_AUTO_TEST_CASE(what_does_not_run_is_not_told_of) {
  BOOST_TEST(!execute(*database, "RETRUN 1").has_value());
  BOOST_TEST(told.empty());
  BOOST_TEST(value("statements") == 0);
}

BOOST_AUTO_TEST_CASE(a_quick_statement_is_not_slow) {
  Options patient = options();
  patient.slow_statement_after = std::chrono::hours(1);
  database.reopen(patient);
  run("RETURN 1");
  BOOST_TEST(told.empty());
  BOOST_TEST(value("statements") == 1);
}

BOOST_AUTO_TEST_CASE(the_time_of_the_caller_does_not_count) {
  Options patient = options();
  patient.slow_statement_after = std::chrono::seconds(2);
  database.reopen(patient);
  Rows rows = run("UNWIND range(1, 3000) AS i RETURN i");
  must(rows.next());
  std::this_thread::sleep_for(std::chrono::milliseconds(2'100));
  while (must(rows.next())) continue;
  BOOST_TEST(told.empty());
}

BOOST_AUTO_TEST_CASE(a_hook_that_throws_breaks_nothing) {
  Options throwing = options();
  throwing.slow_statement = [](const SlowStatement&) { throw std::runtime_error("broken"); };
  database.reopen(throwing);
  run_all(*database, {"CREATE (:A)", "MATCH (a) RETURN a"});
  run(endless);
  BOOST_TEST(result_of(*database, "MATCH (a) RETURN count(*)") == "1");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
