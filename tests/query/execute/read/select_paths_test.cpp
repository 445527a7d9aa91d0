// Compares ANY, SHORTEST k and SHORTEST k GROUPS before a path with a selection from all paths of
// the same pattern.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn::test {
namespace {

using Ends = std::pair<std::int64_t, std::int64_t>;
/// A path: its length and the numbers of its relationships.
using Found = std::pair<std::int64_t, std::string>;
using PathsByEnds = std::map<Ends, std::vector<Found>>;

struct Fixture {
  Fixture() {
    run_all(*database,
            {"UNWIND range(0, 4) AS i CREATE (:N {i: i})",
             "WITH [[0, 1], [1, 2], [2, 0], [1, 3], [3, 4], [4, 1], [0, 1], [3, 3], [2, 4], "
             "[4, 2]] AS steps UNWIND range(0, 9) AS w "
             "MATCH (a:N {i: steps[w][0]}), (b:N {i: steps[w][1]}) "
             "CREATE (a)-[:R {w: w}]->(b)"});
  }

  std::string sorted(std::string_view statement, const Parameters& parameters = {}) {
    std::string text;
    for (const std::string& row : sorted_rows(*database, statement, parameters))
      text += (text.empty() ? "" : "; ") + row;
    return text;
  }

  /// The paths of `MATCH p = pattern`, by their ends and in the order of their lengths.
  PathsByEnds paths_of(const std::string& pattern) {
    Rows rows = must(execute(
        *database, "MATCH p = " + pattern + " RETURN a.i, b.i, length(p), [r IN rs | r.w] AS ws"));
    PathsByEnds paths;
    for (const auto& row : must(rows.all()))
      paths[{row[0].as_integer(), row[1].as_integer()}].emplace_back(row[2].as_integer(),
                                                                     row[3].to_text());
    for (auto& [ends, found] : paths) std::ranges::sort(found);
    return paths;
  }

