// CONTAINS, ENDS WITH and =~ that test each different text of a property once give the same rows as
// tests of records.
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <regex>
#include <sstream>

namespace cairn::test {
namespace {

/// This test counts record reads, and segments read no records.
Options without_segments() {
  Options options;
  options.segments = Segments::never;
  return options;
}

// 600 nodes with 30 texts, a few numbers and lists among them, and some without p.
struct Texts {
  Texts() {
    run_all(*database, {"UNWIND range(0, 599) AS i CREATE (n:N {i: i, half: i % 2 = 0}) "
                        "SET n.p = CASE WHEN i % 31 = 0 THEN i WHEN i % 37 = 0 THEN ['b7'] "
                        "WHEN i % 41 = 0 THEN null ELSE 'a' + toString(i % 30) + 'b' END"});
  }

  /// Compares the rows by the index with the rows by an expression that no index answers.
  void check(const std::string& condition, Transaction* transaction = nullptr) {
    const std::string back = " RETURN count(*) AS n, sum(i) AS s";
    const auto rows = [&](const std::string& text) {
      const Statement statement = must(Statement::parse(text));
      Rows found = must(transaction != nullptr ? statement.run(*transaction, {})
                                               : statement.run(*database, {}));
      const auto row = must(found.all()).at(0);
      return row[0].to_text() + " nodes, their sum " + row[1].to_text();
    };
    BOOST_TEST_CONTEXT(condition) {
      const std::string by_record =
          rows("MATCH (n:N) WITH n.p AS p, n.i AS i, n.half AS half WHERE " + condition + back);
      const std::string of_node = std::regex_replace(condition, std::regex("\\b(p |half)"), "n.$1");
      BOOST_TEST(rows("MATCH (n:N) WHERE " + of_node + " WITH n.i AS i" + back) == by_record);
    }
  }

  std::uint64_t records_read_by(const std::string& condition) {
    const std::string plan =
        plan_of(*database, "PROFILE MATCH (n:N) WHERE " + condition + " RETURN count(*) AS n");
    const std::size_t line = plan.find("CountRows");
    BOOST_TEST_REQUIRE(line != std::string::npos, plan);
    std::istringstream figures(plan.substr(plan.find('~', line)));
    std::string expected, rows, ids;
    std::uint64_t records = 0;
    figures >> expected >> rows >> ids >> records;
    return records;
  }

