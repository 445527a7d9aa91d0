// NOT x IN n.list by the index reads only the records of lists that are in doubt. Its rows are
// those of a scan, wherever the condition stands.
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/value_generator.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <limits>
#include <sstream>

namespace cairn::test {
namespace {

constexpr int tagged = 400;

// Nodes with two of four tags, some without.
struct Fixture {
  Fixture() {
    run_all(*database,
            {"UNWIND range(0, " + std::to_string(tagged - 1) +
             ") AS i WITH i, ['red', 'blue', 'green', 'x'] AS t CREATE (:N {i: i, e: [1, i], "
             "tags: CASE WHEN i % 9 = 0 THEN null ELSE [t[i % 4], t[i / 4 % 4]] END, "
             "m: {tags: [t[i % 3]]}})"});
  }

  std::uint64_t records_read_by(const std::string& condition, const Parameters& parameters = {}) {
    const std::string plan = plan_of(
        *database, "PROFILE MATCH (n:N) WHERE " + condition + " RETURN count(*) AS n", parameters);
    const std::size_t line = plan.find("CountRows");
    BOOST_TEST_REQUIRE(line != std::string::npos, plan);
    std::istringstream figures(plan.substr(plan.find('~', line)));
    std::string expected, rows, ids;
    std::uint64_t records = tagged;
    figures >> expected >> rows >> ids >> records;
    return records;
  }

  /// Checks that the rows are the same as without indexes.
  template <class Target>
  static void check(Target& target, const std::string& text, const Parameters& parameters) {
    StatementOptions scan;
    scan.disabled_rules = "push_filters choose_indexes count_from_cardinality";
    const auto rows = [&](const StatementOptions& options) {
      std::vector<std::int64_t> found;
      Rows all = must(must(Statement::parse(text)).run(target, parameters, options));
      for (const auto& row : must(all.all())) found.push_back(row[0].as_integer());
      std::ranges::sort(found);
      return found;
    };
    BOOST_TEST_CONTEXT(text << ", x = " << parameters.at("x").to_text()
                            << ", list = " << parameters.at("list").to_text())
    BOOST_TEST(rows({}) == rows(scan), boost::test_tools::per_element());
  }

  template <class Target>
  void check_all(Target& target) {
    const char* const conditions[] = {
        "NOT $x IN n.tags",
        "NOT ($x IN n.tags OR n.i < 100)",
        "NOT ($x IN n.tags AND NOT 'blue' IN n.tags)",
        "NOT $x IN n.tags XOR n.i > 50",
        "NOT $x IN n.m.tags",
        "NOT NOT $x IN n.tags",
        "any(t IN n.tags WHERE t = $x)",
        "any(t IN n.m.tags WHERE $x = t)",
        "NOT any(t IN n.tags WHERE t = $x OR t = 'blue')",
        "any(t IN n.tags WHERE t IN [$x, 'blue', null])",
        "none(t IN n.tags WHERE t IN [$x, 'green'])",
        "NOT none(t IN n.tags WHERE t = $x)",
        "none(t IN n.tags WHERE t = $x) XOR n.i > 50",
        "any(t IN n.tags WHERE t = $x AND t = 'blue')",
        "any(t IN n.tags WHERE t = $x OR t = n.i)",
        "any(t IN n.tags WHERE t = t)",
        "any(t IN n.tags WHERE t IN $list)",
        "none(t IN n.tags WHERE t IN $list)",
        "NOT any(t IN n.m.tags WHERE t IN $list)",
        "any(t IN n.tags WHERE t IN $list OR t = $x)",
        "none(t IN n.tags WHERE t IN $list OR t IN [$x, 'blue'])",
        "n.i > 30 AND any(t IN n.tags WHERE t IN $list) XOR n.i < 450",
        "any(t IN n.tags WHERE t IN n.m.tags)",
        "any(t IN n.e WHERE t = 1) AND none(t IN n.tags WHERE t = $x)",
        "n.i > 20 AND NOT $x IN n.tags"};
    for (int i = 0; i < 8; ++i) {
      const Parameters parameters = {{"x", i == 0 ? Value("red") : element()},
                                     {"q", List{1, 0}},
                                     {"rows", tagged * 2},
                                     {"list", asked_for()}};
      for (const std::string condition : conditions) {
        check(target, "MATCH (n:N) WHERE " + condition + " RETURN n.i", parameters);
        check(target, "MATCH (n:N) WHERE " + condition + " RETURN count(*)", parameters);
      }
      // Disabling rules does not affect a condition inside SEARCH, so compare it with the same
      // condition after the search.
      const std::string search = "SEARCH n IN (VECTOR INDEX v FOR $q ";
      check_same(target, "MATCH (n:N) " + search + "WHERE NOT $x IN n.tags LIMIT $rows) RETURN n.i",
                 "MATCH (n:N) " + search + "LIMIT $rows) WITH n WHERE NOT $x IN n.tags RETURN n.i",
                 parameters);
    }
  }

