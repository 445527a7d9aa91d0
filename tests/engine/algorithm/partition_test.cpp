// Levels of communities: what merging groups of nodes keeps.
#include "engine/algorithm/partition.hpp"

#include "tests/engine/algorithm/random_graph.hpp"
#include "tests/support/rounds.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace cairn::test {
namespace {

using engine::Adjacency;
using engine::Array;
using engine::Level;
using Pairs = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;

/// The weight between each two nodes of a level, and of the loops of each.
Pairs weights_of(const Level& level) {
  Pairs weights;
  for (std::uint32_t node = 0; node < level.lists().nodes(); ++node) {
    const auto list = level.lists().list(node);
    for (std::size_t i = 0; i < list.size(); ++i)
      if (list.neighbours[i] != node) weights[{node, list.neighbours[i]}] += list.weight(i);
    if (level.loops[node] != 0) weights[{node, node}] += level.loops[node];
  }
  return weights;
}

/// The same of groups of its nodes. Both directions of a relationship inside a group become one loop.
Pairs merged(const Pairs& weights, const Array<std::uint32_t>& groups) {
  Pairs sums;
  for (const auto& [ends, weight] : weights) {
    const auto [a, b] = std::pair(groups[ends.first], groups[ends.second]);
    sums[{a, b}] += a == b && ends.first != ends.second ? weight / 2 : weight;
  }
  return sums;
}

/// Groups 0 to count - 1 at random; some may be empty.
Array<std::uint32_t> random_groups(std::size_t nodes, std::uint32_t count, std::uint32_t seed,
                                   engine::Limits& limits) {
  engine::Random random(seed);
  auto groups = must(Array<std::uint32_t>::of(limits, nodes));
  for (std::uint32_t& group : groups) group = random.below(count);
  return groups;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(levels_of_communities)

// All weights are integers or halves of integers, so the sums are exact.
BOOST_AUTO_TEST_CASE(merging_keeps_all_weights) {
  for (std::uint32_t seed = 0; seed < rounds(300, 5'000); ++seed) {
    BOOST_TEST_INFO_SCOPE("graph " << seed);
    CountedLimits limits;
    const RandomGraph drawn = RandomGraph::draw(seed);
    if (drawn.nodes == 0) continue;
    const Adjacency graph = must(drawn.lists(limits, seed % 2 == 0).undirected(limits));
    const Level level = must(engine::first_level(graph, limits));
    double all = 0;
    for (const Edge& edge : drawn.edges) all += seed % 2 == 0 ? edge.weight : 1;
    BOOST_TEST(level.total == 2 * all);

    const auto groups = random_groups(drawn.nodes, drawn.nodes, seed, limits);
    const Level whole = must(engine::merged_level(level, groups, drawn.nodes, limits));
    BOOST_TEST(whole.total == level.total);
    BOOST_TEST((weights_of(whole) == merged(weights_of(level), groups)));
    const auto again = random_groups(drawn.nodes, 1 + drawn.nodes / 3, seed + 1, limits);
    const Level third = must(engine::merged_level(whole, again, 1 + drawn.nodes / 3, limits));
    BOOST_TEST(third.total == level.total);
    BOOST_TEST((weights_of(third) == merged(weights_of(whole), again)));
  }
}

BOOST_AUTO_TEST_CASE(an_empty_graph_has_one_empty_level) {
  CountedLimits limits;
  const Adjacency graph = RandomGraph().lists(limits, false);
  const Level level = must(engine::first_level(graph, limits));
  BOOST_TEST(level.total == 0);
  BOOST_TEST(level.lists().nodes() == 0U);
  engine::Partition partition(level, 1, limits);
  must(partition.begin());
  BOOST_TEST(partition.groups.empty());
}

// Three nodes in a row: the one in the middle joins the heavier side, and then stays.
BOOST_AUTO_TEST_CASE(a_node_moves_to_the_greatest_gain_only) {
  CountedLimits limits;
  RandomGraph row;
  row.nodes = 3;
  row.edges = {{0, 1, 1}, {1, 2, 5}};
  const Adjacency graph = must(row.lists(limits, true).undirected(limits));
  const Level level = must(engine::first_level(graph, limits));
  engine::Partition partition(level, 1, limits);
  must(partition.begin());
  BOOST_TEST(must(partition.improve(1)));
  BOOST_TEST(partition.groups[1] == 2U);
  BOOST_TEST(partition.sums[1] == 0);
  BOOST_TEST(partition.sums[2] == 11);
  BOOST_TEST(!must(partition.improve(1)));
  BOOST_TEST(!must(partition.improve(2)));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
