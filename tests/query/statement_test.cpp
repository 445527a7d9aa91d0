#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <thread>

namespace cairn::test {
namespace {

Result<Rows> execute_in(Transaction& transaction, std::string_view text) {
  return must(Statement::parse(text)).run(transaction);
}

struct Fixture {
  TemporaryDatabase database;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(statement, Fixture)

BOOST_AUTO_TEST_CASE(one_statement_runs_many_times) {
  const Statement statement = must(Statement::parse("RETURN $x + 1 AS y"));
  for (int i = 0; i < 3; ++i) {
    Rows rows = must(statement.run(*database, {{"x", i}}));
    BOOST_TEST((must(rows.all())[0][0] == Value(i + 1)));
  }
}

BOOST_AUTO_TEST_CASE(a_name_space_is_the_statements_and_not_its_transactions) {
  StatementOptions tenant;
  tenant.name_space = "tenant";
  Transaction transaction = must(database->begin());
  const Statement make = must(Statement::parse("CREATE (:A {x: 1})"));
  must(make.run(transaction, {}, tenant));
  must(transaction.create_node({{"B"}, {}, "b"}));
  must(transaction.commit());
  BOOST_TEST(result_of(*database, "MATCH (n) RETURN labels(n)") == "['B']");
  BOOST_TEST(result_of(*database, "MATCH (n) RETURN labels(n)", {}, tenant) == "['A']");
  BOOST_TEST(must(must(database->snapshot()).find_node("b")).has_value());
}

BOOST_AUTO_TEST_CASE(a_writer_that_reads_for_long_keeps_its_turn) {
  Options options;
  options.writer_idle_limit = std::chrono::milliseconds(100);
  options.writer_timeout = std::chrono::minutes(1);
  database.reopen(options);
  std::thread other;
  {
    Transaction transaction = must(database->begin());
    other = std::thread([&] { must(execute(*database, "CREATE (:Other)")); });
    const auto made = execute_in(transaction,
                                 "UNWIND range(1, 2000000) AS i WITH max(i * i % 1009) AS m "
                                 "CREATE (:Mine {m: m}) RETURN m");
    BOOST_TEST(made.has_value());
    BOOST_TEST(transaction.commit().has_value());
  }
  other.join();
  BOOST_TEST(result_of(*database, "MATCH (n) RETURN count(n)") == "2");
}

BOOST_AUTO_TEST_CASE(rows_hold_whole_entities) {
  run_all(*database, {"CREATE (:A {x: 1})-[:R {y: 2}]->(:B)"});
  Rows rows = must(execute(*database, "MATCH p = (a:A)-[r]->() RETURN a, r, [a], {k: r}, p"));
  const auto row = must(rows.all())[0];
  BOOST_TEST((row[0].as_node().property("x") == Value(1)));
  BOOST_TEST(row[1].as_relationship().type() == "R");
  BOOST_TEST((row[2].as_list()[0].as_node().labels() == std::vector<std::string>{"A"}));
  BOOST_TEST((row[3].as_map().at("k").as_relationship().property("y") == Value(2)));
  BOOST_TEST((row[4].path()->nodes[1].labels() == std::vector<std::string>{"B"}));
}

BOOST_AUTO_TEST_CASE(a_snapshot_refuses_writes_and_stays_as_it_was) {
  run_all(*database, {"CREATE (:A)"});
  const Snapshot snapshot = must(database->snapshot());
  run_all(*database, {"CREATE (:A)"});
  const Statement count = must(Statement::parse("MATCH (n:A) RETURN count(*)"));
  Rows rows = must(count.run(snapshot));
  BOOST_TEST((must(rows.all())[0][0] == Value(1)));
  const Statement write = must(Statement::parse("CREATE (:A)"));
  BOOST_TEST(write.is_writing());
  BOOST_TEST((write.run(snapshot).error().code == ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_CASE(rows_outlive_their_snapshot_and_database_handles) {
  run_all(*database, {"UNWIND range(1, 5000) AS i CREATE (:A {i: i})"});
  std::optional<Rows> rows;
  {
    const Snapshot snapshot = must(database->snapshot());
    rows.emplace(must(must(Statement::parse("MATCH (n:A) RETURN n.i")).run(snapshot)));
  }
  BOOST_TEST(must(rows->all()).size() == 5'000U);
}

BOOST_AUTO_TEST_CASE(statements_join_a_transaction_and_see_its_writes) {
  Transaction transaction = must(database->begin());
  const Statement create = must(Statement::parse("CREATE (:A {x: $x})"));
  must(create.run(transaction, {{"x", 1}}));
  const Statement count = must(Statement::parse("MATCH (n:A {x: 1}) RETURN count(*)"));
  BOOST_TEST((must(must(count.run(transaction)).all())[0][0] == Value(1)));
  BOOST_TEST(result_of(*database, "MATCH (n:A) RETURN count(*)") == "0");
  must(transaction.commit());
  BOOST_TEST(result_of(*database, "MATCH (n:A) RETURN count(*)") == "1");
}

BOOST_AUTO_TEST_CASE(a_failed_write_leaves_its_transaction_for_rollback) {
  Transaction transaction = must(database->begin());
  const Statement bad = must(Statement::parse("UNWIND [1, 0] AS x CREATE (:A {v: 1 / x})"));
  BOOST_TEST(!bad.run(transaction).has_value());
  BOOST_TEST(!transaction.commit().has_value());
  transaction.rollback();
  BOOST_TEST(result_of(*database, "MATCH (n) RETURN count(*)") == "0");
}

BOOST_AUTO_TEST_CASE(unknown_names_are_warnings_with_the_nearest_one) {
  run_all(*database, {"CREATE (:Person {name: 'Ada'})-[:KNOWS]->()"});
  Rows rows = must(execute(*database, "MATCH (n:Persn)-[:KNOWN]->() WHERE n.nme = 1 RETURN n"));
  BOOST_TEST(must(rows.all()).empty());
  std::string all;
  for (const std::string& warning : rows.warnings()) all += warning + "\n";
  for (const char* name : {"Person", "KNOWS", "name"})
    BOOST_TEST(all.find("did you mean " + std::string(name) + "?") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_test_of_texts_against_no_text_is_remarked) {
  run_all(*database, {"CREATE (:N {k: '1', l: [1]})"});
  const auto remarks = [&](const std::string& condition) {
    Rows rows = must(execute(*database, "MATCH (n:N) WHERE " + condition + " RETURN n"));
    must(rows.all());
    return rows.warnings().empty() ? "" : rows.warnings().front();
  };
  BOOST_TEST(
      remarks("n.k CONTAINS 1") ==
      "CONTAINS 1 is never true, because it compares texts; write '1' for the text, or 1 IN ... "
      "for an element of a list");
  BOOST_TEST(remarks("NOT n.k STARTS WITH true").find("STARTS WITH true") == 0);
  BOOST_TEST(remarks("n.k ENDS WITH 2.5").find("ENDS WITH 2.5") == 0);
  for (const char* condition :
       {"n.k CONTAINS '1'", "1 IN n.l", "n.k CONTAINS null", "n.k CONTAINS toString(1)"})
    BOOST_TEST(remarks(condition) == "", condition);
}

BOOST_AUTO_TEST_CASE(a_literal_is_read_alone) {
  for (const std::string text :
       {"1", "-1.5", " 'a' ", "[1, {a: null}]", "date('2026-01-01')", "vector([1.0])", "1 // one"})
    BOOST_TEST(parse_literal(text).has_value(), text);
  for (const std::string text :
       {"1 LIMIT 2", "1 AS x", "1 SKIP 1", "1, 2", "DISTINCT 1", "1 ORDER BY 1", "1) LIMIT (2",
        "1) AS x, (2", "1) AS (x", "1 UNION RETURN 2", "1) UNION RETURN (2", "1;", "count(*)", "n",
        "1 + 1", "", "1) AS x //", "1) LIMIT 2 //"})
    BOOST_TEST(!parse_literal(text).has_value(), text);
}

// Larger than a statement may be, and as deep as a stored value may be.
BOOST_AUTO_TEST_CASE(a_literal_of_any_stored_value_is_read) {
  std::string days;
  for (int i = 0; i < 60'000; ++i) days += (i == 0 ? "" : ", ") + std::string("date('2020-01-01')");
  const Value list = must(parse_literal("[" + days + "]"));
  BOOST_TEST(list.as_list().size() == 60'000U);
  const Value deep =
      must(parse_literal(std::string(127, '[') + "date('2020-01-01')" + std::string(127, ']')));
  BOOST_TEST(must(parse_literal(deep.to_text())).to_text() == deep.to_text());
}

BOOST_AUTO_TEST_CASE(a_vector_is_read_back_from_its_text) {
  const Value vector{Vector({1, -2.5F, 3e20F})};
  for (const Value& value : {vector, Value(List{vector, 1}), Value(Map{{"v", vector}})})
    BOOST_TEST((must(parse_literal(value.to_text())) == value), value.to_text());
  BOOST_TEST(!parse_literal("vector([1.0], 1, INTEGER8)").has_value());
  BOOST_TEST(!parse_literal("vector(FLOAT32, 1, FLOAT32)").has_value());
}

BOOST_AUTO_TEST_CASE(words_of_functions_need_no_quotes) {
  BOOST_TEST(result_of(*database,
                       "RETURN vector_distance([1.0], [3.0], EUCLIDEAN) AS d, "
                       "normalize('e\u0301', NFC) = '\u00e9' AS n, "
                       "vector_dimension_count(vector([1, 2], 2, FLOAT32)) AS c") ==
             "2.0 | true | 2");
  BOOST_TEST(result_of(*database,
                       "WITH 'MANHATTAN' AS EUCLIDEAN "
                       "RETURN vector_distance([1, 1], [3, 3], EUCLIDEAN)") == "4.0");
}

BOOST_AUTO_TEST_CASE(errors_have_the_place_in_the_text) {
  const std::string text = "UNWIND [1] AS x\nRETURN x + 1, x / 0";
  const Error error = error_of(*database, text);
  BOOST_REQUIRE(error.where.has_value());
  BOOST_TEST(error.where->line == 2U);
  BOOST_TEST(text.substr(error.where->begin, error.where->end - error.where->begin) == "x / 0");
}

BOOST_AUTO_TEST_CASE(a_missing_parameter_is_named) {
  BOOST_TEST(error_of(*database, "RETURN $name").message.find("$name") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(namespaces_do_not_see_each_other) {
  StatementOptions tenant;
  tenant.name_space = "tenant";
  must(execute(*database, "CREATE (:A {x: 1})-[:R]->(:B)", {}, tenant));
  must(execute(*database, "CREATE (:A {x: 2})"));
  BOOST_TEST(result_of(*database, "MATCH (n:A) RETURN n.x", {}, tenant) == "1");
  BOOST_TEST(result_of(*database, "MATCH (n:A) RETURN n.x") == "2");
  BOOST_TEST(result_of(*database, "MATCH ()-[r]->() RETURN count(r)") == "0");
  BOOST_TEST(result_of(*database, "MATCH (n) RETURN count(*)", {}, tenant) == "2");
  StatementOptions stranger;
  stranger.name_space = "stranger";
  BOOST_TEST(result_of(*database, "MATCH (n) RETURN count(*)", {}, stranger) == "0");
}

BOOST_AUTO_TEST_CASE(memory_is_limited) {
  StatementOptions options;
  options.memory_bytes = std::size_t{4} << 20;
  for (const char* text : {"UNWIND range(1, 2000000) AS x RETURN collect(x)",
                           "UNWIND range(1, 2000000) AS x RETURN x ORDER BY x",
                           "UNWIND range(1, 2000000) AS x RETURN DISTINCT x",
                           "UNWIND range(1, 2000000) AS x RETURN x, count(*)",
                           "RETURN reduce(s = 'x', i IN range(1, 40) | s + s)",
                           "RETURN size([x IN range(1, 1000) | [y IN range(1, 1000) | x]])",
                           "UNWIND range(1, 2000000) AS x CREATE (:A)"})
    BOOST_TEST_CONTEXT(text) {
      Result<Rows> rows = execute(*database, text, {}, options);
      const auto all = rows ? rows->all() : std::move(rows).error();
      BOOST_TEST((!all && all.error().code == ErrorCode::resource_limit));
    }
}

BOOST_AUTO_TEST_CASE(a_running_statement_can_be_cancelled) {
  std::stop_source stop;
  StatementOptions options;
  options.cancel = stop.get_token();
  std::jthread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop.request_stop();
  });
  const Error error = error_of(
      *database, "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN count(*)", {},
      options);
  BOOST_TEST((error.code == ErrorCode::cancelled));
}

BOOST_AUTO_TEST_CASE(rows_are_limited) {
  StatementOptions options;
  options.max_rows = 10;
  BOOST_TEST((error_of(*database, "UNWIND range(1, 11) AS x RETURN x", {}, options).code ==
              ErrorCode::resource_limit));
  BOOST_TEST(rows_of(*database, "UNWIND range(1, 10) AS x RETURN x", {}, options).size() == 10U);
}

BOOST_AUTO_TEST_CASE(the_clock_stands_still_within_a_statement) {
  StatementOptions options;
  options.now = 1'000'000;
  BOOST_TEST(result_of(*database, "RETURN timestamp()", {}, options) == "1000");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