  template <class Target>
  static void check_same(Target& target, const std::string& text, const std::string& other,
                         const Parameters& parameters) {
    const auto rows = [&](const std::string& statement) {
      std::vector<std::int64_t> found;
      Rows all = must(must(Statement::parse(statement)).run(target, parameters));
      for (const auto& row : must(all.all())) found.push_back(row[0].as_integer());
      std::ranges::sort(found);
      return found;
    };
    BOOST_TEST_CONTEXT(text << ", x = " << parameters.at("x").to_text())
    BOOST_TEST(rows(text) == rows(other), boost::test_tools::per_element());
  }

  /// A random element, drawn from few values both for lists and for conditions, so that they often
  /// match.
  Value element() {
    static const std::string text(300, 'x');
    const Value few[] = {"red",
                         1,
                         1.0,
                         -0.0,
                         0,
                         std::numeric_limits<double>::quiet_NaN(),
                         Value(),
                         text + "1",
                         text + "2",
                         List{},
                         List{1},
                         List{Value()},
                         List(17, Value(1)),
                         Map{{"k", 1}},
                         Map{{"k", Value()}},
                         Date{1}};
    return random.below(8) == 0 ? random.storable(2) : few[random.below(std::size(few))];
  }

  Value list() {
    if (random.below(8) == 0) return Vector({1.0F, static_cast<float>(random.below(3))});
    if (random.below(8) == 0) return List(17, Value(static_cast<std::int64_t>(random.below(3))));
    List list;
    for (std::uint64_t i = random.below(4); i > 0; --i) list.push_back(element());
    return list;
  }

  /// The values of any(... WHERE t IN $list): null, nothing, or a few of any type.
  Value asked_for() {
    if (random.below(6) == 0) return {};
    return list();
  }

  void add_odd_lists() {
    run_all(*database, {"CREATE VECTOR INDEX v FOR (n:N) ON (n.e) OPTIONS {indexConfig: "
                        "{`vector.dimensions`: 2}}"});
    Transaction transaction = must(database->begin());
    for (int i = 0; i < 120; ++i) {
      Properties properties{{"i", tagged + i}, {"e", Vector({1.0F, static_cast<float>(i)})}};
      properties["tags"] = list();
      Value nested = list();
      if (nested.type() != ValueType::vector) properties["m"] = Map{{"tags", std::move(nested)}};
      must(transaction.create_node({{"N"}, properties, ""}));
    }
    must(transaction.commit());
  }

