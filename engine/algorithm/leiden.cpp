// The Leiden method. Each level has three steps: nodes move between communities while that raises the modularity; each
// community is split into well connected parts; the parts become the nodes of the next level, whose communities are those of
// this level. leiden() repeats whole passes until the modularity rises no more.
#include "engine/algorithm/communities.hpp"
#include "engine/algorithm/components.hpp"
#include "engine/algorithm/partition.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace cairn::engine {
namespace {

/// Moves nodes until no move raises the modularity. After a move only the neighbours of the moved node are visited again.
/// Makes at most 100 visits per node on average.
Status move_waiting(const Level& level, Partition& partition, Random& random, Limits& limits) {
  const std::size_t nodes = level.lists().nodes();
  // Ring buffer of the nodes to visit.
  CAIRN_ASSIGN(auto queue, shuffled_nodes(nodes, random, limits));
  CAIRN_ASSIGN(auto is_waiting, Array<std::uint8_t>::of(limits, nodes, 1));
  std::size_t first = 0;
  std::uint64_t looks = 0;
  const std::uint64_t most_looks = 100 * static_cast<std::uint64_t>(nodes);
  Pace pace(&limits);
  for (std::size_t waiting = nodes; waiting > 0 && looks < most_looks; ++looks) {
    const std::uint32_t node = queue[first];
    first = first + 1 == nodes ? 0 : first + 1;
    --waiting;
    is_waiting[node] = 0;
    CAIRN_ASSIGN(const bool has_moved, partition.improve(node));
    const auto neighbours = level.lists().list(node).neighbours;
    if (pace.is_due(entry_bytes * (1 + neighbours.size()))) CAIRN_TRY(pace.look());
    if (!has_moved) continue;
    for (const std::uint32_t other : neighbours) {
      if (other == node || is_waiting[other] != 0 ||
          partition.groups[other] == partition.groups[node])
        continue;
      queue[(first + waiting++) % nodes] = other;
      is_waiting[other] = 1;
    }
  }
  return {};
}

/// Splits communities into connected parts. Each node begins as its own part, and may join the part of its community that
/// raises the modularity most. Both the node and the part must be well connected to the rest of the community.
class Refinement {
 public:
  Refinement(const Level& level, const Partition& communities, double resolution, Limits& limits)
      : level_(level),
        communities_(communities),
        parts_(level, resolution, limits),
        outside_(limits),
        sizes_(limits),
        limits_(limits) {}

  Result<Array<std::uint32_t>> run(Random& random) {
    const std::size_t nodes = level_.lists().nodes();
    CAIRN_TRY(parts_.begin());
    CAIRN_TRY(outside_.resize(nodes, 0));
    CAIRN_TRY(sizes_.resize(nodes, 1));
    Pace pace(&limits_);
    for (std::uint32_t node = 0; node < nodes; ++node) {
      const auto list = level_.lists().list(node);
      for (std::size_t i = 0; i < list.size(); ++i)
        if (list.neighbours[i] != node && is_together(node, list.neighbours[i]))
          outside_[node] += list.weight(i);
      if (pace.is_due(entry_bytes * (1 + list.size()))) CAIRN_TRY(pace.look());
    }
    CAIRN_ASSIGN(const auto order, shuffled_nodes(nodes, random, limits_));
    for (const std::uint32_t node : order) {
      CAIRN_TRY(join(node));
      if (pace.is_due(entry_bytes * (1 + level_.lists().list(node).size()))) CAIRN_TRY(pace.look());
    }
    return std::move(parts_.groups);
  }

 private:
  [[nodiscard]] bool is_together(std::uint32_t node, std::uint32_t other) const {
    return communities_.groups[node] == communities_.groups[other];
  }
  /// True if a part is well connected: the weight between it and the rest of its community is at least what chance would
  /// produce.
  [[nodiscard]] bool is_connected(std::uint32_t part, std::uint32_t community) const {
    const double rest = communities_.sums[community] - parts_.sums[part];
    return parts_.gain(outside_[part], parts_.sums[part], rest) >= 0;
  }

