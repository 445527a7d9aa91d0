// Levels and partitions of the Louvain and Leiden methods. merged_level() builds the graph of communities: it sums the
// weights between each two groups in one pass, group by group, with a dense array as accumulator.
#include "engine/algorithm/partition.hpp"

#include <numeric>
#include <utility>

namespace cairn::engine {
namespace {

/// Returns the list of members of each group. Uses an Adjacency whose entry n -> g means that node n is in group g, and
/// transposes it. Group numbers are below the number of nodes, so they are valid node numbers too.
Result<Adjacency> members_of(const Array<std::uint32_t>& groups, Limits& limits) {
  Adjacency of_node(limits);
  CAIRN_TRY(of_node.begin(groups.size()));
  for (const std::uint32_t group : groups) {
    CAIRN_TRY(of_node.add(group));
    CAIRN_TRY(of_node.end_list());
  }
  return of_node.transposed(limits);
}

/// Computes `degrees` and `total` from the lists and the loops.
Status sum_degrees(Level& level, Limits& limits) {
  const std::size_t nodes = level.lists().nodes();
  CAIRN_TRY(level.degrees.resize(nodes, 0));
  Pace pace(&limits);
  for (std::size_t node = 0; node < nodes; ++node) {
    const auto list = level.lists().list(node);
    double sum = 2 * level.loops[node];
    for (std::size_t i = 0; i < list.size(); ++i)
      if (list.neighbours[i] != node) sum += list.weight(i);
    level.degrees[node] = sum;
    level.total += sum;
    if (pace.is_due(entry_bytes * (1 + list.size()))) CAIRN_TRY(pace.look());
  }
  return {};
}

}  // namespace

Result<Level> first_level(const Adjacency& graph, Limits& limits) {
  Level level(limits);
  level.given = &graph;
  CAIRN_TRY(level.loops.resize(level.lists().nodes(), 0));
  Pace pace(&limits);
  for (std::size_t node = 0; node < level.lists().nodes(); ++node) {
    const auto list = level.lists().list(node);
    for (std::size_t i = 0; i < list.size(); ++i)
      if (list.neighbours[i] == node) level.loops[node] += list.weight(i);
    if (pace.is_due(entry_bytes * (1 + list.size()))) CAIRN_TRY(pace.look());
  }
  CAIRN_TRY(sum_degrees(level, limits));
  return level;
}

// A relationship inside a group is counted from both of its ends, so the loop gets half of that weight.
Result<Level> merged_level(const Level& level, const Array<std::uint32_t>& groups,
                           std::uint32_t count, Limits& limits) {
  CAIRN_ASSIGN(const Adjacency members, members_of(groups, limits));
  Level merged(limits);
  CAIRN_TRY(merged.merged.begin(count));
  CAIRN_TRY(merged.loops.resize(count, 0));
  NeighbourWeights weights(limits);
  CAIRN_TRY(weights.begin(count));
  Pace pace(&limits);
  for (std::uint32_t group = 0; group < count; ++group) {
    weights.forget();
    double loops = 0;
    for (const std::uint32_t node : members.list(group).neighbours) {
      const auto list = level.lists().list(node);
      loops += level.loops[node];
      for (std::size_t i = 0; i < list.size(); ++i)
        if (list.neighbours[i] != node)
          CAIRN_TRY(weights.add(groups[list.neighbours[i]], list.weight(i)));
      if (pace.is_due(2 * entry_bytes * (1 + list.size()))) CAIRN_TRY(pace.look());
    }
    merged.loops[group] = loops + weights.to(group) / 2;
    for (const std::uint32_t other : weights.groups()) {
      if (other == group) continue;
      CAIRN_TRY(merged.merged.add(other));
      CAIRN_TRY(merged.merged.add_weight(weights.to(other)));
    }
    CAIRN_TRY(merged.merged.end_list());
  }
  CAIRN_TRY(sum_degrees(merged, limits));
  return merged;
}

Status Partition::begin() {
  Array<std::uint32_t> alone = std::move(groups);
  CAIRN_TRY(alone.resize(level_.lists().nodes()));
  std::iota(alone.begin(), alone.end(), 0U);
  return begin(std::move(alone));
}

Status Partition::begin(Array<std::uint32_t> given) {
  groups = std::move(given);
  CAIRN_TRY(sums.resize(groups.size(), 0));
  for (std::size_t node = 0; node < groups.size(); ++node)
    sums[groups[node]] += level_.degrees[node];
  return weights.begin(groups.size());
}

Result<bool> Partition::improve(std::uint32_t node) {
  // The least gain of a move, as a share of the total weight. A smaller gain may be a rounding error.
  constexpr double least_gain = 1e-10;
  CAIRN_TRY(weights.gather(level_.lists(), node, groups));
  const std::uint32_t own = groups[node];
  const double degree = level_.degrees[node];
  std::uint32_t best = own;
  double most = gain(weights.to(own), degree, sums[own] - degree) + least_gain * level_.total;
  for (const std::uint32_t group : weights.groups()) {
    if (group == own) continue;
    const double gained = gain(weights.to(group), degree, sums[group]);
    if (gained <= most) continue;
    best = group;
    most = gained;
  }
  if (best != own) move(node, best);
  return best != own;
}

Result<Array<std::uint32_t>> shuffled_nodes(std::size_t nodes, Random& random, Limits& limits) {
  CAIRN_ASSIGN(auto order, Array<std::uint32_t>::of(limits, nodes));
  std::iota(order.begin(), order.end(), 0U);
  random.shuffle(order, nodes);
  return order;
}

}  // namespace cairn::engine
