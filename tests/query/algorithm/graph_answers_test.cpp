// What the graph procedures answer about twenty graphs, compared with NetworkX: networkx_answers.py made the table.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/database.hpp>
#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace cairn::test {
namespace {

using Numbers = std::vector<double>;

struct AnsweredGraph {
  std::string name;
  std::size_t nodes = 0;
  List edges;
  std::map<std::string, Numbers> answers;
};

Value edge_of(std::istringstream& words) {
  std::int64_t source = 0;
  std::int64_t target = 0;
  std::int64_t weight = 0;
  words >> source >> target >> weight;
  return map_of({{"a", source}, {"b", target}, {"w", weight}});
}

std::vector<AnsweredGraph> read_graphs() {
  std::ifstream file(CAIRN_NETWORKX_ANSWERS);
  std::vector<AnsweredGraph> graphs;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first == "graph") {
      AnsweredGraph graph;
      words >> graph.name >> first >> graph.nodes;
      graphs.push_back(std::move(graph));
    } else if (first == "edge") {
      graphs.back().edges.push_back(edge_of(words));
    } else if (first != "#") {
      Numbers& numbers = graphs.back().answers[first];
      for (double number = 0; words >> number;) numbers.push_back(number);
    }
  }
  return graphs;
}

double number_of(const Value& value) {
  return value.type() == ValueType::integer ? static_cast<double>(value.as_integer())
                                            : value.as_float();
}

/// A database with one of the graphs, and the answers of procedures about it.
class Answers {
 public:
  explicit Answers(const AnsweredGraph& graph) : graph_(graph) {
    const auto count = static_cast<std::int64_t>(graph.nodes);
    must(execute(*database_, "UNWIND range(1, $n) AS i CREATE (:P {i: i - 1})", {{"n", count}}));
    must(execute(
        *database_,
        "UNWIND $edges AS e MATCH (a:P {i: e.a}), (b:P {i: e.b}) CREATE (a)-[:R {w: e.w}]->(b)",
        {{"edges", Value(graph.edges)}}));
  }

  [[nodiscard]] std::vector<std::vector<Value>> rows(const std::string& statement) {
    const auto last = static_cast<std::int64_t>(graph_.nodes) - 1;
    return must(must(execute(*database_, statement, {{"last", last}})).all());
  }
  /// From rows of a node's `i` and a number; `absent` for nodes without a row.
  [[nodiscard]] Numbers by_node(const std::string& statement, double absent = NAN) {
    Numbers numbers(graph_.nodes, absent);
    for (const auto& row : rows(statement))
      numbers[static_cast<std::size_t>(row[0].as_integer())] = number_of(row[1]);
    return numbers;
  }

  /// Of a number by a hundred seeds.
  [[nodiscard]] double best_of(const std::string& statement) {
    const Statement parsed = must(Statement::parse(statement));
    Numbers found;
    for (std::int64_t seed = 0; seed < 100; ++seed)
      found.push_back(
          number_of(must(must(parsed.run(*database_, {{"seed", seed}})).all()).at(0).at(0)));
    return std::ranges::max(found);
  }

  void compare(const std::string& question, const Numbers& found) {
    const auto expected = graph_.answers.find(question);
    if (expected == graph_.answers.end()) return;
    BOOST_TEST_INFO_SCOPE(graph_.name << ", " << question);
    BOOST_REQUIRE_EQUAL(found.size(), expected->second.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double bound = 1e-9 * std::max(1.0, std::abs(expected->second[i]));
      BOOST_TEST(std::abs(found[i] - expected->second[i]) <= bound,
                 i << ": " << found[i] << " and not " << expected->second[i]);
    }
  }
  void compare_by_node(const std::string& question, const std::string& statement,
                       double absent = NAN) {
    compare(question, by_node(statement, absent));
  }

 private:
  const AnsweredGraph& graph_;
  TemporaryDatabase database_;
};

const std::vector<AnsweredGraph>& graphs() {
  static const std::vector<AnsweredGraph> all = read_graphs();
  return all;
}