  TemporaryDatabase database{without_segments()};
};

const char* const conditions[] = {
    "p CONTAINS '1'",          "NOT p CONTAINS '1'",
    "p CONTAINS ''",           "p ENDS WITH '7b'",
    "NOT p ENDS WITH '7b'",    "p =~ 'a.*[37]b'",
    "NOT p =~ 'a.*[37]b'",     "p CONTAINS 'long'",
    "NOT p CONTAINS 'long'",   "p CONTAINS null",
    "p CONTAINS '1' AND half", "p CONTAINS '1' OR p ENDS WITH '2b'",
    "p CONTAINS '1' XOR half", "NOT (p CONTAINS '1' OR p =~ '.*2.*')",
    "p CONTAINS '\\u00e9'",
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(text_scan, Texts)

BOOST_AUTO_TEST_CASE(texts_are_tested_once_each_and_no_record_is_read) {
  for (const char* condition : conditions) check(condition);
  BOOST_TEST(records_read_by("n.p CONTAINS '1'") == 0U);
}

BOOST_AUTO_TEST_CASE(few_records_are_read_rather_than_many_texts) {
  run_all(*database,
          {"UNWIND range(1000, 3000) AS i CREATE (:N {i: i, p: 'text ' + toString(i)})"});
  BOOST_TEST(records_read_by("n.i = 1007 AND n.p CONTAINS '7'") == 1U);
}

BOOST_AUTO_TEST_CASE(long_texts_are_looked_at_in_their_records) {
  run_all(*database, {"UNWIND range(600, 620) AS i CREATE (n:N {i: i, half: true, "
                      "p: reduce(s = '', k IN range(1, 100) | s + 'long') + toString(i)})"});
  for (const char* condition : conditions) check(condition);
  const std::uint64_t read = records_read_by("n.p CONTAINS 'a7b'");
  BOOST_TEST((read > 0 && read < 100), "read " << read);
}

BOOST_AUTO_TEST_CASE(many_different_texts_are_left_to_their_records) {
  run_all(*database, {"UNWIND range(600, 900) AS i CREATE (n:N {i: i, half: true, "
                      "p: reduce(s = '', k IN range(1, 100) | s + 'long') + toString(i)})"});
  for (const char* condition : conditions) check(condition);
  BOOST_TEST(records_read_by("n.p CONTAINS 'a7b'") > 300U);
}

BOOST_AUTO_TEST_CASE(a_transaction_finds_its_own_texts) {
  Transaction transaction = must(database->begin());
  for (const char* change :
       {"MATCH (n:N) WHERE n.i % 3 = 0 SET n.p = 'é1b'", "MATCH (n:N) WHERE n.i % 5 = 0 REMOVE n.p",
        "MATCH (n:N) WHERE n.i % 7 = 0 DELETE n"})
    must(must(must(Statement::parse(change)).run(transaction, {})).all());
  for (const char* condition : conditions) check(condition, &transaction);
  must(transaction.commit());
  for (const char* condition : conditions) check(condition);
}

BOOST_AUTO_TEST_CASE(a_scan_of_texts_ends_with_its_budget) {
  run_all(*database,
          {"UNWIND range(1000, 8000) AS i CREATE (:N {p: 'text number ' + toString(i)})"});
  const char* statement = "MATCH (n:N) WHERE n.p CONTAINS 'e' RETURN count(*)";
  BOOST_TEST(result_of(*database, statement) == "7001");
  StatementOptions small;
  small.memory_bytes = 16'384;
  BOOST_TEST((error_of(*database, statement, {}, small).code == ErrorCode::resource_limit));
  // Later calls return the same error, because half a filter is no answer.
  auto rows =
      test::must(execute(*database, "MATCH (n) WHERE n.p CONTAINS 'e' RETURN n.p", {}, small));
  for (int i = 0; i < 3; ++i) {
    const auto row = rows.next();
    BOOST_REQUIRE(!row.has_value());
    BOOST_TEST((row.error().code == ErrorCode::resource_limit));
  }
  for (const char* text :
       {"MATCH (n) WHERE n.q = COUNT { MATCH (m) WHERE m.p CONTAINS 'e' RETURN m } RETURN n",
        "MATCH (n) WHERE n.q = COLLECT { MATCH (m) WHERE m.p CONTAINS 'e' RETURN count(*) }[0] "
        "RETURN n"})
    BOOST_TEST((error_of(*database, text, {}, small).code == ErrorCode::resource_limit), text);
  std::stop_source stopped;
  stopped.request_stop();
  StatementOptions cancelled;
  cancelled.cancel = stopped.get_token();
  BOOST_TEST((error_of(*database, statement, {}, cancelled).code == ErrorCode::cancelled));
}

BOOST_AUTO_TEST_CASE(a_pattern_that_is_none_is_an_error) {
  BOOST_TEST(error_of(*database, "MATCH (n:N) WHERE n.p =~ '(' RETURN n").message.find("(") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(filters_test_texts_too) {
  const std::string test = "{field: 'p', operator: 'matches', value: '1'}";
  BOOST_TEST(
      result_of(*database, "MATCH (n:N) WHERE matches_filter(n, " + test + ") RETURN count(*)") ==
      result_of(*database,
                "MATCH (n:N) WITH n, n.p AS p WHERE p =~ '.*1.*' OR "
                "(valueType(p) STARTS WITH 'LIST' AND 'b1' IN p) "
                "RETURN count(*)"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
