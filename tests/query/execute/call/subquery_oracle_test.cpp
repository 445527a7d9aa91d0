// Compares CALL (n, x) { ... RETURN y } with UNWIND COLLECT { ... RETURN y } AS y, for random
// queries, with all rules and without each rule.
#include "query/optimize/optimizer.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>
#include <random>

namespace cairn::test {
namespace {

/// Queries of one column y over a node n and its number x.
class BodyGenerator {
 public:
  explicit BodyGenerator(std::uint64_t seed) : random_(seed) {}

  std::string body() {
    std::string text = part();
    const bool is_all = below(2) == 0;
    for (std::size_t i = below(3) == 0 ? 1 + below(2) : 0; i > 0; --i)
      text += (is_all ? " UNION ALL " : " UNION ") + part();
    return text;
  }

 private:
  std::size_t below(std::size_t count) { return random_() % count; }
  std::string one_of(std::initializer_list<const char*> texts) {
    return *(texts.begin() + static_cast<std::ptrdiff_t>(below(texts.size())));
  }
  std::string number() { return std::to_string(below(6)); }

  std::string condition() {
    switch (below(6)) {
      case 0:
        return " WHERE m.v " + one_of({"<", ">=", "=", "<>"}) + " x";
      case 1:
        return " WHERE m.v > " + number() + " AND m.k = n.k";
      case 2:
        return " WHERE EXISTS { (m)-->(n) }";
      case 3:
        return " WHERE m:B OR m.v = " + number();
      default:
        return "";
    }
  }
  std::string reading() {
    const std::string optional = one_of({"", "", "OPTIONAL "});
    switch (below(5)) {
      case 0:
        return optional + "MATCH (m:" + one_of({"A", "B"}) + ")" + condition();
      case 1:
        return optional + "MATCH (n)" + one_of({"-->", "<--", "--", "-[:R*1..2]->"}) + "(m)" +
               condition();
      case 2:
        return "MATCH (m:A {v: x})" + condition();
      case 3:
        return "UNWIND range(0, x) AS i MATCH (m {v: i})";
      default:
        return "MATCH (k:B) CALL (k, x) { MATCH (k)--(j) WHERE j.v <> x RETURN j AS m LIMIT 9 }";
    }
  }
  std::string between() {
    switch (below(5)) {
      case 0:
        return " WITH m ORDER BY m.v, id(m) " + one_of({"", "DESC "}) + "LIMIT " + number();
      case 1:
        return " WITH DISTINCT m";
      case 2:
        return " WITH m WHERE m.v < 4";
      default:
        return "";
    }
  }
  std::string returned() {
    const std::string value = one_of({"m.v", "m.v + x", "m.v * 10 + n.v", "coalesce(m.k, n.k)"});
    switch (below(5)) {
      case 0:
        return " RETURN count(m) AS y";
      case 1:
        return " RETURN sum(m.v) + count(*) AS y";
      case 2:
        return " RETURN DISTINCT " + value + " AS y";
      case 3:
        return " RETURN " + value + " AS y ORDER BY y " + one_of({"", "DESC "}) + "SKIP " +
               std::to_string(below(2)) + " LIMIT " + number();
      default:
        return " RETURN " + value + " AS y";
    }
  }
  std::string part() { return reading() + between() + returned(); }

  std::mt19937_64 random_;
};

struct OracleFixture {
  OracleFixture() {
    run_all(*database,
            {"UNWIND range(0, 5) AS i CREATE (:A {v: i, k: i % 2})",
             "UNWIND range(0, 5) AS i CREATE (:B {v: i, k: i % 3})",
             "MATCH (a:A), (b:B) WHERE (a.v * 7 + b.v * 3) % 5 < 2 CREATE (a)-[:R]->(b)",
             "MATCH (a:B), (b:A) WHERE (a.v * 5 + b.v * 2) % 7 = 0 CREATE (a)-[:S]->(b)"});
  }
  TemporaryDatabase database;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(called_subquery_oracle, OracleFixture)

BOOST_AUTO_TEST_CASE(rows_are_those_of_collect_and_unwind) {
  const std::string before = "MATCH (n:A) WITH n, n.v AS x ";
  const auto rules = query::rule_names();
  const std::size_t count = rounds(300, 3'000);
  std::cout << "seeds 1 to " << count << "\n";
  std::size_t rows = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const std::string body = BodyGenerator(seed).body();
    const std::string called = before + "CALL (n, x) { " + body + " } RETURN x, y";
    const auto expected =
        sorted_rows(*database, before + "UNWIND COLLECT { " + body + " } AS y RETURN x, y");
    rows += expected.size();
    StatementOptions options;
    options.disabled_rules = seed % 3 == 0 ? "" : std::string(rules[seed % rules.size()]);
    const auto actual = sorted_rows(*database, called, {}, options);
    BOOST_TEST(actual == expected, "seed " << seed << " without " << options.disabled_rules << ": "
                                           << called << "\n"
                                           << (actual.empty() ? "" : actual.front()));
  }
  BOOST_TEST(rows > 5 * count, rows << " rows");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
