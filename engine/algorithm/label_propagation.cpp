// Label propagation: each node begins with its own label, and in each round takes the heaviest label of its neighbours. A
// new label is visible to later nodes of the same round, so that neighbours do not swap their labels back and forth.
#include "engine/algorithm/communities.hpp"
#include "engine/algorithm/components.hpp"
#include "engine/algorithm/neighbour_weights.hpp"
#include "engine/algorithm/partition.hpp"
#include "engine/algorithm/random.hpp"

#include <numeric>
#include <utility>

namespace cairn::engine {
namespace {

/// Returns the label of the greatest weight. Of several such labels it prefers the node's own, and otherwise draws one, each
/// with equal probability (reservoir sampling).
std::uint32_t heaviest(const NeighbourWeights& weights, std::uint32_t own, Random& random) {
  double most = 0;
  std::uint32_t equals = 0;
  std::uint32_t best = own;
  for (const std::uint32_t label : weights.groups()) {
    const double weight = weights.to(label);
    if (weight > most) equals = 0;
    if (weight < most || weight == 0) continue;
    most = weight;
    if (random.below(++equals) == 0) best = label;
  }
  return weights.to(own) == most ? own : best;
}

}  // namespace

Result<Array<std::uint32_t>> propagate_labels(const Adjacency& graph, const LabelOptions& options,
                                              Limits& limits) {
  Random random(options.seed);
  CAIRN_ASSIGN(auto labels, Array<std::uint32_t>::of(limits, graph.nodes()));
  std::iota(labels.begin(), labels.end(), 0U);
  CAIRN_ASSIGN(auto order, shuffled_nodes(graph.nodes(), random, limits));
  NeighbourWeights weights(limits);
  CAIRN_TRY(weights.begin(graph.nodes()));
  Pace pace(&limits);
  bool has_changed = true;
  for (std::size_t round = 0; round < options.iterations && has_changed; ++round) {
    has_changed = false;
    random.shuffle(order, order.size());
    for (const std::uint32_t node : order) {
      CAIRN_TRY(weights.gather(graph, node, labels));
      const std::uint32_t label = heaviest(weights, labels[node], random);
      has_changed = has_changed || label != labels[node];
      labels[node] = label;
      if (pace.is_due(entry_bytes * (1 + graph.list(node).size()))) CAIRN_TRY(pace.look());
    }
  }
  CAIRN_TRY(number_by_first(labels, labels.size(), limits));
  return labels;
}

}  // namespace cairn::engine