/// The costs of the first paths over different nodes: NetworkX has no parallel relationships.
Numbers costs_by_nodes(Answers& answers) {
  std::set<std::string> seen;
  Numbers costs;
  for (const auto& row :
       answers.rows("MATCH (a:P {i: 0}), (b:P {i: $last}) CALL graph.kShortest(a, b, 400, "
                    "{weight: 'w', direction: 'both'}) YIELD path, cost "
                    "RETURN [n IN nodes(path) | n.i], cost"))
    if (seen.insert(row[0].to_text()).second && costs.size() < 8)
      costs.push_back(number_of(row[1]));
  return costs;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(graph_answers)

BOOST_AUTO_TEST_CASE(there_are_twenty_graphs) { BOOST_TEST(graphs().size() == 20U); }

BOOST_AUTO_TEST_CASE(ranks_are_those_of_networkx) {
  const std::string exactly = "tolerance: 1e-15, iterations: 10000";
  for (const AnsweredGraph& graph : graphs()) {
    Answers answers(graph);
    answers.compare_by_node("pagerank", "CALL graph.pagerank({" + exactly +
                                            "}) YIELD node, score RETURN node.i, score");
    answers.compare_by_node("pagerank_weighted", "CALL graph.pagerank({weight: 'w', " + exactly +
                                                     "}) YIELD node, score RETURN node.i, score");
    answers.compare_by_node("pagerank_both",
                            "CALL graph.pagerank({direction: 'both', damping: 0.7, " + exactly +
                                "}) YIELD node, score RETURN node.i, score");
    answers.compare_by_node(
        "personalized",
        "MATCH (a:P {i: 0}), (b:P {i: $last}) CALL graph.personalizedPagerank([a, b, a], "
        "{weight: 'w', tolerance: 1e-15}) YIELD node, score RETURN node.i, score",
        0);
  }
}

BOOST_AUTO_TEST_CASE(components_are_those_of_networkx) {
  for (const AnsweredGraph& graph : graphs()) {
    Answers answers(graph);
    answers.compare_by_node(
        "components", "CALL graph.components() YIELD node, component RETURN node.i, component");
    answers.compare_by_node(
        "strong", "CALL graph.stronglyConnected() YIELD node, component RETURN node.i, component");
  }
}

// The best of a hundred seeds, within one per cent of the fifth best of NetworkX.
BOOST_AUTO_TEST_CASE(communities_are_as_good_as_those_of_networkx) {
  for (const AnsweredGraph& graph : graphs()) {
    Answers answers(graph);
    for (const std::string question : {"modularity", "modularity_weighted"}) {
      const auto expected = graph.answers.find(question);
      if (expected == graph.answers.end()) continue;
      const std::string weight = question == "modularity" ? "" : ", weight: 'w'";
      for (const std::string name : {"louvain", "leiden"}) {
        const double found = answers.best_of("CALL graph." + name + "({seed: $seed" + weight +
                                             "}) YIELD modularity RETURN DISTINCT modularity");
        const double best = expected->second[0];
        BOOST_TEST(found >= best - 0.01 * std::abs(best) - 1e-9,
                   graph.name << ", " << name << ": " << found << " and not " << best);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(centrality_is_that_of_networkx) {
  for (const AnsweredGraph& graph : graphs()) {
    Answers answers(graph);
    const std::string end = "}) YIELD node, score RETURN node.i, score";
    answers.compare_by_node("betweenness", "CALL graph.betweenness({exact: true" + end);
    answers.compare_by_node("betweenness_weighted",
                            "CALL graph.betweenness({exact: true, weight: 'w'" + end);
    answers.compare_by_node(
        "betweenness_both",
        "CALL graph.betweenness({samples: 1000, direction: 'both', normalized: true" + end);
    answers.compare_by_node("core", "CALL graph.kCore() YIELD node, core RETURN node.i, core");
    const std::string triangles =
        "CALL graph.triangles() YIELD node, triangles, coefficient RETURN node.i, ";
    answers.compare_by_node("triangles", triangles + "triangles");
    answers.compare_by_node("coefficient", triangles + "coefficient");
  }
}

BOOST_AUTO_TEST_CASE(paths_cost_what_those_of_networkx_do) {
  for (const AnsweredGraph& graph : graphs()) {
    Answers answers(graph);
    const std::string start =
        "MATCH (a:P {i: 0}), (b:P) CALL graph.shortestPath(a, b, {weight: 'w'";
    const std::string end = "}) YIELD cost RETURN b.i, cost";
    answers.compare_by_node("costs", start + end, -1);
    answers.compare_by_node("costs_both", start + ", direction: 'both'" + end, -1);
    answers.compare("k_shortest", costs_by_nodes(answers));
  }
}

BOOST_AUTO_TEST_CASE(similarity_is_that_of_networkx) {
  for (const AnsweredGraph& graph : graphs()) {
    Answers answers(graph);
    for (const std::string column : {"common", "jaccard", "adamicAdar"}) {
      Numbers found = answers.by_node("MATCH (a:P {i: 0}) CALL graph.similarity(a) YIELD other, " +
                                          column + " RETURN other.i, " + column,
                                      0);
      if (!found.empty()) found.erase(found.begin());
      answers.compare(column == "adamicAdar" ? "adamic_adar" : column, found);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