  ValueGenerator random{test_seed()};
  TemporaryDatabase database;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(negated_membership, Fixture)

BOOST_AUTO_TEST_CASE(no_record_is_read) {
  for (const char* condition :
       {"NOT 'red' IN n.tags", "NOT ('red' IN n.tags OR n.i < 100)",
        "NOT ('red' IN n.tags AND 'blue' IN n.tags)", "NOT 'red' IN n.tags XOR n.i > 50",
        "NOT 'red' IN n.m.tags", "NOT 1 IN n.tags", "NOT $x IN n.tags", "NOT [1] IN n.tags"})
    BOOST_TEST(records_read_by(condition, {{"x", "red"}}) == 0U, condition);
}

BOOST_AUTO_TEST_CASE(a_list_in_a_parameter_asks_the_index_for_each_of_its_values) {
  for (const Value& topics : {Value(List{"red", "blue"}), Value(List{"red", 1, Value(), 2.5}),
                              Value(List{}), Value(), Value(Vector({1, 2}))})
    for (const char* condition :
         {"any(t IN n.tags WHERE t IN $topics)", "none(t IN n.tags WHERE t IN $topics)",
          "any(t IN n.m.tags WHERE t IN $topics)"})
      BOOST_TEST(records_read_by(condition, {{"topics", topics}}) == 0U,
                 condition << " of " << topics.to_text());
  const Error error =
      error_of(*database, "MATCH (n:N) WHERE any(t IN n.tags WHERE t IN $topics) RETURN n.i",
               {{"topics", 5}});
  BOOST_TEST((error.code == ErrorCode::type_error), error.message);
}

BOOST_AUTO_TEST_CASE(what_is_in_doubt_is_read_alone) {
  const std::string text(300, 'x');
  Transaction transaction = must(database->begin());
  const Value doubtful[] = {List(20, Value(3)), Vector({3.0F, 4.0F}), List{Value(List{3})},
                            List{text + "1"}};
  for (const Value& list : doubtful)
    must(transaction.create_node({{"N"}, {{"i", -1}, {"tags", list}}, ""}));
  must(transaction.create_node({{"N"}, {{"i", -1}, {"tags", List{"a", Value()}}}, ""}));
  must(transaction.commit());
  BOOST_TEST(records_read_by("NOT 'red' IN n.tags") == 0U);
  BOOST_TEST(records_read_by("NOT 3 IN n.tags") == 2U);
  BOOST_TEST(records_read_by("NOT [3] IN n.tags") == 1U);
  BOOST_TEST(records_read_by("NOT $x IN n.tags", {{"x", text + "1"}}) == 1U);
  BOOST_TEST(result_of(*database, "MATCH (n:N {i: -1}) WHERE NOT 3 IN n.tags RETURN count(*)") ==
             "2");
}

BOOST_AUTO_TEST_CASE(odd_lists_are_told_as_by_their_records) {
  add_odd_lists();
  check_all(*database);
}

BOOST_AUTO_TEST_CASE(a_transaction_asks_of_its_own_lists) {
  add_odd_lists();
  Transaction transaction = must(database->begin());
  for (const char* change :
       {"MATCH (n:N) WHERE n.i % 3 = 0 SET n.tags = ['red', null]",
        "MATCH (n:N) WHERE n.i % 5 = 0 REMOVE n.tags", "MATCH (n:N) WHERE n.i % 7 = 0 DELETE n",
        "MATCH (n:N) WHERE n.i % 11 = 0 SET n.tags = range(0, 20)"})
    must(must(must(Statement::parse(change)).run(transaction, {})).all());
  check_all(transaction);
  must(transaction.commit());
  check_all(*database);
}

BOOST_AUTO_TEST_CASE(an_update_takes_what_lacks_the_element) {
  add_odd_lists();
  const std::string kept = result_of(
      *database, "MATCH (n:N) WITH n, n.tags AS t WHERE NOT 1 IN t RETURN count(*), sum(n.i)");
  run_all(*database, {"MATCH (n:N) WHERE NOT 1 IN n.tags SET n.lacks = true"});
  BOOST_TEST(result_of(*database, "MATCH (n:N {lacks: true}) RETURN count(*), sum(n.i)") == kept);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
