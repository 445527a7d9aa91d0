// Graph procedures see what their statement sees, end when it must end, and say what is wrong with their arguments.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/database.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/statement.hpp>
#include <cairn/system_fields.hpp>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace cairn::test {
namespace {

/// A call of each procedure, with `$o` for options that all of them take.
const std::vector<std::string>& calls() {
  static const std::vector<std::string> all = {
      "CALL graph.pagerank($o) YIELD node, score RETURN node.i, score",
      "MATCH (a:P {i: 1}) CALL graph.personalizedPagerank(a, $o) YIELD node, score RETURN node.i, "
      "score",
      "CALL graph.components($o) YIELD node, component RETURN node.i, component",
      "CALL graph.stronglyConnected($o) YIELD node, component RETURN node.i, component",
      "CALL graph.louvain($o) YIELD node, community, modularity RETURN node.i, community, "
      "modularity",
      "CALL graph.leiden($o) YIELD node, community, modularity RETURN node.i, community, "
      "modularity",
      "CALL graph.labelPropagation($o) YIELD node, community RETURN node.i, community",
      "CALL graph.betweenness($o) YIELD node, score RETURN node.i, score",
      "CALL graph.kCore($o) YIELD node, core RETURN node.i, core",
      "CALL graph.triangles($o) YIELD node, triangles, coefficient RETURN node.i, triangles, "
      "coefficient",
      "MATCH (a:P {i: 1}), (b:P) CALL graph.shortestPath(a, b, $o) YIELD path, cost "
      "RETURN [n IN nodes(path) | n.i], [r IN relationships(path) | r.w], cost",
      "MATCH (a:P {i: 1}), (b:P {i: 5}) CALL graph.kShortest(a, b, 5, $o) YIELD path, cost "
      "RETURN [n IN nodes(path) | n.i], [r IN relationships(path) | r.w], cost",
      "MATCH (a:P) WITH collect(a) AS people CALL graph.similarity(people, $o) YIELD node, other, "
      "common, "
      "jaccard, adamicAdar RETURN node.i, other.i, common, jaccard, adamicAdar",
  };
  return all;
}

std::vector<std::string> answers(Database& database, const Map& options = {},
                                 const StatementOptions& statement = {}) {
  std::vector<std::string> all;
  for (const std::string& call : calls())
    for (std::string& row : sorted_rows(database, call, {{"o", Value(options)}}, statement))
      all.push_back(call.substr(call.find("graph."), 12) + " " + std::move(row));
  return all;
}

/// Persons 1 to `count` who know the next three, some twice, some themselves.
const char* const ring =
    "UNWIND range(1, $count) AS i CREATE (p:P {i: i}) WITH collect(p) AS people "
    "UNWIND range(0, $count - 1) AS i UNWIND [1, 2, 3] AS d "
    "WITH people[i] AS a, people[(i + d * d) % $count] AS b, i, d "
    "CREATE (a)-[:KNOWS {w: 1 + (i * d) % 7}]->(b)";

void make_ring(Database& database, std::int64_t count, const StatementOptions& options = {}) {
  must(execute(database, ring, {{"count", count}}, options));
}

struct Ring {
  Ring() {
    make_ring(*database, 12);
    run_all(*database, {"MATCH (a:P {i: 3}), (b:P {i: 4}) CREATE (a)-[:KNOWS {w: 2}]->(b), "
                        "(a)-[:KNOWS {w: 9}]->(a), (b)-[:LIKES {w: 1}]->(a)"});
  }
  [[nodiscard]] std::string refusal(const std::string& statement) {
    return error_of(*database, statement).message;
  }
  TemporaryDatabase database;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(graph_procedures, Ring)

// What is hidden is as if it were not there.
BOOST_AUTO_TEST_CASE(they_see_their_namespace_and_what_is_not_hidden) {
  const auto expected = answers(*database);
  BOOST_TEST(expected.size() > 100U);
  StatementOptions other;
  other.name_space = "acme";
  make_ring(*database, 30, other);
  BOOST_TEST(answers(*database) == expected, boost::test_tools::per_element());
  run_all(*database,
          {"MATCH (a:P {i: 3}) CREATE (a)-[:KNOWS {w: 1}]->(:P {i: 90, gone: true})-[:KNOWS "
           "{w: 1}]->(:P {i: 91, gone: true})"});
  BOOST_TEST((answers(*database) != expected));
  run_all(*database, {"MATCH (n:P {gone: true}) SET n@expires_at = datetime() - duration('PT1H')"});
  BOOST_TEST(answers(*database) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(they_do_not_see_what_was_softly_deleted) {
  const auto expected = answers(*database);
  Transaction making = must(database->begin());
  const NodeId made = must(making.create_node({{"P"}, {{"i", 50}}}));
  must(making.commit());
  run_all(*database, {"MATCH (a:P {i: 3}), (b:P {i: 50}) CREATE (a)-[:KNOWS {w: 1}]->(b)"});
  BOOST_TEST((answers(*database) != expected));
  Transaction hiding = must(database->begin());
  must(set_deleted(hiding, made, 1'000));
  must(hiding.commit());
  BOOST_TEST(answers(*database) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(they_see_namespaces_that_are_also_read) {
  StatementOptions both;
  both.name_space = "acme";
  const auto expected = answers(*database);
  BOOST_TEST((answers(*database, {}, both) != expected));
  both.also_read = {""};
  BOOST_TEST(answers(*database, {}, both) == expected, boost::test_tools::per_element());
}

// Labels, types and filters choose as if the rest were not there.
BOOST_AUTO_TEST_CASE(options_choose_what_they_see) {
  const auto expected = answers(*database, {{"types", "KNOWS"}});
  run_all(*database,
          {"MATCH (a:P {i: 3}), (b:P {i: 9}) CREATE (a)-[:KNOWS {w: 1, old: true}]->(b), "
           "(a)-[:LIKES]->(:Q {i: 70})-[:LIKES]->(b), (a)-[:KNOWS {w: 1}]->(:Q {i: 71})"
           "-[:KNOWS {w: 1}]->(b)"});
  const Value is_old = map_of({{"field", "old"}, {"operator", "exists"}});
  const Value not_old = map_of({{"operator", "NOT"}, {"filters", list_of({is_old})}});
  const Value low = map_of({{"field", "i"}, {"operator", "less_than"}, {"value", 70}});
  const Map by_label = {{"labels", list_of({"P"})},
                        {"types", list_of({"KNOWS", "KNOWS"})},
                        {"relationship_filter", not_old}};
  const Map by_filter = {{"filter", low}, {"types", "KNOWS"}, {"relationship_filter", not_old}};
  BOOST_TEST(answers(*database, by_label) == expected, boost::test_tools::per_element());
  BOOST_TEST(answers(*database, by_filter) == expected, boost::test_tools::per_element());
  BOOST_TEST(result_of(*database,
                       "CALL graph.components({labels: 'Nobody'}) YIELD node RETURN count(node)") ==
             "0");
  BOOST_TEST(result_of(*database,
                       "CALL graph.components({labels: 'P', types: 'NONE'}) YIELD component "
                       "RETURN count(DISTINCT component)") == "12");
}

BOOST_AUTO_TEST_CASE(a_transaction_sees_its_own_writes_and_a_snapshot_none) {
  const Snapshot before = must(database->snapshot());
  const auto rows_at = [&](auto&& where, const std::string& call) {
    std::string text;
    for (const auto& row : must(must(must(Statement::parse(call)).run(where)).all()))
      for (const Value& cell : row) text += cell.to_text() + " ";
    return text;
  };
  const std::string call =
      "CALL graph.components() YIELD node, component RETURN node.i, component ORDER BY node.i";
  const std::string expected = rows_at(before, call);
  Transaction transaction = must(database->begin());
  must(must(must(Statement::parse("CREATE (:P {i: 77})-[:KNOWS]->(:P {i: 78})")).run(transaction))
           .all());
  must(must(must(Statement::parse("MATCH (a:P {i: 5}) DETACH DELETE a")).run(transaction)).all());
  const std::string within = rows_at(transaction, call);
  BOOST_TEST(within.find("77 1 78 1") != std::string::npos, within);
  BOOST_TEST(within.find(" 5 0") == std::string::npos, within);
  BOOST_TEST(rows_at(before, call) == expected);
  must(transaction.commit());
  BOOST_TEST(rows_at(before, call) == expected);
  BOOST_TEST(rows_at(must(database->snapshot()), call) == within);
}

BOOST_AUTO_TEST_CASE(a_statement_sees_what_it_wrote_before_the_call) {
  BOOST_TEST(result_of(*database,
                       "CREATE (:P {i: 99}) WITH 1 AS one CALL graph.components() YIELD "
                       "component RETURN count(DISTINCT component)") == "2");
  BOOST_TEST(result_of(*database,
                       "CALL graph.kCore() YIELD node, core SET node.core = core "
                       "WITH node RETURN max(node.core) > 2") == "true");
}

BOOST_AUTO_TEST_CASE(equal_seeds_give_equal_answers) {
  for (const char* name : {"louvain", "leiden", "labelPropagation"}) {
    const std::string call = std::string("CALL graph.") + name +
                             "({seed: 7}) YIELD node, community "
                             "RETURN node.i, community ORDER BY node.i";
    BOOST_TEST(result_of(*database, call) == result_of(*database, call));
  }
  const std::string sampled =
      "CALL graph.betweenness({samples: 5, seed: 3}) YIELD node, score RETURN node.i, score";
  BOOST_TEST(result_of(*database, sampled) == result_of(*database, sampled));
}

// Each error names the procedure, the option, what was expected and what was given.
BOOST_AUTO_TEST_CASE(errors_name_the_argument_and_what_was_expected) {
  BOOST_TEST(refusal("CALL graph.pagerank({dampin: 0.5})") ==
             "graph.pagerank() has no option 'dampin'; it has `labels`, `types`, `filter`, "
             "`relationship_filter`, `direction`, `weight`, `damping`, `iterations`, `tolerance`");
  BOOST_TEST(refusal("CALL graph.pagerank(5)") ==
             "the options of graph.pagerank() must be a map, got 5");
  BOOST_TEST(refusal("CALL graph.pagerank({damping: 2})") ==
             "the option `damping` of graph.pagerank() must be a number from 0 to 1, got 2");
  BOOST_TEST(
      refusal("CALL graph.pagerank({iterations: 1.5})") ==
      "the option `iterations` of graph.pagerank() must be a whole number of 1 or more, got 1.5");
  BOOST_TEST(refusal("CALL graph.pagerank({direction: 'up'})") ==
             "the option `direction` of graph.pagerank() must be 'outgoing', 'incoming' or 'both', "
             "got 'up'");
  BOOST_TEST(refusal("CALL graph.components({direction: 'both'})").find("has no option") !=
             std::string::npos);
  BOOST_TEST(refusal("CALL graph.louvain({labels: 5})") ==
             "the option `labels` of graph.louvain() must be a label or a list of labels, got 5");
  BOOST_TEST(refusal("CALL graph.louvain({seed: 'x'})") ==
             "the option `seed` of graph.louvain() must be an integer, got 'x'");
  BOOST_TEST(
      refusal("CALL graph.betweenness({exact: true, samples: 5})") ==
      "the option `samples` of graph.betweenness() must be left out if `exact` is true, got 5");
  BOOST_TEST(refusal("CALL graph.shortestPath(1, null)") ==
             "the source of graph.shortestPath() must be a node, got 1");
  BOOST_TEST(refusal("MATCH (a:P {i: 1}) CALL graph.kShortest(a, a, 0) YIELD cost RETURN cost") ==
             "`k` of graph.kShortest() must be a whole number of 1 or more, got 0");
  BOOST_TEST(refusal("CALL graph.similarity('x')") ==
             "the nodes of graph.similarity() must be a node or a list of nodes, got 'x'");
  BOOST_TEST(
      refusal(
          "MATCH (a:P {i: 1}) CALL graph.similarity(a, {by: 'cosine'}) YIELD other RETURN other") ==
      "the option `by` of graph.similarity() must be 'common', 'jaccard' or 'adamicAdar', got "
      "'cosine'");
  BOOST_TEST(
      refusal("CALL graph.personalizedPagerank(null)") ==
      "the seeds of graph.personalizedPagerank() must be a node or a list of nodes, got null");
}

BOOST_AUTO_TEST_CASE(weights_are_numbers_that_can_be_added) {
  const auto told = [&](const std::string& value) {
    run_all(*database, {"MATCH (:P {i: 3})-[r:LIKES|KNOWS]->(:P {i: 3}) SET r.w = " + value});
    return refusal("CALL graph.pagerank({weight: 'w'})");
  };
  BOOST_TEST(
      told("-1").find(
          "`weight` must name a property whose values are numbers of 0 or more; relationship ") ==
      0U);
  BOOST_TEST(told("'heavy'").find(
                 " has w = 'heavy'; exclude it with `relationship_filter`, or correct it") !=
             std::string::npos);
  BOOST_TEST(told("0.0 / 0.0").find("w = NaN") != std::string::npos);
  run_all(*database, {"MATCH (:P {i: 3})-[r:KNOWS]->(:P {i: 3}) SET r.w = 0"});
  BOOST_TEST(refusal("CALL graph.betweenness({weight: 'w'})").find("numbers above 0") !=
             std::string::npos);
  run_all(*database, {"MATCH ()-[r]->() SET r.w = null"});
  BOOST_TEST(result_of(*database,
                       "MATCH (a:P {i: 1}), (b:P {i: 3}) CALL graph.shortestPath(a, b, {weight: "
                       "'w'}) YIELD cost RETURN cost") == "2.0");
}

BOOST_AUTO_TEST_CASE(ends_that_are_null_or_left_out_have_no_path) {
  BOOST_TEST(result_of(*database, "CALL graph.shortestPath(null, null) YIELD cost RETURN cost") ==
             "");
  BOOST_TEST(
      result_of(*database,
                "MATCH (a:P {i: 1}), (b:P {i: 2}) CALL graph.shortestPath(a, b, {filter: {field: "
                "'i', operator: 'greater_than', value: 1}}) YIELD cost RETURN cost") == "");
  BOOST_TEST(result_of(*database,
                       "MATCH (a:P {i: 4}) CALL graph.shortestPath(a, a) YIELD path, cost "
                       "RETURN length(path), cost") == "0 | 0.0");
}

BOOST_AUTO_TEST_CASE(an_estimate_changes_no_path) {
  TemporaryDatabase grid;
  run_all(*grid,
          {"UNWIND range(0, 8) AS x UNWIND range(0, 8) AS y CREATE (:P {at: [x, y], x: x})",
           "MATCH (a:P), (b:P) WHERE (a.at[0] = b.at[0] AND a.at[1] + 1 = b.at[1]) OR (a.at[1] = "
           "b.at[1] AND a.at[0] + 1 = b.at[0]) CREATE (a)-[:TO {w: 1 + (a.x * 7 + a.at[1] * 3) % "
           "4}]->(b)"});
  const auto costs = [&](const std::string& estimate) {
    return sorted_rows(
        *grid,
        "MATCH (a:P {at: [0, 0]}), (b:P) CALL graph.shortestPath(a, b, {weight: 'w', "
        "direction: 'both'" +
            estimate + "}) YIELD cost RETURN b.at, cost");
  };
  const auto expected = costs("");
  BOOST_TEST(expected.size() == 81U);
  BOOST_TEST(costs(", estimate: 'at'") == expected, boost::test_tools::per_element());
  BOOST_TEST(costs(", estimate: 'x'") == expected, boost::test_tools::per_element());
  BOOST_TEST(costs(", estimate: 'none'").front().find("`estimate`") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(similarity_takes_pairs_an_order_and_a_limit) {
  const std::string start = "MATCH (a:P {i: 1}), (b:P {i: 2}), (c:P {i: 3}) CALL graph.similarity(";
  const std::string end = ") YIELD node, other, common, jaccard RETURN node.i, other.i";
  BOOST_TEST(result_of(*database, start + "[a, b], {with: [c, a]}" + end) == "1 | 3; 2 | 1; 2 | 3");
  BOOST_TEST(rows_of(*database, start + "[a, b, a], {limit: 2, by: 'common'}" + end).size() == 6U);
  const auto ordered =
      must(must(execute(*database,
                        "MATCH (a:P {i: 1}) CALL graph.similarity(a, {by: 'adamicAdar'}) "
                        "YIELD adamicAdar RETURN adamicAdar"))
               .all());
  for (std::size_t i = 1; i < ordered.size(); ++i)
    BOOST_TEST(ordered[i - 1][0].as_float() >= ordered[i][0].as_float());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(graph_procedures_at_large)

// Ids of several chunks of segments, a hub, and parts that do not hang together.
BOOST_AUTO_TEST_CASE(segments_change_no_answer) {
  std::map<Segments, std::vector<std::string>> found;
  for (const Segments segments : {Segments::never, Segments::automatic, Segments::always}) {
    Options options;
    options.segments = segments;
    options.durability = Durability::async;
    options.share = Share::exclusive;
    TemporaryDatabase database(options);
    make_ring(*database, 40);
    run_all(*database, {"UNWIND range(1, 70000) AS x CREATE (:Filler)",
                        "MATCH (h:P {i: 1}) UNWIND range(100, 140) AS i CREATE (h)-[:KNOWS {w: i % "
                        "5}]->(:P {i: i})",
                        "CREATE (:P {i: 200})-[:KNOWS]->(:P {i: 201})",
                        "MATCH (f:Filler) WITH f LIMIT 100 DETACH DELETE f"});
    const Map options_of_calls = {{"labels", "P"}};
    auto first = answers(*database, options_of_calls);
    run_all(*database, {"MATCH (a:P {i: 7}), (b:P {i: 200}) CREATE (a)-[:KNOWS {w: 3}]->(b)"});
    for (std::string& row : answers(*database, options_of_calls)) first.push_back(std::move(row));
    found[segments] = std::move(first);
  }
  BOOST_TEST(found[Segments::automatic] == found[Segments::never],
             boost::test_tools::per_element());
  BOOST_TEST(found[Segments::always] == found[Segments::never], boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_empty_database_has_no_rows) {
  TemporaryDatabase database;
  BOOST_TEST(answers(*database).empty());
}

namespace {

/// A large ring, made once for the cases that read it.
struct Large {
  Large() {
    Options options;
    options.durability = Durability::async;
    database = std::make_unique<TemporaryDatabase>(options);
    StatementOptions patient;
    patient.timeout = std::chrono::minutes(2);
    make_ring(**database, 60'000, patient);
  }
  ~Large() { database.reset(); }
  Large(const Large&) = delete;
  Large& operator=(const Large&) = delete;

  static inline std::unique_ptr<TemporaryDatabase> database;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(within_limits, *boost::unit_test::fixture<Large>())

// Memory: every procedure is refused what it has not got, and gives all of it back.
BOOST_AUTO_TEST_CASE(they_end_within_their_limits) {
  for (const std::string& call : calls()) {
    if (call.find("graph.shortestPath") != call.npos || call.find("graph.similarity") != call.npos)
      continue;
    BOOST_TEST_CONTEXT(call) {
      StatementOptions narrow;
      narrow.memory_bytes = std::size_t{64} << 10;
      if (call.find("MATCH") == call.npos)
        BOOST_TEST((error_of(**Large::database, call, {{"o", Value()}}, narrow).code ==
                    ErrorCode::resource_limit));
      std::stop_source stop;
      stop.request_stop();
      StatementOptions cancelled;
      cancelled.cancel = stop.get_token();
      BOOST_TEST((error_of(**Large::database, call, {{"o", Value()}}, cancelled).code ==
                  ErrorCode::cancelled));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_time_limit_ends_them) {
  const Parameters none = {{"o", Value()}};
  for (const char* call :
       {"CALL graph.betweenness({exact: true}) YIELD score RETURN count(score)",
        "CALL graph.pagerank({iterations: 1000000, tolerance: 0}) YIELD score RETURN count(score)",
        "MATCH (a:P {i: 1}), (b:P {i: 30000}) CALL graph.kShortest(a, b, 1000000) YIELD cost "
        "RETURN count(cost)"}) {
    StatementOptions options;
    options.timeout = std::chrono::milliseconds(300);
    const auto begun = std::chrono::steady_clock::now();
    BOOST_TEST((error_of(**Large::database, call, none, options).code == ErrorCode::resource_limit),
               call);
    const auto took = std::chrono::steady_clock::now() - begun;
    BOOST_TEST(std::chrono::duration_cast<std::chrono::milliseconds>(took).count() < 3'000, call);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
