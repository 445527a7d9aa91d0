// The Louvain method. On each level nodes move between communities while that raises the modularity; then each community
// becomes one node of the next level. louvain() repeats whole passes until the modularity rises no more.
#include "engine/algorithm/communities.hpp"
#include "engine/algorithm/components.hpp"
#include "engine/algorithm/partition.hpp"

#include <algorithm>
#include <utility>

namespace cairn::engine {
namespace {

/// Moves nodes in at most 100 rounds over all of them, in one random order, until few move in a round. Returns true if
/// any node moved.
Result<bool> move_nodes(const Level& level, Partition& partition, Random& random, Limits& limits) {
  constexpr std::size_t most_rounds = 100;
  constexpr std::size_t moving_share = 1'024;  // stops when at most 1 in 1,024 nodes moves
  CAIRN_ASSIGN(const auto order, shuffled_nodes(level.lists().nodes(), random, limits));
  Pace pace(&limits);
  bool any_moved = false;
  std::size_t moved = order.size();
  for (std::size_t round = 0; round < most_rounds && moved > order.size() / moving_share; ++round) {
    moved = 0;
    for (const std::uint32_t node : order) {
      CAIRN_ASSIGN(const bool has_moved, partition.improve(node));
      if (has_moved) ++moved;
      if (pace.is_due(entry_bytes * (1 + level.lists().list(node).size()))) CAIRN_TRY(pace.look());
    }
    any_moved = any_moved || moved > 0;
  }
  return any_moved;
}

/// One pass of all levels, which starts from the communities of `found` and improves them.
Status climb(const Adjacency& graph, const CommunityOptions& options, Random& random,
             Array<std::uint32_t>& found, Limits& limits) {
  CAIRN_ASSIGN(Level level, first_level(graph, limits));
  for (std::size_t round = 0; round < options.levels; ++round) {
    Partition partition(level, options.resolution, limits);
    if (round == 0) {
      CAIRN_ASSIGN(auto given, Array<std::uint32_t>::of(limits, found.size()));
      std::ranges::copy(found, given.begin());
      CAIRN_TRY(partition.begin(std::move(given)));
    } else {
      CAIRN_TRY(partition.begin());
    }
    CAIRN_ASSIGN(const bool has_moved, move_nodes(level, partition, random, limits));
    if (!has_moved) break;
    CAIRN_ASSIGN(const std::uint32_t count,
                 number_by_first(partition.groups, partition.groups.size(), limits));
    for (std::size_t node = 0; node < found.size(); ++node)
      found[node] = partition.groups[round == 0 ? node : found[node]];
    CAIRN_ASSIGN(level, merged_level(level, partition.groups, count, limits));
  }
  return {};
}

}  // namespace

// Once communities are merged to nodes, their members can no longer move alone, though a move may now raise the modularity.
// The next pass starts from the single nodes again and finds such moves.
Result<Array<std::uint32_t>> louvain(const Adjacency& graph, const CommunityOptions& options,
                                     Limits& limits) {
  Random random(options.seed);
  const auto pass = [&](Array<std::uint32_t>& found) {
    return climb(graph, options, random, found, limits);
  };
  CAIRN_ASSIGN(auto found, repeat_passes(graph, options.resolution, limits, pass));
  CAIRN_TRY(number_by_first(found, found.size(), limits));
  return found;
}

Result<double> modularity(const Adjacency& graph, const Array<std::uint32_t>& communities,
                          double resolution, Limits& limits) {
  const std::size_t nodes = graph.nodes();
  // Each relationship counts from both ends.
  CAIRN_ASSIGN(auto inside, Array<double>::of(limits, nodes, 0.0));
  CAIRN_ASSIGN(auto degrees, Array<double>::of(limits, nodes, 0.0));
  double total = 0;
  Pace pace(&limits);
  for (std::size_t node = 0; node < nodes; ++node) {
    const auto list = graph.list(node);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const double weight = list.neighbours[i] == node ? 2 * list.weight(i) : list.weight(i);
      total += weight;
      degrees[communities[node]] += weight;
      if (communities[list.neighbours[i]] == communities[node]) inside[communities[node]] += weight;
    }
    if (pace.is_due(entry_bytes * (1 + list.size()))) CAIRN_TRY(pace.look());
  }
  if (total == 0) return 0.0;
  double sum = 0;
  for (std::size_t community = 0; community < nodes; ++community) {
    const double share = degrees[community] / total;
    sum += inside[community] / total - resolution * share * share;
  }
  return sum;
}

}  // namespace cairn::engine
