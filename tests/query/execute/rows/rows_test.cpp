// Clauses that transform rows: projections, grouping, DISTINCT, order, SKIP and LIMIT, UNWIND,
// UNION.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace cairn::test {
namespace {

struct Fixture {
  std::string result(std::string_view statement, const Parameters& parameters = {}) {
    return result_of(*database, statement, parameters);
  }
  TemporaryDatabase database;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(rows, Fixture)

BOOST_AUTO_TEST_CASE(with_renames_and_filters) {
  BOOST_TEST(result("UNWIND [1, 2, 3] AS x WITH x * 2 AS y WHERE y > 2 RETURN y + 1 AS z") ==
             "5; 7");
  BOOST_TEST(result("WITH 1 AS a, 2 AS b WITH a + b AS c RETURN *") == "3");
}

BOOST_AUTO_TEST_CASE(groups_are_made_of_equal_keys) {
  BOOST_TEST(result("UNWIND [1, 1.0, 2, null, null] AS x RETURN x, count(*) AS c ORDER BY x") ==
             "1 | 2; 2 | 1; null | 2");
  BOOST_TEST(result("UNWIND [1, 2, null] AS x RETURN count(x), sum(x), min(x), max(x), avg(x), "
                    "collect(x)") == "2 | 3 | 1 | 2 | 1.5 | [1, 2]");
  BOOST_TEST(result("UNWIND [1, 1, 2] AS x RETURN count(DISTINCT x) AS c, collect(DISTINCT x)") ==
             "2 | [1, 2]");
}

// Consecutive rows of one group are added together, other rows one by one.
BOOST_AUTO_TEST_CASE(sums_do_not_depend_on_the_order_of_groups) {
  for (const Segments segments : {Segments::never, Segments::always}) {
    Options options;
    options.segments = segments;
    TemporaryDatabase numbers(options);
    run_all(*numbers, {"UNWIND range(0, 4999) AS i CREATE (:N {run: i / 100, mixed: i % 50, i: i, "
                       "high: CASE i WHEN 0 THEN 9223372036854775807 WHEN 1 THEN 1 WHEN 2 THEN -1 "
                       "ELSE 0 END}) WITH i WHERE i >= 2500 CREATE (:M {run: i / 100, mixed: i % "
                       "50, i: i}), (:M {run: i / 100, mixed: i % 50})"});
    for (const std::string key : {"n.run", "n.mixed"}) {
      BOOST_TEST(result_of(*numbers, "MATCH (n:N) WITH " + key +
                                         " AS k, sum(n.i) AS s, count(*) AS n "
                                         "RETURN sum(s), sum(n), count(k)") ==
                 "12497500 | 5000 | 50");
      BOOST_TEST(result_of(*numbers, "MATCH (n:M) WITH " + key +
                                         " AS k, sum(n.i) AS s, count(n.i) AS n, count(*) AS m "
                                         "RETURN sum(s), sum(n), sum(m)") ==
                 "9373750 | 2500 | 5000");
    }
    BOOST_TEST(result_of(*numbers,
                         "MATCH (n:N) WITH n.mixed AS k, sum(n.high) AS s RETURN max(s), "
                         "min(s)") == "9223372036854775807 | -1");
    BOOST_TEST(error_of(*numbers, "MATCH (n:N) WITH n.run AS k, sum(n.high) AS s RETURN max(s)")
                   .message.find("overflow") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(no_rows_give_one_group_without_keys_and_none_with) {
  BOOST_TEST(result("UNWIND [] AS x RETURN count(*), sum(x), collect(x)") == "0 | 0 | []");
  BOOST_TEST(result("UNWIND [] AS x RETURN x, count(*)") == "");
}

BOOST_AUTO_TEST_CASE(aggregates_stand_inside_expressions) {
  BOOST_TEST(result("UNWIND [1, 2, 3] AS x RETURN 10 * count(*) + 1 AS y") == "31");
  BOOST_TEST(result("UNWIND [1, 2, 3] AS x WITH x % 2 AS odd, count(*) AS c RETURN odd, c + odd "
                    "ORDER BY odd") == "0 | 1; 1 | 3");
}

BOOST_AUTO_TEST_CASE(distinct_keeps_the_first_of_each) {
  BOOST_TEST(result("UNWIND [2, 1, 2, null, null] AS x RETURN DISTINCT x") == "2; 1; null");
}

BOOST_AUTO_TEST_CASE(order_is_that_of_types_and_values_with_nulls_last) {
  BOOST_TEST(result("UNWIND [null, 2, 'b', true, 1, 'a'] AS x RETURN x ORDER BY x") ==
             "'a'; 'b'; true; 1; 2; null");
  BOOST_TEST(result("UNWIND [null, 2, 1] AS x RETURN x ORDER BY x DESC") == "null; 2; 1");
  BOOST_TEST(result("UNWIND [[1, 'b'], [2, 'a'], [1, 'a']] AS p "
                    "RETURN p[0] AS n, p[1] AS t ORDER BY n DESC, t") ==
             "2 | 'a'; 1 | 'a'; 1 | 'b'");
}

// After a projection, n.x is read from the new n unless it is the whole key or condition.
BOOST_AUTO_TEST_CASE(a_column_with_the_name_of_a_variable_hides_it) {
  const std::string rows =
      "UNWIND [{x: 1, b: true, m: {x: 9, b: false}}, {x: 3, b: false, m: {x: 0, b: true}}] AS n ";
  const std::string given = " RETURN a, n.x";
  for (const char* const with : {"WITH n.x AS a, n.m AS n", "WITH DISTINCT n.x AS a, n.m AS n",
                                 "WITH n.x AS a, n.m AS n, count(*) AS c"}) {
    BOOST_TEST(result(rows + with + " ORDER BY n.x" + given) == "1 | 9; 3 | 0", with);
    BOOST_TEST(result(rows + with + " ORDER BY n.x + 0" + given) == "3 | 0; 1 | 9", with);
    BOOST_TEST(result(rows + with + " ORDER BY -a, n.x" + given) == "3 | 0; 1 | 9", with);
    BOOST_TEST(result(rows + with + " WHERE n.x = 0" + given) == "3 | 0", with);
    BOOST_TEST(result(rows + with + " WHERE n.x = 1" + given) == "", with);
  }
  BOOST_TEST(result(rows + "WITH n.b AS a, n.m AS n WHERE n.b RETURN a, n.x") == "true | 9");
  BOOST_TEST(result(rows + "WITH n.b AS a, n.m AS n WHERE n.b AND true RETURN a, n.x") ==
             "false | 0");
  BOOST_TEST(result(rows + "WITH n.x AS a, n AS n WHERE n.x + 0 = 1 RETURN a") == "1");
  BOOST_TEST(result("UNWIND [1, -2] AS x WITH -x AS x WHERE -x > 0 RETURN x") == "-1");
  BOOST_TEST(result("UNWIND [1, 1, 2] AS n RETURN n % 2 AS a, count(*) AS n ORDER BY n % 2") ==
             "0 | 1; 1 | 2");
  BOOST_TEST(result("UNWIND [1, 1, 2] AS n RETURN sum(n) AS a, 0 AS n ORDER BY sum(n) + 1") ==
             "4 | 0");
}

BOOST_AUTO_TEST_CASE(order_may_read_what_is_not_returned) {
  BOOST_TEST(result("UNWIND [{a: 1, b: 2}, {a: 2, b: 1}] AS m RETURN m.a ORDER BY m.b") == "2; 1");
  BOOST_TEST(result("UNWIND [3, 1, 2] AS x WITH x ORDER BY x LIMIT 2 RETURN collect(x)") ==
             "[1, 2]");
}

BOOST_AUTO_TEST_CASE(a_sort_of_many_rows_is_a_sort) {
  BOOST_TEST(result("UNWIND range(1, 30000) AS x WITH (x * 7919) % 30011 AS y ORDER BY y "
                    "WITH collect(y) AS ys "
                    "RETURN all(i IN range(1, size(ys) - 1) WHERE ys[i - 1] < ys[i])") == "true");
  BOOST_TEST(result("UNWIND range(1, 30000) AS x WITH (x * 7919) % 30011 AS y ORDER BY y DESC "
                    "SKIP 1 LIMIT 3 RETURN collect(y)") == "[30009, 30008, 30007]");
}

// Keys that are columns and keys that are not, over several sorted runs and with many ties.
BOOST_AUTO_TEST_CASE(equal_rows_stay_in_the_order_they_came) {
  std::vector<std::int64_t> expected(20'000);
  std::iota(expected.begin(), expected.end(), 1);
  std::ranges::stable_sort(
      expected, {}, [](std::int64_t x) { return std::tuple(-(x % 3), x % 500 / 100, -(x % 7)); });
  for (const std::size_t limit : {0U, 1U, 20U, 5'000U, 9'000U, 19'999U, 20'000U, 30'000U}) {
    std::string shown;
    for (std::size_t i = 0; i < std::min<std::size_t>(limit, 20'000); ++i)
      shown += (i == 0 ? "" : "; ") + std::to_string(expected[i]);
    const std::string text =
        "UNWIND range(1, 20000) AS x WITH x, x % 3 AS a, x % 7 AS b "
        "RETURN x ORDER BY a DESC, x % 500 / 100, b DESC";
    BOOST_TEST_CONTEXT(limit) {
      BOOST_TEST((result(text + " LIMIT " + std::to_string(limit)) == shown));
      if (limit == 30'000) BOOST_TEST((result(text) == shown));
    }
  }
}

BOOST_AUTO_TEST_CASE(skip_and_limit_cut) {
  BOOST_TEST(result("UNWIND range(1, 10) AS x RETURN x SKIP 3 LIMIT 2") == "4; 5");
  BOOST_TEST(result("UNWIND range(1, 3) AS x RETURN x LIMIT 0") == "");
  BOOST_TEST(result("UNWIND range(1, 3000) AS x RETURN x SKIP 2998") == "2999; 3000");
  BOOST_TEST(result("UNWIND [1] AS x RETURN x LIMIT $n", {{"n", 5}}) == "1");
}

BOOST_AUTO_TEST_CASE(a_limit_that_is_no_count_is_an_error) {
  BOOST_TEST(
      (error_of(*database, "RETURN 1 LIMIT $n", {{"n", -1}}).code == ErrorCode::invalid_argument));
  BOOST_TEST(
      (error_of(*database, "RETURN 1 LIMIT $n", {{"n", 1.5}}).code == ErrorCode::type_error));
  BOOST_TEST(error_of(*database, "RETURN 1 SKIP $n", {{"n", 2.5}}).message ==
             "SKIP needs a whole number, got 2.5");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double number : {0.5, infinity, -infinity, std::nan(""), 1e19, -1e19})
    BOOST_TEST(
        (error_of(*database, "RETURN 1 LIMIT $n", {{"n", number}}).code == ErrorCode::type_error));
  BOOST_TEST((error_of(*database, "RETURN 1 LIMIT $n", {{"n", -1.0}}).code ==
              ErrorCode::invalid_argument));
}

// Clients in JavaScript send all numbers as floats.
BOOST_AUTO_TEST_CASE(a_limit_may_be_a_float_that_is_whole) {
  const Parameters two = {{"n", 2.0}};
  BOOST_TEST(result("UNWIND range(1, 5) AS x RETURN x LIMIT $n", two) == "1; 2");
  BOOST_TEST(result("UNWIND range(1, 5) AS x RETURN x ORDER BY -x SKIP $n LIMIT $n", two) ==
             "3; 2");
  BOOST_TEST(result("UNWIND range(1, 5) AS x WITH x SKIP $n RETURN x LIMIT 1", two) == "3");
  BOOST_TEST(result("RETURN 1 LIMIT $n", {{"n", -0.0}}) == "");
  BOOST_TEST(result("UNWIND [1] AS x RETURN x LIMIT $n", {{"n", 1e18}}) == "1");
  BOOST_TEST(result("UNWIND range($n, $end) AS x RETURN x LIMIT $n", {{"n", 2.0}, {"end", 1e12}}) ==
             "2; 3");
  run_all(*database, {"CREATE FULLTEXT INDEX texts FOR (m:Memory) ON EACH [m.text]",
                      "UNWIND range(1, 5) AS x CREATE (:Memory {text: 'tea'})"});
  BOOST_TEST(result("MATCH (m:Memory) SEARCH m IN (FULLTEXT INDEX texts FOR 'tea' LIMIT $n) "
                    "RETURN count(m)",
                    two) == "2");
}

BOOST_AUTO_TEST_CASE(unwind_gives_a_row_for_each_element) {
  BOOST_TEST(result("UNWIND [1, [2, 3], null] AS x RETURN x") == "1; [2, 3]; null");
  BOOST_TEST(result("UNWIND null AS x RETURN x") == "");
  BOOST_TEST(result("UNWIND range(5, 1, -2) AS x RETURN x") == "5; 3; 1");
  BOOST_TEST(result("UNWIND range(1, 3) AS x UNWIND range(1, x) AS y RETURN count(*)") == "6");
}

BOOST_AUTO_TEST_CASE(a_huge_range_is_counted_through) {
  BOOST_TEST(result("UNWIND range(1, 1000000000000) AS x RETURN x LIMIT 2") == "1; 2");
  BOOST_TEST(
      result("UNWIND range(-9223372036854775808, 9223372036854775807) AS x RETURN x LIMIT 2") ==
      "-9223372036854775808; -9223372036854775807");
  BOOST_TEST(result("UNWIND range(9223372036854775806, 9223372036854775807) AS x RETURN x") ==
             "9223372036854775806; 9223372036854775807");
}

BOOST_AUTO_TEST_CASE(skip_and_limit_may_have_local_variables) {
  BOOST_TEST(
      result("RETURN 1 AS a LIMIT size([x IN [1, 2] WHERE any(y IN [1] WHERE y = x) | x])") == "1");
  BOOST_TEST(result("UNWIND [1, 2, 3, 4] AS x RETURN x SKIP reduce(s = 0, y IN [1] | s + y) "
                    "LIMIT reduce(s = 1, y IN [1] | s + y)") == "2; 3");
  result("UNWIND [3, 1, 2] AS x CREATE (:N {v: x})");
  BOOST_TEST(result("UNWIND [7] AS x RETURN x, COLLECT { MATCH (n:N) RETURN n.v ORDER BY n.v "
                    "LIMIT reduce(s = 1, y IN [1] | s + y) } AS l") == "7 | [1, 2]");
}

BOOST_AUTO_TEST_CASE(a_condition_waits_for_what_its_subquery_sorts_and_filters_by) {
  result("CREATE (:A {v: 1}), (:A {v: 2}), (:B {v: 1}), (:B {v: 9}), (:C {v: 1}), (:C {v: 9})");
  BOOST_TEST(result("MATCH (b:B) WHERE COLLECT { MATCH (c:C) RETURN c.v ORDER BY abs(c.v - b.v) "
                    "LIMIT 1 } = [9] RETURN b.v") == "9");
  BOOST_TEST(result("MATCH (a:A), (b:B) WHERE COLLECT { MATCH (c:C) RETURN c.v "
                    "ORDER BY abs(c.v - b.v) LIMIT 1 } = [a.v] RETURN a.v, b.v") == "1 | 1");
  result("CREATE (:D {name: 'A'}), (:D {name: 'Z'})");
  BOOST_TEST(result("MATCH (d:D) WHERE exists { CALL db.labels() YIELD label WHERE label = d.name "
                    "RETURN label } RETURN d.name") == "'A'");
}

BOOST_AUTO_TEST_CASE(a_row_that_takes_too_much_memory_takes_none_of_those_before_it_along) {
  StatementOptions options;
  options.memory_bytes = std::size_t{1} << 20;
  BOOST_TEST(
      result_of(*database,
                "UNWIND [3, 1000000] AS n UNWIND [x IN range(1, n) | x] AS y RETURN y LIMIT 3", {},
                options) == "1; 2; 3");
}

// Lists of 5 and 3 MB, of which each alone fits.
BOOST_AUTO_TEST_CASE(the_list_of_unwind_counts_while_its_items_are_given) {
  run_all(*database, {"CREATE (:N)"});
  StatementOptions options;
  options.memory_bytes = std::size_t{7} << 20;
  const auto nested = [](const char* inner) {
    return std::string(
               "MATCH (n:N) UNWIND CASE WHEN n.x IS NULL THEN range(1, 90000) ELSE [] END AS i "
               "UNWIND CASE WHEN i = 1 THEN ") +
           inner + " ELSE [] END AS j RETURN count(j)";
  };
  BOOST_TEST((error_of(*database, nested("range(1, 50000)"), {}, options).code ==
              ErrorCode::resource_limit));
  BOOST_TEST(result_of(*database, nested("range(1, 9)"), {}, options) == "9");
  // The caller keeps the parameter in memory, so rows do not charge its large items again.
  options.memory_bytes = std::size_t{1} << 20;
  const Parameters given = {{"list", List(50'000, Value(1))}};
  BOOST_TEST(result_of(*database, "UNWIND $list AS x RETURN count(x)", given, options) == "50000");
  options.memory_bytes = std::size_t{12} << 20;
  const std::string list = "[n.x] + range(1, 50000)";
  BOOST_TEST(
      result_of(*database,
                "MATCH (n:N) UNWIND [" + list + ", " + list + ", " + list + "] AS x RETURN size(x)",
                {}, options) == "50001; 50001; 50001");
}

BOOST_AUTO_TEST_CASE(a_count_of_nothing_counts_rows) {
  run_all(*database, {"CREATE (:N {x: 1}), (:N {x: 2}), (:M)"});
  BOOST_TEST(result("MATCH (n:N) RETURN count()") == "2");
  BOOST_TEST(result("MATCH (n) WITH count() AS c, sum(n.x) AS s RETURN c, s") == "3 | 3");
  BOOST_TEST(result("RETURN count()") == "1");
  for (const char* const wrong :
       {"UNWIND [1, 2] AS x RETURN count(DISTINCT)", "MATCH (n) RETURN sum()"})
    BOOST_TEST(!execute(*database, wrong), wrong);
}

BOOST_AUTO_TEST_CASE(unions_join_rows) {
  BOOST_TEST(result("RETURN 1 AS x UNION RETURN 2 AS x UNION RETURN 1 AS x") == "1; 2");
  BOOST_TEST(result("RETURN 1 AS x UNION ALL RETURN 1 AS x") == "1; 1");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
