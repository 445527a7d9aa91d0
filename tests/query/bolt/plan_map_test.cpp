// Plans as nested maps, from the lines that EXPLAIN and PROFILE give.
#include "query/bolt/cursor.hpp"

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>

namespace cairn::test {
namespace {

using query::bolt::plan_map;

// The operators of a plan, each with its children in brackets.
std::string shape_of(const Map& node) {
  std::string text = node.at("operatorType").as_string();
  const List& children = node.at("children").as_list();
  if (children.empty()) return text;
  text += "(";
  for (const Value& child : children)
    text += (text.ends_with('(') ? "" : ", ") + shape_of(child.as_map());
  return text + ")";
}

std::size_t count_of(const Map& node, const std::string& part) {
  std::size_t count = part == "operator" ? 1 : 0;
  const Map& args = node.at("args").as_map();
  if (const auto found = args.find(part); found != args.end())
    count += found->second.as_list().size();
  for (const Value& child : node.at("children").as_list()) count += count_of(child.as_map(), part);
  return count;
}

std::size_t lines_of(const std::string& plan) {
  return static_cast<std::size_t>(std::ranges::count(plan, '\n'));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bolt_plan_maps)

BOOST_AUTO_TEST_CASE(nothing_without_a_plan) { BOOST_TEST(!plan_map("").has_value()); }

BOOST_AUTO_TEST_CASE(what_gives_rows_is_a_child) {
  const auto plan = plan_map(
      "Project q.name                ~12\n"
      "  Expand (p)-[:KNOWS]->(q)    ~1.5\n"
      "    ScanNodes (p)             ~1\n"
      "      | p.name = \"Ada\"        ~1\n"
      "conditions that no index answers: q.x ENDS WITH 'y'\n");
  BOOST_REQUIRE(plan.has_value());
  BOOST_TEST(!plan->is_profile);
  BOOST_TEST(shape_of(plan->root) == "Project(Expand(ScanNodes))");
  BOOST_TEST(plan->root.at("args").to_text() ==
             "{Details: 'q.name', EstimatedRows: 12.0, UnansweredConditions: 'q.x ENDS WITH "
             "\\'y\\''}");
  const Map& expand = plan->root.at("children").as_list()[0].as_map();
  BOOST_TEST(expand.at("args").as_map().at("EstimatedRows").as_float() == 1.5);
  const Map& scan = expand.at("children").as_list()[0].as_map();
  BOOST_TEST(scan.at("args").as_map().at("Filter").to_text() == "['p.name = \"Ada\"']");
}

BOOST_AUTO_TEST_CASE(an_inner_plan_is_a_child_beside_the_input) {
  const auto plan = plan_map(
      "Project a    ~2\n"
      "  Optional    ~2\n"
      "      Expand (a)-->(b)  ~1\n"
      "        Argument  ~1\n"
      "    ScanNodes (a)  ~2\n");
  BOOST_TEST(shape_of(plan.value().root) == "Project(Optional(Expand(Argument), ScanNodes))");
}

BOOST_AUTO_TEST_CASE(every_line_of_a_real_plan_is_in_it) {
  TemporaryDatabase database;
  run_all(*database, {"CREATE (:Person {name: 'Zo\xc3\xab', age: 3})-[:KNOWS]->(:Person)"});
  for (const std::string text :
       {"MATCH (p:Person {name: 'Zo\xc3\xab'})-[:KNOWS]->(q) WHERE q.age > 1 OR q.age IS NULL "
        "RETURN q",
        "MATCH (p:Person) OPTIONAL MATCH (p)-[:KNOWS]->(q) RETURN p.name AS name, count(q) AS n "
        "ORDER BY n",
        "RETURN 1 AS x UNION ALL RETURN 2 AS x",
        "MATCH (p) WHERE p.name ENDS WITH '\xc3\xab' RETURN p", "UNWIND [1] AS x RETURN x"}) {
    for (const std::string mode : {"EXPLAIN ", "PROFILE "}) {
      const std::string lines = plan_of(*database, mode + text);
      const auto plan = plan_map(lines);
      BOOST_REQUIRE(plan.has_value());
      BOOST_TEST(plan->is_profile == (mode == "PROFILE "));
      const bool has_remark = lines.find("conditions that") != std::string::npos;
      const std::size_t others = (plan->is_profile ? 1U : 0U) + (has_remark ? 1U : 0U);
      BOOST_TEST(count_of(plan->root, "operator") + count_of(plan->root, "Filter") + others ==
                     lines_of(lines),
                 lines);
      BOOST_TEST(Value(plan->root).to_text().find("  ") == std::string::npos, lines);
      BOOST_TEST(Value(plan->root).to_text().find('~') == std::string::npos, lines);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_profile_has_what_was_measured) {
  const std::string blanks(22, ' ');
  const auto plan = plan_map(blanks +
                             "   expected       rows        ids    records         ms\n"
                             "Project q.n\xc3\xa4me        "
                             "        ~12          7          0          0      0.250\n"
                             "  ScanNodes (q)       "
                             "         ~1          9          5          2      1.500\n"
                             "    + by text         "
                             "                     3\n");
  BOOST_REQUIRE(plan.has_value());
  BOOST_TEST(plan->is_profile);
  BOOST_TEST(plan->root.at("rows").as_integer() == 7);
  BOOST_TEST(plan->root.at("time").as_integer() == 250'000);
  BOOST_TEST(plan->root.at("args").as_map().at("Details").as_string() == "q.n\xc3\xa4me");
  const Map& scan = plan->root.at("children").as_list()[0].as_map();
  BOOST_TEST(scan.at("dbHits").as_integer() == 7);
  BOOST_TEST(scan.at("rows").as_integer() == 9);
  BOOST_TEST(scan.at("args").as_map().at("Retrievers").to_text() == "['by text']");
}

BOOST_AUTO_TEST_CASE(any_text_is_survived) {
  for (const char* text : {"\n", "| x\n", "+ x", "   expected ms", "expected  ms\nA",
                           "      A ~\nB\nC ~1", "~1", " ~1", "expected a ms\n\xff\xff ~9"})
    BOOST_CHECK_NO_THROW(static_cast<void>(plan_map(text)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
