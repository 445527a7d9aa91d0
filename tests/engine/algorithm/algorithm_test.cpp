// Compares graph algorithms with naive ones, over random graphs with loops, parallel relationships and several
// components. Also tests the limits of the algorithms.

#include "engine/algorithm/centrality.hpp"
#include "engine/algorithm/communities.hpp"
#include "engine/algorithm/components.hpp"
#include "engine/algorithm/shortest_path.hpp"
#include "engine/algorithm/similarity.hpp"
#include "tests/engine/algorithm/random_graph.hpp"
#include "tests/support/rounds.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

namespace cairn::test {
namespace {

using engine::Adjacency;
using engine::Array;
using Matrix = std::vector<std::vector<double>>;
constexpr double never = std::numeric_limits<double>::infinity();

/// Runs `test` for many graphs, and checks that all charged memory is released.
void for_each_graph(const std::function<void(const RandomGraph&, CountedLimits&)>& test) {
  for (std::uint32_t seed = 0; seed < rounds(300, 5'000); ++seed) {
    BOOST_TEST_INFO_SCOPE("graph " << seed);
    CountedLimits limits;
    test(RandomGraph::draw(seed), limits);
    BOOST_TEST(limits.held == 0U);
  }
}

/// The least costs between all (Floyd and Warshall).
Matrix distances(const RandomGraph& graph, bool both, bool by_weight) {
  Matrix least(graph.nodes, std::vector<double>(graph.nodes, never));
  for (std::uint32_t node = 0; node < graph.nodes; ++node) least[node][node] = 0;
  for (const auto& [ends, weight] : graph.arcs(both))
    if (ends.first != ends.second) least[ends.first][ends.second] = by_weight ? weight : 1;
  for (std::uint32_t k = 0; k < graph.nodes; ++k)
    for (auto& row : least)
      for (std::uint32_t j = 0; j < graph.nodes; ++j)
        row[j] = std::min(row[j], row[k] + least[k][j]);
  return least;
}

/// Groups as each node's first companion, so that numbers do not matter.
template <class Groups>
std::vector<std::size_t> firsts(const Groups& groups) {
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < groups.size(); ++i)
    first.push_back(static_cast<std::size_t>(std::find(groups.begin(), groups.end(), groups[i]) -
                                             groups.begin()));
  return first;
}

void check_close(double found, double expected) {
  BOOST_TEST(std::abs(found - expected) <= 1e-9 * std::max(1.0, std::abs(expected)),
             found << " and not " << expected);
}

/// Ranks by many rounds over the edges.
std::vector<double> naive_ranks(const RandomGraph& graph, bool by_weight,
                                const std::vector<double>& start) {
  constexpr double damping = 0.85;
  std::vector<double> out(graph.nodes, 0);
  for (const Edge& edge : graph.edges) out[edge.source] += by_weight ? edge.weight : 1;
  std::vector<double> ranks = start;
  for (int round = 0; round < 400; ++round) {
    std::vector<double> next(graph.nodes, 0);
    double stuck = 0;
    for (std::uint32_t node = 0; node < graph.nodes; ++node)
      stuck += out[node] == 0 ? ranks[node] : 0;
    for (const Edge& edge : graph.edges)
      next[edge.target] +=
          damping * ranks[edge.source] * (by_weight ? edge.weight : 1) / out[edge.source];
    for (std::uint32_t node = 0; node < graph.nodes; ++node)
      next[node] += (1 - damping + damping * stuck) * start[node];
    ranks = next;
  }
  return ranks;
}

double naive_modularity(const RandomGraph& graph, const Array<std::uint32_t>& groups,
                        double resolution) {
  std::vector<double> degrees(graph.nodes, 0);
  double total = 0;
  for (const Edge& edge : graph.edges) {
    degrees[edge.source] += edge.weight;
    degrees[edge.target] += edge.weight;
    total += 2 * edge.weight;
  }
  double sum = 0;
  for (const Edge& edge : graph.edges)
    if (groups[edge.source] == groups[edge.target]) sum += 2 * edge.weight / total;
  for (std::uint32_t a = 0; a < graph.nodes; ++a)
    for (std::uint32_t b = 0; b < graph.nodes; ++b)
      if (groups[a] == groups[b] && total > 0)
        sum -= resolution * degrees[a] * degrees[b] / total / total;
  return sum;
}

/// All paths without a node twice, by depth, with their costs in order.
std::vector<double> naive_path_costs(GraphStepSource& steps, std::uint32_t source,
                                     std::uint32_t target) {
  std::vector<double> costs;
  std::vector<bool> on_path(steps.size());
  const std::function<void(std::uint32_t, double)> walk = [&](std::uint32_t node, double cost) {
    if (node == target) return costs.push_back(cost);
    on_path[node] = true;
    for (const auto& step : must(steps.steps(node, true)))
      if (!on_path[step.node]) walk(step.node, cost + step.weight);
    on_path[node] = false;
  };
  walk(source, 0);
  std::ranges::sort(costs);
  return costs;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(graph_algorithms)

BOOST_AUTO_TEST_CASE(lists_are_turned_around_and_joined) {
  for_each_graph([](const RandomGraph& graph, CountedLimits& limits) {
    const Adjacency lists = graph.lists(limits, true);
    const Adjacency back = must(lists.transposed(limits));
    const Adjacency both = must(lists.undirected(limits));
    const Adjacency simple = must(both.simplified(limits));
    std::size_t loops = 0;
    for (const Edge& edge : graph.edges) loops += edge.source == edge.target ? 1 : 0;
    BOOST_TEST(back.entries() == graph.edges.size());
    BOOST_TEST(both.entries() == 2 * graph.edges.size() - loops);
    const auto arcs = graph.arcs(true);
    BOOST_TEST(simple.entries() == arcs.size());
    for (std::uint32_t node = 0; node < graph.nodes; ++node) {
      BOOST_TEST(std::ranges::is_sorted(back.list(node).neighbours));
      BOOST_TEST(std::ranges::is_sorted(both.list(node).neighbours));
      double weights = 0;
      for (const Edge& edge : graph.edges) weights += edge.target == node ? edge.weight : 0;
      const auto found = back.list(node).weights;
      BOOST_TEST(std::accumulate(found.begin(), found.end(), 0.0) == weights);
      const auto list = simple.list(node);
      for (std::size_t i = 0; i < list.size(); ++i)
        BOOST_TEST(list.weight(i) == arcs.at({node, list.neighbours[i]}));
    }
  });
}

BOOST_AUTO_TEST_CASE(ranks_are_those_of_many_rounds) {
  for_each_graph([](const RandomGraph& graph, CountedLimits& limits) {
    for (const bool by_weight : {false, true}) {
      const Adjacency incoming = must(graph.lists(limits, by_weight).transposed(limits));
      const auto ranks = must(engine::pagerank(incoming, {0.85, 1'000, 0}, limits));
      const auto expected =
          naive_ranks(graph, by_weight, std::vector<double>(graph.nodes, 1.0 / graph.nodes));
      for (std::uint32_t node = 0; node < graph.nodes; ++node)
        check_close(ranks[node], expected[node]);
    }
  });
}

BOOST_AUTO_TEST_CASE(personal_ranks_are_those_of_many_rounds) {
  for_each_graph([](const RandomGraph& graph, CountedLimits& limits) {
    if (graph.nodes == 0) return;
    GraphStepSource steps(graph, false);
    const std::vector<std::uint32_t> seeds = {0, graph.nodes - 1, 0};
    std::vector<double> start(graph.nodes, 0);
    for (const std::uint32_t seed : seeds) start[seed] += 1.0 / 3;
    const auto expected = naive_ranks(graph, true, start);
    const auto exact = must(engine::personalized_pagerank(steps, seeds, {0.85, 1e-15}, limits));
    const auto rough = must(engine::personalized_pagerank(steps, seeds, {0.85, 1e-4}, limits));
    const double bound = 1e-4 * static_cast<double>(graph.edges.size() + graph.nodes);
    for (std::uint32_t node = 0; node < graph.nodes; ++node) {
      check_close(exact[node], expected[node]);
      BOOST_TEST(rough[node] <= expected[node] + 1e-12);
      BOOST_TEST(rough[node] >= expected[node] - bound);
    }
  });
}

BOOST_AUTO_TEST_CASE(components_are_what_reaches_each_other) {
  for_each_graph([](const RandomGraph& graph, CountedLimits& limits) {
    const Adjacency lists = graph.lists(limits, false);
    const auto weak = must(engine::connected_components(lists, limits));
    const auto strong = must(engine::strong_components(lists, limits));
    const Matrix both = distances(graph, true, false);
    const Matrix one_way = distances(graph, false, false);
    for (std::uint32_t a = 0; a < graph.nodes; ++a)
      for (std::uint32_t b = 0; b < graph.nodes; ++b) {
        BOOST_TEST((weak[a] == weak[b]) == (both[a][b] < never));
        BOOST_TEST((strong[a] == strong[b]) == (one_way[a][b] < never && one_way[b][a] < never));
      }
    // Numbers are in the order in which they come first.
    std::uint32_t next = 0;
    for (const std::uint32_t one : strong) {
      BOOST_TEST(one <= next);
      if (one == next) ++next;
    }
  });
}

BOOST_AUTO_TEST_CASE(cores_are_what_peeling_leaves) {
  for_each_graph([](const RandomGraph& graph, CountedLimits& limits) {
    const Adjacency simple =
        must(must(graph.lists(limits, false).undirected(limits)).simplified(limits));
    const auto cores = must(engine::core_numbers(simple, limits));
    for (std::uint32_t k = 0; k <= graph.nodes; ++k) {
      auto left = graph.around();
      std::vector<bool> is_left(graph.nodes, true);
      for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (std::uint32_t node = 0; node < graph.nodes; ++node) {
          if (!is_left[node] || left[node].size() >= k) continue;
          is_left[node] = false;
          has_changed = true;
          for (auto& set : left) set.erase(node);
        }
      }
      for (std::uint32_t node = 0; node < graph.nodes; ++node)
        BOOST_TEST((cores[node] >= k) == is_left[node]);
    }
  });
}

BOOST_AUTO_TEST_CASE(triangles_are_those_of_three_loops) {
  for_each_graph([](const RandomGraph& graph, CountedLimits& limits) {
    const Adjacency simple =
        must(must(graph.lists(limits, false).undirected(limits)).simplified(limits));
    const auto counts = must(engine::triangles(simple, limits));
    const auto around = graph.around();
    for (std::uint32_t a = 0; a < graph.nodes; ++a) {
      std::uint64_t expected = 0;
      for (const std::uint32_t b : around[a])
        for (const std::uint32_t c : around[a]) expected += b < c && around[b].contains(c) ? 1 : 0;
      BOOST_TEST(counts[a] == expected);
    }
  });
}

BOOST_AUTO_TEST_CASE(betweenness_is_what_all_distances_tell) {
  for_each_graph([](const RandomGraph& graph, CountedLimits& limits) {
    for (const bool by_weight : {false, true}) {
      const Adjacency back = must(graph.lists(limits, by_weight).transposed(limits));
      const Adjacency lists = must(must(back.transposed(limits)).simplified(limits));
      const auto scores = must(engine::betweenness(lists, {1'000, 0}, limits));
      const Matrix least = distances(graph, false, by_weight);
      const auto arcs = graph.arcs(false);
      // How many shortest paths there are, by the last node before the end.
      const std::function<double(std::uint32_t, std::uint32_t)> count = [&](std::uint32_t a,
                                                                            std::uint32_t b) {
        if (a == b) return 1.0;
        double sum = 0;
        for (const auto& [ends, weight] : arcs)
          if (ends.second == b && least[a][ends.first] + (by_weight ? weight : 1) == least[a][b] &&
              least[a][b] < never)
            sum += count(a, ends.first);
        return sum;
      };
      for (std::uint32_t v = 0; v < graph.nodes; ++v) {
        double expected = 0;
        for (std::uint32_t s = 0; s < graph.nodes; ++s)
          for (std::uint32_t t = 0; t < graph.nodes; ++t)
            if (s != v && t != v && s != t && least[s][t] < never &&
                least[s][v] + least[v][t] == least[s][t])
              expected += count(s, v) * count(v, t) / count(s, t);
        check_close(scores[v], expected);
      }
    }
  });
}

// As good as any single move, and, of Leiden's, in one piece.
BOOST_AUTO_TEST_CASE(communities_gain_by_no_single_move) {
  for_each_graph([](const RandomGraph& graph, CountedLimits& limits) {
    const Adjacency both = must(graph.lists(limits, true).undirected(limits));
    for (const double resolution : {0.5, 1.0, 2.0})
      for (const bool refines : {false, true}) {
        const engine::CommunityOptions options{resolution, 32, graph.nodes};
        const auto find = refines ? engine::leiden : engine::louvain;
        const auto groups = must(find(both, options, limits));
        const double found = must(engine::modularity(both, groups, resolution, limits));
        if (!graph.edges.empty()) check_close(found, naive_modularity(graph, groups, resolution));
        BOOST_TEST((firsts(must(find(both, options, limits))) == firsts(groups)));
        if (!refines) continue;
        const auto around = graph.around();
        for (std::uint32_t node = 0; node < graph.nodes; ++node) {
          const bool is_alone = std::ranges::count(groups, groups[node]) == 1;
          const bool has_company = std::ranges::any_of(
              around[node], [&](std::uint32_t other) { return groups[other] == groups[node]; });
          BOOST_TEST((is_alone || has_company));
        }
      }
  });
}

BOOST_AUTO_TEST_CASE(labels_are_the_heaviest_around) {
  for_each_graph([](const RandomGraph& graph, CountedLimits& limits) {
    const Adjacency both = must(graph.lists(limits, true).undirected(limits));
    const auto labels = must(engine::propagate_labels(both, {1'000, graph.nodes}, limits));
    for (std::uint32_t node = 0; node < graph.nodes; ++node) {
      std::map<std::uint32_t, double> weights;
      for (const Edge& edge : graph.edges) {
        if (edge.source == edge.target) continue;
        if (edge.source == node) weights[labels[edge.target]] += edge.weight;
        if (edge.target == node) weights[labels[edge.source]] += edge.weight;
      }
      for (const auto& [label, weight] : weights) BOOST_TEST(weight <= weights[labels[node]]);
    }
  });
}

BOOST_AUTO_TEST_CASE(shortest_paths_cost_what_all_distances_tell) {
  for_each_graph([](const RandomGraph& graph, CountedLimits& limits) {
    for (const bool both : {false, true}) {
      const Matrix least = distances(graph, both, true);
      GraphStepSource steps(graph, both);
      for (std::uint32_t a = 0; a < graph.nodes; ++a)
        for (std::uint32_t b = 0; b < graph.nodes; ++b) {
          const auto two_sided = must(engine::shortest_path(steps, a, b, {}, limits));
          // Half of what is left is never too much.
          const auto left = [&](std::uint32_t node) -> Result<double> {
            return least[node][b] == never ? 0 : least[node][b] / 2;
          };
          const auto guided = must(engine::guided_path(steps, a, b, left, limits));
          for (const auto& path : {two_sided, guided}) {
            BOOST_TEST(path.has_value() == (least[a][b] < never));
            if (!path) continue;
            BOOST_TEST(path->cost == least[a][b]);
            BOOST_REQUIRE_EQUAL(path->nodes.size(), path->relationships.size() + 1);
            BOOST_TEST((path->nodes.front() == a && path->nodes.back() == b));
            for (std::size_t i = 0; i < path->relationships.size(); ++i) {
              const Edge& edge = graph.edges[path->relationships[i]];
              const bool is_forward =
                  edge.source == path->nodes[i] && edge.target == path->nodes[i + 1];
              const bool is_back =
                  edge.target == path->nodes[i] && edge.source == path->nodes[i + 1];
              BOOST_TEST((is_forward || (both && is_back)));
              BOOST_TEST(edge.weight == path->weights[i]);
            }
          }
        }
    }
  });
}

BOOST_AUTO_TEST_CASE(the_first_paths_are_those_of_all) {
  for (std::uint32_t seed = 0; seed < rounds(150, 2'000); ++seed) {
    const RandomGraph graph = RandomGraph::draw(seed);
    if (graph.nodes < 2 || graph.edges.size() > 22) continue;
    CountedLimits limits;
    GraphStepSource steps(graph, true);
    auto expected = naive_path_costs(steps, 0, graph.nodes - 1);
    const auto found = must(engine::shortest_paths(steps, 0, graph.nodes - 1, 25, limits));
    expected.resize(std::min<std::size_t>(expected.size(), 25));
    BOOST_TEST_INFO_SCOPE("graph " << seed);
    BOOST_REQUIRE_EQUAL(found.size(), expected.size());
    std::set<std::vector<std::uint64_t>> different;
    for (std::size_t i = 0; i < found.size(); ++i) {
      BOOST_TEST(found[i].cost == expected[i]);
      different.insert(found[i].relationships);
      BOOST_TEST(std::set(found[i].nodes.begin(), found[i].nodes.end()).size() ==
                 found[i].nodes.size());
    }
    BOOST_TEST(different.size() == found.size());
    BOOST_TEST(limits.held == 0U);
  }
}

BOOST_AUTO_TEST_CASE(similarity_is_that_of_sets) {
  for_each_graph([](const RandomGraph& graph, CountedLimits& limits) {
    GraphStepSource steps(graph, true);
    engine::SimilaritySearch search(steps, limits);
    const auto around = graph.around();
    for (std::uint32_t a = 0; a < graph.nodes; ++a) {
      std::map<std::uint32_t, engine::Similarity> found;
      for (const auto& one : must(search.similar_to(a))) found[one.node] = one;
      for (std::uint32_t b = 0; b < graph.nodes; ++b) {
        if (a == b) continue;
        std::vector<std::uint32_t> common;
        std::ranges::set_intersection(around[a], around[b], std::back_inserter(common));
        BOOST_TEST(found.contains(b) == !common.empty());
        if (common.empty()) continue;
        double adamic_adar = 0;
        for (const std::uint32_t c : common)
          adamic_adar += 1 / std::log(static_cast<double>(around[c].size()));
        BOOST_TEST(found[b].common == common.size());
        check_close(found[b].jaccard,
                    static_cast<double>(common.size()) /
                        static_cast<double>(around[a].size() + around[b].size() - common.size()));
        check_close(found[b].adamic_adar, adamic_adar);
      }
    }
  });
}

namespace {

/// Each algorithm over a ring with chords.
std::vector<std::function<Status(CountedLimits&)>> all_algorithms(std::uint32_t nodes) {
  const auto lists = [nodes](CountedLimits& limits) -> Result<Adjacency> {
    Adjacency ring(limits);
    CAIRN_TRY(ring.begin(nodes));
    for (std::uint32_t node = 0; node < nodes; ++node) {
      for (const std::uint32_t step : {1U, 7U, 40U}) CAIRN_TRY(ring.add((node + step) % nodes));
      CAIRN_TRY(ring.end_list());
    }
    return ring.undirected(limits);
  };
  const auto run = [lists](const auto& algorithm) {
    return [lists, algorithm](CountedLimits& limits) -> Status {
      CAIRN_ASSIGN(const Adjacency graph, lists(limits));
      CAIRN_TRY(algorithm(graph, limits));
      return {};
    };
  };
  using engine::Limits;
  return {
      run([](const Adjacency& graph, Limits& limits) {
        return engine::pagerank(graph, {0.85, 1'000, 0}, limits);
      }),
      run([](const Adjacency& graph, Limits& limits) {
        return engine::connected_components(graph, limits);
      }),
      run([](const Adjacency& graph, Limits& limits) {
        return engine::strong_components(graph, limits);
      }),
      run([](const Adjacency& graph, Limits& limits) {
        return engine::louvain(graph, {}, limits);
      }),
      run([](const Adjacency& graph, Limits& limits) { return engine::leiden(graph, {}, limits); }),
      run([](const Adjacency& graph, Limits& limits) {
        return engine::propagate_labels(graph, {}, limits);
      }),
      run([](const Adjacency& graph, Limits& limits) {
        return engine::betweenness(graph, {64, 0}, limits);
      }),
      run([](const Adjacency& graph, Limits& limits) {
        return engine::core_numbers(graph, limits);
      }),
      run([](const Adjacency& graph, Limits& limits) { return engine::triangles(graph, limits); }),
  };
}

}  // namespace

// Wherever an algorithm is stopped, it releases its memory. It checks the limits often enough.
BOOST_AUTO_TEST_CASE(limits_end_them_at_any_place) {
  const auto algorithms = all_algorithms(20'000);
  for (std::size_t i = 0; i < algorithms.size(); ++i) {
    BOOST_TEST_INFO_SCOPE("algorithm " << i);
    CountedLimits free;
    must(algorithms[i](free));
    BOOST_TEST(free.held == 0U);
    BOOST_TEST(free.steps > 1'000U);
    for (std::uint64_t part = 0; part < 10; ++part) {
      CountedLimits few_steps;
      few_steps.most_steps = free.steps * part / 10;
      const Status ended = algorithms[i](few_steps);
      BOOST_TEST((!ended && ended.error().code == ErrorCode::cancelled));
      BOOST_TEST(few_steps.held == 0U);
      CountedLimits little_room;
      little_room.most_bytes = (std::size_t{20'000} * 40) * part / 10;
      const Status refused = algorithms[i](little_room);
      BOOST_TEST((!refused && refused.error().code == ErrorCode::resource_limit));
      BOOST_TEST(little_room.held == 0U);
    }
  }
}

// 2^1,100 shortest paths through diamonds in a row: more than a double counts.
BOOST_AUTO_TEST_CASE(more_paths_than_can_be_counted_are_an_error) {
  CountedLimits limits;
  RandomGraph graph;
  constexpr std::uint32_t diamonds = 1'100;
  graph.nodes = 3 * diamonds + 1;
  for (std::uint32_t i = 0; i < diamonds; ++i)
    for (const std::uint32_t side : {3 * i + 1, 3 * i + 2}) {
      graph.edges.push_back({3 * i, side, 1});
      graph.edges.push_back({side, 3 * i + 3, 1});
    }
  const Adjacency lists = graph.lists(limits, false);
  const auto scores = engine::betweenness(lists, {graph.nodes, 0}, limits);
  BOOST_REQUIRE(!scores.has_value());
  BOOST_TEST((scores.error().code == ErrorCode::resource_limit));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