  /// Moves a node that is still alone to the best part, if one raises the modularity.
  Status join(std::uint32_t node) {
    const std::uint32_t community = communities_.groups[node];
    if (parts_.groups[node] != node || sizes_[node] != 1 || !is_connected(node, community))
      return {};
    NeighbourWeights& weights = parts_.weights;
    weights.forget();
    const auto list = level_.lists().list(node);
    for (std::size_t i = 0; i < list.size(); ++i)
      if (list.neighbours[i] != node && is_together(node, list.neighbours[i]))
        CAIRN_TRY(weights.add(parts_.groups[list.neighbours[i]], list.weight(i)));
    std::uint32_t best = node;
    double most = 0;
    for (const std::uint32_t part : weights.groups()) {
      const double gained = parts_.gain(weights.to(part), level_.degrees[node], parts_.sums[part]);
      if (part == node || gained <= most || !is_connected(part, community)) continue;
      best = part;
      most = gained;
    }
    if (best == node) return {};
    outside_[best] += outside_[node] - 2 * weights.to(best);
    sizes_[best] += sizes_[node];
    sizes_[node] = 0;
    parts_.move(node, best);
    return {};
  }

  const Level& level_;
  const Partition& communities_;
  Partition parts_;
  Array<double> outside_;       // by part: the weight between it and the rest of its community
  Array<std::uint32_t> sizes_;  // by part: the number of its nodes
  Limits& limits_;
};

/// Splits each community that is not connected into its components. This never lowers the modularity, as no
/// relationship connects two components.
Result<Array<std::uint32_t>> connected_parts(const Adjacency& graph,
                                             const Array<std::uint32_t>& communities,
                                             Limits& limits) {
  Adjacency within(limits);
  CAIRN_TRY(within.begin(graph.nodes()));
  Pace pace(&limits);
  for (std::size_t node = 0; node < graph.nodes(); ++node) {
    const auto list = graph.list(node);
    for (std::size_t i = 0; i < list.size(); ++i)
      if (communities[list.neighbours[i]] == communities[node] && list.weight(i) > 0)
        CAIRN_TRY(within.add(list.neighbours[i]));
    CAIRN_TRY(within.end_list());
    if (pace.is_due(entry_bytes * (1 + list.size()))) CAIRN_TRY(pace.look());
  }
  return connected_components(within, limits);
}

/// Returns the community of each part. Communities are renumbered from 0, so that the numbers are valid on the next level,
/// which has `count` nodes.
Result<Array<std::uint32_t>> communities_of(const Array<std::uint32_t>& parts, std::uint32_t count,
                                            Array<std::uint32_t>& groups, Limits& limits) {
  CAIRN_TRY(number_by_first(groups, groups.size(), limits));
  CAIRN_ASSIGN(auto given, Array<std::uint32_t>::of(limits, count));
  for (std::size_t node = 0; node < parts.size(); ++node) given[parts[node]] = groups[node];
  return given;
}

/// One pass of all levels, which starts from the communities of `found` and improves them.
Status refine(const Adjacency& graph, const CommunityOptions& options, Random& random,
              Array<std::uint32_t>& found, Limits& limits) {
  CAIRN_ASSIGN(auto nodes, Array<std::uint32_t>::of(limits, graph.nodes()));
  std::iota(nodes.begin(), nodes.end(), 0U);
  CAIRN_ASSIGN(auto given, Array<std::uint32_t>::of(limits, graph.nodes()));
  std::ranges::copy(found, given.begin());
  CAIRN_ASSIGN(Level level, first_level(graph, limits));
  for (std::size_t round = 0; round < options.levels; ++round) {
    Partition partition(level, options.resolution, limits);
    CAIRN_TRY(partition.begin(std::move(given)));
    CAIRN_TRY(move_waiting(level, partition, random, limits));
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = partition.groups[nodes[i]];
    CAIRN_ASSIGN(auto parts, Refinement(level, partition, options.resolution, limits).run(random));
    CAIRN_ASSIGN(const std::uint32_t count, number_by_first(parts, parts.size(), limits));
    if (count == level.lists().nodes()) break;
    CAIRN_ASSIGN(given, communities_of(parts, count, partition.groups, limits));
    for (std::uint32_t& node : nodes) node = parts[node];
    CAIRN_ASSIGN(level, merged_level(level, parts, count, limits));
  }
  return {};
}

}  // namespace

// Each pass starts from the communities of the one before.
Result<Array<std::uint32_t>> leiden(const Adjacency& graph, const CommunityOptions& options,
                                    Limits& limits) {
  Random random(options.seed);
  return repeat_passes(graph, options.resolution, limits,
                       [&](Array<std::uint32_t>& found) -> Status {
                         CAIRN_TRY(refine(graph, options, random, found, limits));
                         CAIRN_ASSIGN(found, connected_parts(graph, found, limits));
                         return {};
                       });
}

}  // namespace cairn::engine
