// Constraints: which records they apply to, and that refused statements change nothing, whatever clause writes the
// values.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/statement.hpp>
#include <cairn/transfer.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>
#include <limits>
#include <random>
#include <set>
#include <stop_token>

namespace cairn::test {
namespace {

struct Library {
  TemporaryDatabase database;

  std::string result(std::string_view statement, const Parameters& parameters = {},
                     const StatementOptions& options = {}) {
    return result_of(*database, statement, parameters, options);
  }
  void run(std::string_view statement) { run_all(*database, {std::string(statement)}); }
  Error error(std::string_view statement) { return error_of(*database, statement); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(constraints, Library)

BOOST_AUTO_TEST_CASE(two_nodes_with_one_value_are_refused_and_both_are_named) {
  run("CREATE CONSTRAINT isbn FOR (b:Book) REQUIRE b.isbn IS UNIQUE");
  run("CREATE (:Book {isbn: '1'}), (:Book), (:Book), (:Film {isbn: '1'})");
  for (const std::string_view statement :
       {"CREATE (:Book {isbn: '1'})", "CREATE (:Paper:Book {isbn: '1'})",
        "MATCH (b:Book) WHERE b.isbn IS NULL SET b.isbn = '1'",
        "MATCH (b:Book) WHERE b.isbn IS NULL SET b = {isbn: '1'}",
        "MATCH (b:Book) WHERE b.isbn IS NULL SET b += {isbn: '1'}", "MATCH (f:Film) SET f:Book",
        "UNWIND [2, 2] AS i CREATE (:Book {isbn: i})",
        "CREATE (:Book {isbn: 3}), (:Book {isbn: 3.0})",
        "FOREACH (i IN [4, 4] | CREATE (:Book {isbn: i}))"}) {
    const Error refused = error(statement);
    BOOST_TEST((refused.code == ErrorCode::already_exists), statement);
    BOOST_TEST(refused.message.find("both have :Book(isbn) = ") != std::string::npos,
               refused.message);
    BOOST_TEST(refused.message.ends_with("(constraint \"isbn\")"), refused.message);
    BOOST_TEST(result("MATCH (n) RETURN count(n), count(n.isbn)") == "4 | 2", statement);
  }
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_CASE(what_is_the_same_within_a_statement_only_may_be) {
  run("CREATE CONSTRAINT FOR (n:N) REQUIRE n.i IS UNIQUE");
  run("CREATE (:N {i: 1}), (:N {i: 2})");
  run("MATCH (n:N) SET n.i = 3 - n.i");
  run("MATCH (n:N {i: 1}) DELETE n CREATE (:N {i: 1})");
  run("MERGE (n:N {i: 1}) SET n.found = true");
  BOOST_TEST(result("MATCH (n:N) RETURN n.i ORDER BY n.i") == "1; 2");
}

BOOST_AUTO_TEST_CASE(a_transaction_is_held_to_it_at_each_statement_and_at_its_commit) {
  run("CREATE CONSTRAINT FOR (n:N) REQUIRE n.i IS UNIQUE");
  const std::vector<std::string> labels{"N"};
  {
    Transaction transaction = must(database->begin());
    must(transaction.create_node({labels, {{"i", 1}}, ""}));
    must(transaction.create_node({labels, {{"i", 1}}, ""}));
    const Status refused = transaction.commit();
    BOOST_REQUIRE(!refused);
    BOOST_TEST((refused.error().code == ErrorCode::already_exists));
  }
  BOOST_TEST(result("MATCH (n) RETURN count(n)") == "0");
  Transaction transaction = must(database->begin());
  must(transaction.create_node({labels, {{"i", 1}}, ""}));
  const Statement twice = must(Statement::parse("CREATE (:N {i: 1})"));
  const auto refused = twice.run(transaction);
  BOOST_TEST(!refused.has_value());
}

BOOST_AUTO_TEST_CASE(a_key_needs_its_properties_and_is_of_all_of_them) {
  run("CREATE CONSTRAINT FOR (d:Doc) REQUIRE (d.source, d.number) IS NODE KEY");
  run("CREATE (:Doc {source: 'a', number: 1}), (:Doc {source: 'a', number: 2})");
  const Error twice = error("CREATE (:Doc {source: 'a', number: 2})");
  BOOST_TEST(twice.message.find(":Doc(source, number) = ['a', 2]") != std::string::npos,
             twice.message);
  const Error lacking = error("CREATE (:Doc {source: 'b'})");
  BOOST_TEST((lacking.code == ErrorCode::invalid_argument));
  BOOST_TEST(lacking.message.find("lacks the property number, which every :Doc must have") !=
                 std::string::npos,
             lacking.message);
  BOOST_TEST(error("MATCH (d:Doc {number: 1}) REMOVE d.number").message.find("lacks") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(relationships_have_them_too) {
  run("CREATE CONSTRAINT FOR ()-[r:PAID]-() REQUIRE r.receipt IS UNIQUE");
  run("CREATE CONSTRAINT FOR ()-[r:PAID]-() REQUIRE r.amount IS NOT NULL");
  run("CREATE (a:A)-[:PAID {receipt: 1, amount: 5}]->(:B)");
  BOOST_TEST((error("MATCH (a:A), (b:B) CREATE (a)-[:PAID {receipt: 1, amount: 5}]->(b)").code ==
              ErrorCode::already_exists));
  BOOST_TEST((error("MATCH (a:A), (b:B) CREATE (a)-[:PAID {receipt: 2}]->(b)").code ==
              ErrorCode::invalid_argument));
  BOOST_TEST(
      result("SHOW CONSTRAINTS YIELD type, entityType RETURN type, entityType ORDER BY type") ==
      "'RELATIONSHIP_PROPERTY_EXISTENCE' | 'RELATIONSHIP'; 'RELATIONSHIP_UNIQUENESS' | "
      "'RELATIONSHIP'");
}

BOOST_AUTO_TEST_CASE(records_that_are_there_are_looked_at_first) {
  run("UNWIND [1, 2, 2, 3, 3, 3, 4] AS i CREATE (:N {i: i})");
  const Error refused = error("CREATE CONSTRAINT one FOR (n:N) REQUIRE n.i IS UNIQUE");
  BOOST_TEST((refused.code == ErrorCode::already_exists));
  BOOST_TEST(refused.message.find("; node ") != std::string::npos, refused.message);
  BOOST_TEST((error("CREATE CONSTRAINT one IF NOT EXISTS FOR (n:N) REQUIRE n.i IS UNIQUE").code ==
              ErrorCode::already_exists));
  BOOST_TEST((error("CREATE CONSTRAINT FOR (n:N) REQUIRE n.j IS NOT NULL").code ==
              ErrorCode::invalid_argument));
  BOOST_TEST(result("SHOW CONSTRAINTS").empty());
  run("MATCH (n:N) WITH n.i AS i, collect(n) AS same FOREACH (n IN tail(same) | DELETE n)");
  run("CREATE CONSTRAINT one FOR (n:N) REQUIRE n.i IS UNIQUE");
  BOOST_TEST(result("SHOW CONSTRAINTS YIELD name, labelsOrTypes, properties") ==
             "'one' | ['N'] | ['i']");
}

BOOST_AUTO_TEST_CASE(namespaces_expiry_and_soft_deletion) {
  run("CREATE CONSTRAINT FOR (n:N) REQUIRE n.i IS UNIQUE");
  run("CREATE (:N {i: 1})");
  StatementOptions acme;
  acme.name_space = "acme";
  BOOST_TEST(result("CREATE (n:N {i: 1}) RETURN n.i", {}, acme) == "1");
  Transaction transaction = must(database->begin());
  NewNode expired{{"N"}, {{"i", 2}}, ""};
  expired.expires_at = 1;
  must(transaction.create_node(expired));
  must(transaction.create_node({{"N"}, {{"i", 2}}, ""}));
  must(transaction.commit());
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_CASE(values_of_every_kind_are_compared_as_the_language_does) {
  run("CREATE CONSTRAINT FOR (n:N) REQUIRE n.v IS UNIQUE");
  const std::string text(5'000, 'x');
  const std::vector<std::pair<Value, Value>> pairs{
      {Value(text + "a"), Value(text + "b")},
      {Value(List{1, 2}), Value(List{1, 3})},
      {Value(true), Value(1)},
      {Value("1"), Value(1)},
      {Value(std::numeric_limits<double>::quiet_NaN()),
       Value(std::numeric_limits<double>::quiet_NaN())}};
  for (const auto& [a, b] : pairs) {
    BOOST_TEST(result("CREATE (:N {v: $a}), (:N {v: $b}) RETURN 1", {{"a", a}, {"b", b}}) == "1");
    const bool is_nan = a.type() == ValueType::floating;
    if (is_nan) continue;
    const auto again = execute(*database, "CREATE (:N {v: $a})", {{"a", a}});
    BOOST_TEST(!again.has_value(), a.to_text());
    run("MATCH (n:N) DELETE n");
  }
}

BOOST_AUTO_TEST_CASE(what_holds_a_nan_equals_nothing_and_a_vector_is_no_unique_value) {
  run("CREATE CONSTRAINT FOR (n:N) REQUIRE n.v IS UNIQUE");
  run("CREATE (:N {v: [0.0 / 0.0]}), (:N {v: [0.0 / 0.0]}), (:N {v: {a: 0.0 / 0.0}}), (:N {v: {a: "
      "0.0 / "
      "0.0}})");
  run("CREATE (:N {v: [null]}), (:N {v: [null]}), (:N {v: {a: null}}), (:N {v: {a: null}}), (:N "
      "{v: [1, [null]]}), (:N {v: [1, [null]]})");
  BOOST_TEST(must(database->check()).empty());
  const Error vector = error("CREATE (:N {v: vector([1, 2])})");
  BOOST_TEST((vector.code == ErrorCode::invalid_argument));
  BOOST_TEST(vector.message.find("has a vector in :N(v)") != std::string::npos, vector.message);
}

BOOST_AUTO_TEST_CASE(a_look_at_many_records_stops_at_the_time_of_the_statement) {
  run("CREATE CONSTRAINT FOR (n:N) REQUIRE n.v IS UNIQUE");
  StatementOptions options;
  options.cancel = [] {
    std::stop_source stop;
    stop.request_stop();
    return stop.get_token();
  }();
  const Statement many =
      must(Statement::parse("UNWIND range(1, 20000) AS i CREATE (:N {v: i})", *database));
  const auto stopped = many.run(*database, {}, options);
  BOOST_REQUIRE(!stopped.has_value());
  BOOST_TEST((stopped.error().code == ErrorCode::cancelled));
}

BOOST_AUTO_TEST_CASE(a_pair_is_told_once_and_the_property_stays_in_the_list_of_indexes) {
  run("CREATE (:N {v: 1}), (:N {v: 1}), (:N {v: 2}), (:N {v: 2})");
  const std::string said = error("CREATE CONSTRAINT FOR (n:N) REQUIRE n.v IS UNIQUE").message;
  BOOST_TEST(std::ranges::count(said, ';') == 1, said);
  run("MATCH (n:N) DELETE n");
  run("CREATE CONSTRAINT FOR (n:N) REQUIRE n.v IS UNIQUE");
  BOOST_TEST(result("SHOW INDEXES YIELD name, properties WHERE 'v' IN properties RETURN name") ==
             "'node.v'");
}

BOOST_AUTO_TEST_CASE(values_of_other_namespaces_are_told_to_nobody_who_may_not_use_them) {
  run("CREATE (:N {v: 'secret'}), (:N {v: 'secret'})");
  StatementOptions options;
  options.name_space = "acme";
  options.listed_name_spaces = std::vector<std::string>{"acme"};
  const auto refused =
      execute(*database, "CREATE CONSTRAINT FOR (n:N) REQUIRE n.v IS UNIQUE", {}, options);
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST(refused.error().message.find("secret") == std::string::npos, refused.error().message);
}

BOOST_AUTO_TEST_CASE(an_import_leaves_out_lines_that_are_against_it) {
  run("CREATE CONSTRAINT FOR (n:N) REQUIRE n.v IS UNIQUE");
  const auto file = database.path().parent_path() / "lines.jsonl";
  {
    std::ofstream lines(file);
    for (const auto& [id, v] : {std::pair{1, 1}, {2, 2}, {3, 1}, {4, 3}})
      lines << R"({"type":"node","id":")" << id << R"(","labels":["N"],"properties":{"v":)" << v
            << "}}\n";
  }
  const auto refused = import_jsonl(*database, file);
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST(refused.error().message.starts_with("line 3: "), refused.error().message);
  ImportOptions skipping;
  skipping.skip_errors = true;
  const ImportReport report = must(import_jsonl(*database, file, skipping));
  BOOST_TEST(report.nodes == 3U);
  BOOST_TEST(report.skipped == 1U);
  BOOST_TEST(result("MATCH (n:N) RETURN n.v ORDER BY n.v") == "1; 2; 3");
}

BOOST_AUTO_TEST_CASE(statements_that_name_them) {
  run("CREATE CONSTRAINT one FOR (n:N) REQUIRE n.i IS UNIQUE");
  run("CREATE CONSTRAINT other IF NOT EXISTS FOR (n:N) REQUIRE n.i IS UNIQUE");
  run("CREATE CONSTRAINT one IF NOT EXISTS FOR (n:M) REQUIRE n.j IS UNIQUE");
  BOOST_TEST(
      result("SHOW CONSTRAINTS YIELD name, type, createStatement") ==
      "'one' | 'UNIQUENESS' | 'CREATE CONSTRAINT one IF NOT EXISTS FOR (n:N) REQUIRE (n.i) IS "
      "UNIQUE'");
  BOOST_TEST((error("CREATE CONSTRAINT one FOR (n:M) REQUIRE n.j IS UNIQUE").code ==
              ErrorCode::already_exists));
  BOOST_TEST((error("CREATE INDEX one FOR (n:M) ON (n.j)").code == ErrorCode::already_exists));
  BOOST_TEST(error("DROP CONSTRAINT onn").message.find("did you mean \"one\"?") !=
             std::string::npos);
  BOOST_TEST(error("DROP INDEX one").message.find("DROP CONSTRAINT") != std::string::npos);
  run("DROP CONSTRAINT one");
  run("DROP CONSTRAINT one IF EXISTS");
  run("CREATE (:N {i: 1}), (:N {i: 1})");
  BOOST_TEST((error("CREATE CONSTRAINT FOR (n:N|M) REQUIRE n.i IS UNIQUE").code ==
              ErrorCode::parse_error));
  BOOST_TEST((error("CREATE CONSTRAINT FOR (n:N) REQUIRE n.a.b IS UNIQUE").code ==
              ErrorCode::parse_error));
  BOOST_TEST((error("CREATE CONSTRAINT FOR (n:N) REQUIRE (n.i, n.j) IS NOT NULL").code ==
              ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_CASE(they_are_there_after_reopening_and_in_an_export) {
  run("CREATE CONSTRAINT one FOR (n:N) REQUIRE n.i IS UNIQUE");
  run("CREATE (:N {i: 1})");
  database.reopen();
  BOOST_TEST((error("CREATE (:N {i: 1})").code == ErrorCode::already_exists));
  const Snapshot snapshot = must(database->snapshot());
  BOOST_TEST(must(index_statements(snapshot)) ==
             "CREATE CONSTRAINT one IF NOT EXISTS FOR (n:N) REQUIRE (n.i) IS UNIQUE;\n");
  const auto file = database.path().parent_path() / "lines.jsonl";
  std::ofstream(file) << R"({"type":"node","id":"7","labels":["N"],"properties":{"i":1}})"
                      << "\n";
  const auto imported = import_jsonl(*database, file);
  BOOST_TEST(!imported.has_value());
  BOOST_TEST(result("MATCH (n) RETURN count(n)") == "1");
}

// Random changes of values and labels: each is accepted exactly if a model accepts it.
BOOST_AUTO_TEST_CASE(random_changes_are_accepted_exactly_where_values_stay_apart) {
  run("CREATE CONSTRAINT FOR (n:N) REQUIRE (n.a, n.b) IS UNIQUE");
  constexpr int nodes = 12;
  struct Model {
    int a = 0, b = 0;
    bool is_member = false;
  };
  std::vector<Model> model(nodes);
  for (int i = 0; i < nodes; ++i) run("CREATE ({id: " + std::to_string(i) + ", a: 0, b: 0})");
  const auto are_apart = [](const std::vector<Model>& all) {
    std::set<std::pair<int, int>> seen;
    for (const Model& one : all)
      if (one.is_member && !seen.emplace(one.a, one.b).second) return false;
    return true;
  };
  std::mt19937 random(7);
  int refused = 0;
  for (int step = 0; step < 400; ++step) {
    std::vector<Model> next = model;
    const auto id = random() % nodes;
    Model& one = next[id];
    one = {static_cast<int>(random() % 4), static_cast<int>(random() % 4), random() % 3 != 0};
    const auto done = execute(*database,
                              "MATCH (n {id: $id}) SET n.a = $a, n.b = $b " +
                                  std::string(one.is_member ? "SET n:N" : "REMOVE n:N"),
                              {{"id", static_cast<std::int64_t>(id)}, {"a", one.a}, {"b", one.b}});
    BOOST_TEST_REQUIRE(done.has_value() == are_apart(next), step);
    if (done) model = next;
    refused += done ? 0 : 1;
  }
  BOOST_TEST(refused > 30);
  BOOST_TEST(refused < 370);
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
