// The parts of a ranking as functions of the language, alone and in a statement over two searches.

#include "query/functions/function_entry.hpp"
#include "tests/support/graph_builder.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

namespace cairn::query {
namespace {

using test::must;

struct Fixture {
  test::TemporaryDatabase db;

  List row(std::string_view text, const Parameters& parameters = {},
           const StatementOptions& options = {}) {
    Rows rows = must(execute(*db, text, parameters, options));
    auto all = must(rows.all());
    BOOST_REQUIRE(all.size() == 1u);
    return all[0];
  }
  bool refused(std::string_view expression) {
    Result<Rows> rows = execute(
        *db, "CREATE (m) WITH [[{node: m, score: 1e308}], [{node: m, score: 1e308}]] AS h RETURN " +
                 std::string(expression) + " AS x");
    return !rows || !rows->all();
  }
  Value value(std::string_view expression) {
    return row("RETURN " + std::string(expression) + " AS x")[0];
  }
};

const auto within = boost::test_tools::tolerance(1e-12);

}  // namespace

BOOST_FIXTURE_TEST_SUITE(rank_functions, Fixture)

// M0.45, M3.37: the numbers of the pipeline, worked out by hand
BOOST_AUTO_TEST_CASE(terms_and_boosts_are_those_of_the_pipeline) {
  StatementOptions options;
  options.now = 1'770'000'000'000'000;  // 2026-02-02
  const List found =
      row("RETURN rank.recency(datetime('2026-01-18T02:40Z')) AS a, "
          "rank.recency(date('2026-01-02'), 31) "
          "AS b, rank.recency(datetime('2030-01-01T00:00Z')) AS c",
          {}, options);
  BOOST_TEST(found[0].as_float() == 1 / 1.5, within);
  BOOST_TEST(found[1].as_float() == 0.5, within);
  BOOST_TEST(found[2].as_float() == 1.0, within);
  BOOST_TEST(value("rank.position(2, 10)").as_float() == 0.8, within);
  BOOST_TEST(value("rank.boost(true, 0.3)").as_float() == 1.3, within);
  BOOST_TEST(value("rank.boost('', 0.3)").as_float() == 1.0, within);
  BOOST_TEST(value("rank.boost(['a', 'b'], 0.5, 'b')").as_float() == 1.5, within);
  BOOST_TEST(value("rank.boost('a', 0.5, 'b')").as_float() == 1.0, within);
}

// M3.40
BOOST_AUTO_TEST_CASE(what_is_missing_adds_nothing) {
  BOOST_TEST(value("rank.recency(null)").as_float() == 0.0);
  BOOST_TEST(value("rank.recency('soon')").as_float() == 0.0);
  BOOST_TEST(value("rank.position(null, 3)").as_float() == 0.0);
  BOOST_TEST(value("rank.position(0.0 / 0.0, 3)").as_float() == 0.0);
  BOOST_TEST(value("rank.position(1, 0.0 / 0.0)").as_float() == 0.0);
  BOOST_TEST(value("rank.boost(null, 3)").as_float() == 1.0);
  BOOST_TEST(value("rank.fuse_by_rank([])").as_list().empty());
  BOOST_TEST(value("rank.fuse_by_score([[], [{node: null, score: null}]])").as_list().empty());
  BOOST_TEST(value("rank.fuse_by_rank(null)").is_null());
}

BOOST_AUTO_TEST_CASE(what_makes_no_sense_is_refused) {
  for (const char* text :
       {"rank.recency(date('2026-01-01'), 0)", "rank.boost(1, 1.0 / 0.0)", "rank.fuse_by_rank(1)",
        "rank.fuse_by_rank([1])", "rank.fuse_by_rank([[{score: 1}]])",
        "rank.fuse_by_rank([[{node: 1, score: 1}]])", "rank.fuse_by_rank([[], []], [1])",
        "rank.fuse_by_rank([[], []], ['a', 1])", "rank.fuse_by_rank([[]], [0])",
        "rank.fuse_by_rank([[]], null, -1)", "rank.fuse_by_score(h, [1e10, -1e10])",
        "rank.fuse_by_score(h + h)"})
    BOOST_TEST(refused(text), text);
}

// M4.20 to M4.22: 1/61 and 1/62 by weight; the node of both lists is first, the doubled one counts once.
BOOST_AUTO_TEST_CASE(two_lists_become_one_by_rank_or_score) {
  must(execute(*db, "UNWIND ['a', 'b', 'c'] AS name CREATE (:M {name: name})"));
  const std::string lists =
      "MATCH (a:M {name: 'a'}), (b:M {name: 'b'}), (c:M {name: 'c'}) WITH "
      "[[{node: a, score: 0.9}, {node: b, score: 0.5}, {node: a, score: 0.1}], "
      "[{node: c, score: 7}, {node: b, score: 8}]] AS lists ";
  const std::string shown =
      " AS h RETURN collect(h.node.name) AS names, collect(h.score) AS scores";
  const List by_rank = row(lists + "UNWIND rank.fuse_by_rank(lists, [3, 1])" + shown);
  BOOST_TEST(by_rank[0].to_text() == "['b', 'a', 'c']");
  BOOST_TEST(by_rank[1].as_list()[0].as_float() == 0.75 / 62 + 0.25 / 61, within);
  BOOST_TEST(by_rank[1].as_list()[1].as_float() == 0.75 / 61, within);
  BOOST_TEST(by_rank[1].as_list()[2].as_float() == 0.25 / 62, within);
  const List by_score = row(lists + "UNWIND rank.fuse_by_score(lists, [10, 1])" + shown);
  BOOST_TEST(by_score[0].to_text() == "['b', 'a', 'c']");
  BOOST_TEST(by_score[1].to_text() == "[13.0, 9.0, 7.0]");
}

BOOST_AUTO_TEST_CASE(a_statement_fuses_two_searches_under_one_filter) {
  must(execute(*db,
               "CREATE VECTOR INDEX v FOR (m:M) ON m.e "
               "OPTIONS {indexConfig: {`vector.dimensions`: 2}}"));
  must(execute(*db, "CREATE FULLTEXT INDEX t FOR (m:M) ON EACH [m.text]"));
  must(execute(*db,
               "UNWIND [['tea', 1.0, 0.0, true], ['tea and chess', 0.0, 1.0, true], "
               "['chess', 0.9, 0.1, false]] AS r "
               "CREATE (:M {text: r[0], e: [r[1], r[2]], open: r[3]})"));
  const List found =
      row("MATCH (m:M) SEARCH m IN (VECTOR INDEX v FOR [1.0, 0.0] WHERE m.open LIMIT 5) SCORE AS s "
          "WITH collect({node: m, score: s}) AS near "
          "OPTIONAL MATCH (m:M) SEARCH m IN (FULLTEXT INDEX t FOR 'chess' WHERE m.open LIMIT 5) "
          "SCORE AS s "
          "WITH near, collect({node: m, score: s}) AS worded "
          "UNWIND rank.fuse_by_rank([near, worded]) AS hit "
          "RETURN collect(hit.node.text) AS texts");
  BOOST_TEST(found[0].to_text() == "['tea and chess', 'tea']");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