  TemporaryDatabase database;
};

std::vector<std::int64_t> lengths_of(const std::vector<Found>& paths) {
  std::vector<std::int64_t> lengths;
  for (const auto& [length, path] : paths) lengths.push_back(length);
  return lengths;
}

bool are_different(const std::vector<Found>& paths) {
  return std::set<Found>(paths.begin(), paths.end()).size() == paths.size();
}

/// The paths of the first `count` lengths.
std::vector<Found> first_groups(const std::vector<Found>& paths, std::size_t count) {
  std::set<std::int64_t> lengths;
  std::vector<Found> first;
  for (const Found& path : paths) {
    lengths.insert(path.first);
    if (lengths.size() <= count) first.push_back(path);
  }
  return first;
}

// Among paths of equal length, any may be selected.
void check_paths(const PathsByEnds& selected, const PathsByEnds& all, std::size_t count) {
  BOOST_TEST(selected.size() == all.size());
  for (const auto& [ends, paths] : all) {
    const auto found = selected.find(ends);
    BOOST_TEST_REQUIRE((found != selected.end()));
    std::vector<std::int64_t> expected = lengths_of(paths);
    expected.resize(std::min(expected.size(), count));
    BOOST_TEST(lengths_of(found->second) == expected, boost::test_tools::per_element());
    BOOST_TEST(std::ranges::includes(paths, found->second));
    BOOST_TEST(are_different(found->second));
  }
}

void check_groups(const PathsByEnds& selected, const PathsByEnds& all, std::size_t count) {
  BOOST_TEST(selected.size() == all.size());
  for (const auto& [ends, paths] : all) {
    const auto found = selected.find(ends);
    BOOST_TEST_REQUIRE((found != selected.end()));
    BOOST_TEST((found->second == first_groups(paths, count)));
  }
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(select_paths, Fixture)

BOOST_AUTO_TEST_CASE(selected_paths_are_the_first_of_all_paths) {
  for (const std::string hops : {"{0,4}", "{1,4}", "{2,4}", "{3}"})
    for (const std::string arrow : {"->", "-"})
      for (const std::string where : {"", " WHERE rs.w % 3 > 0"}) {
        const std::string pattern = "(a:N)-[rs:R" + where + "]" + arrow + hops + "(b:N)";
        BOOST_TEST_CONTEXT(pattern) {
          const PathsByEnds all = paths_of(pattern);
          for (const std::size_t count : {1U, 2U, 5U}) {
            const std::string shortest = "SHORTEST " + std::to_string(count);
            check_paths(paths_of(shortest + " " + pattern), all, count);
            check_groups(paths_of(shortest + " GROUPS " + pattern), all, count);
          }
        }
      }
}

BOOST_AUTO_TEST_CASE(conditions_in_the_parentheses_hold_before_the_selection) {
  for (const std::string where :
       {"size(rs) > 2", "any(r IN rs WHERE r.w > 6)", "none(n IN nodes(p) WHERE n.i = 3)",
        "all(r IN rs WHERE r.w <> 1) AND length(p) <= 3", "a.i < b.i AND length(p) > 1",
        "size(rs) > 2 + 0 * rand()", "none(n IN nodes(p) WHERE n.i = 3 + 0 * rand())"}) {
    const std::string pattern = "(a:N)-[rs:R]->{1,4}(b:N)";
    const PathsByEnds all = paths_of(pattern + " WHERE " + where);
    BOOST_TEST_CONTEXT(where) {
      check_paths(paths_of("SHORTEST 2 (" + pattern + " WHERE " + where + ")"), all, 2);
      check_groups(paths_of("ALL SHORTEST (" + pattern + " WHERE " + where + ")"), all, 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_condition_that_fails_is_an_error_only_if_there_is_a_path) {
  const Parameters wrong = {{"most", Value(true)}};
  const auto statement = [](const std::string& type) {
    return "MATCH ANY SHORTEST ((:N {i: 0})-[rs:" + type +
           "]->+(:N {i: 4}) WHERE size(rs) <= 1 + $most) RETURN size(rs)";
  };
  BOOST_TEST(sorted(statement("None"), wrong) == "");
  BOOST_TEST((error_of(*database, statement("R"), wrong).code == ErrorCode::type_error));
}

BOOST_AUTO_TEST_CASE(where_holds_after_the_selection) {
  const std::string pattern = "(a:N)-[rs:R]->{1,4}(b:N)";
  for (const std::string selector : {"ALL SHORTEST ", "SHORTEST 2 GROUPS "}) {
    PathsByEnds expected;
    for (const auto& [ends, paths] : paths_of(selector + pattern))
      for (const Found& path : paths)
        if (path.first > 2) expected[ends].push_back(path);
    BOOST_TEST((paths_of(selector + pattern + " WHERE length(p) > 2") == expected));
    BOOST_TEST((paths_of(selector + pattern + " WHERE size(rs) > 2 AND a.i >= 0") == expected));
  }
}

BOOST_AUTO_TEST_CASE(selectors_have_several_spellings) {
  const std::string ends = "({i: 0})-[rs:R]->+({i: 4}) RETURN [r IN rs | r.w]";
  const auto found = [&](const std::string& selector) {
    return sorted("MATCH " + selector + " " + ends);
  };
  const std::string all_shortest = found("ALL SHORTEST");
  for (const char* same :
       {"ALL SHORTEST PATHS", "SHORTEST GROUP", "SHORTEST 1 GROUP", "shortest 1 paths groups"})
    BOOST_TEST(found(same) == all_shortest);
  for (const char* one : {"ANY", "ANY PATH", "ANY 1 PATHS", "ANY SHORTEST", "any shortest path",
                          "SHORTEST 1", "SHORTEST 1 PATH"})
    BOOST_TEST(rows_of(*database, "MATCH " + std::string(one) + " " + ends).size() == 1U);
  BOOST_TEST(found("ALL PATHS") == sorted("MATCH " + ends));
  BOOST_TEST(sorted("MATCH p = ALL ((a {i: 0})-[:R]->+({i: 4}) WHERE length(p) = 3) RETURN a.i") ==
             sorted("MATCH p = (a {i: 0})-[:R]->+({i: 4}) WHERE length(p) = 3 RETURN a.i"));
}

BOOST_AUTO_TEST_CASE(selected_paths_stand_in_other_clauses) {
  BOOST_TEST(sorted("MATCH (a:N {i: 0}), (b:N {i: 4}) RETURN "
                    "COUNT { SHORTEST 3 (a)-[:R]->*(b) }, EXISTS { ANY (b)-[:R]->{1,9}(a) }") ==
             "3 | true");
  BOOST_TEST(sorted("OPTIONAL MATCH p = ANY SHORTEST (:N {i: 0})-[:None]-+(:N {i: 4}) RETURN p") ==
             "null");
  BOOST_TEST(sorted("MATCH p = SHORTEST 1 (a:N {i: 2})-[:None]->*(b:N {i: 2}) RETURN length(p)") ==
             "0");
  for (const char* refused :
       {"MATCH ANY SHORTEST (a)-->()-->+(b) RETURN a", "MATCH SHORTEST 2 (a)-->(b) RETURN a",
        "MATCH ANY SHORTEST (a)-->+(b), (b)-->(c) RETURN a", "MATCH SHORTEST 0 (a)-->+(b) RETURN a",
        "MATCH SHORTEST (a)-->+(b) RETURN a", "CREATE ANY (a)-[:R]->(b)",
        "MATCH ()-[rs:R*]->() MATCH ANY SHORTEST ()-[rs:R*]->() RETURN 1"})
    BOOST_TEST((error_of(*database, refused).code == ErrorCode::parse_error), refused);
}

// 30 nodes, each with a relationship to all later nodes, have 2^28 paths between the first and the
// last.
BOOST_AUTO_TEST_CASE(selecting_few_paths_does_not_visit_all) {
  run_all(*database, {"UNWIND range(1, 30) AS i CREATE (:K {i: i})",
                      "MATCH (a:K), (b:K) WHERE a.i < b.i CREATE (a)-[:L]->(b)"});
  StatementOptions options;
  options.timeout = std::chrono::seconds(20);
  BOOST_TEST(result_of(*database,
                       "MATCH p = SHORTEST 30 (:K {i: 1})-[:L]->+(:K {i: 30}) "
                       "RETURN length(p) AS steps, count(*) ORDER BY steps",
                       {}, options) == "1 | 1; 2 | 28; 3 | 1");
  // The paths of fewer than 25 steps are too many to visit them all first.
  BOOST_TEST(result_of(*database,
                       "MATCH p = SHORTEST 2 (:K {i: 1})-[:L]-{25,}(:K {i: 30}) "
                       "RETURN length(p)",
                       {}, options) == "25; 25");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
