// PageRank in two forms. pagerank() iterates over the whole graph until the ranks converge. personalized_pagerank() pushes
// rank outwards from the seeds, and reads only the part of the graph that receives a significant amount.
#include "engine/algorithm/centrality.hpp"

#include <cmath>
#include <utility>

namespace cairn::engine {
namespace {

/// Returns for each node 1 / (the total weight of its outgoing relationships), or 0 if it has none.
Result<Array<double>> inverse_weights(const Adjacency& incoming, Limits& limits) {
  CAIRN_ASSIGN(auto inverse, Array<double>::of(limits, incoming.nodes(), 0.0));
  Pace pace(&limits);
  for (std::size_t node = 0; node < incoming.nodes(); ++node) {
    const auto list = incoming.list(node);
    for (std::size_t i = 0; i < list.size(); ++i) inverse[list.neighbours[i]] += list.weight(i);
    if (pace.is_due(entry_bytes * (1 + list.size()))) CAIRN_TRY(pace.look());
  }
  for (double& weight : inverse) weight = weight > 0 ? 1 / weight : 0;
  return inverse;
}

/// Returns the rank that a node receives. `sent` is the rank that each node sends along a relationship of weight 1.
double gathered(const Adjacency::List& list, const Array<double>& sent) {
  double sum = 0;
  if (list.weights.empty())
    for (const std::uint32_t source : list.neighbours) sum += sent[source];
  else
    for (std::size_t i = 0; i < list.size(); ++i) sum += sent[list.neighbours[i]] * list.weights[i];
  return sum;
}

}  // namespace

// Each node pulls rank from its sources, so every rank is a sum in a fixed order and rounding errors are reproducible.
Result<Array<double>> pagerank(const Adjacency& incoming, const PagerankOptions& options,
                               Limits& limits) {
  const std::size_t nodes = incoming.nodes();
  const auto count = static_cast<double>(nodes);
  CAIRN_ASSIGN(auto ranks, Array<double>::of(limits, nodes, 1 / count));
  CAIRN_ASSIGN(auto sent, Array<double>::of(limits, nodes));
  CAIRN_ASSIGN(const auto inverse, inverse_weights(incoming, limits));
  Pace pace(&limits);
  for (std::size_t round = 0; round < options.iterations && nodes > 0; ++round) {
    double stuck = 0;  // rank of nodes without outgoing relationships, divided among all nodes
    for (std::size_t node = 0; node < nodes; ++node) {
      sent[node] = ranks[node] * inverse[node];
      if (inverse[node] == 0) stuck += ranks[node];
    }
    const double base = (1 - options.damping + options.damping * stuck) / count;
    double change = 0;
    for (std::size_t node = 0; node < nodes; ++node) {
      const auto list = incoming.list(node);
      const double rank = base + options.damping * gathered(list, sent);
      change += std::abs(rank - ranks[node]);
      ranks[node] = rank;
      if (pace.is_due(entry_bytes * (1 + list.size()))) CAIRN_TRY(pace.look());
    }
    if (change < options.tolerance) break;
  }
  return ranks;
}

namespace {

/// Forward push. Each node has a rank and a rest that it has not distributed yet. A push moves the share 1 - damping of the
/// rest of a node into its rank, and distributes the remainder among its neighbours.
class Push {
 public:
  Push(StepSource& graph, std::span<const std::uint32_t> seeds, const PersonalizedOptions& options,
       Limits& limits)
      : graph_(graph),
        seeds_(seeds),
        options_(options),
        ranks_(limits),
        rest_(limits),
        is_waiting_(limits),
        waiting_(limits),
        pace_(&limits) {}

  /// Processes the queue in order until no node has a rest above its tolerance.
  Result<Array<double>> run() {
    CAIRN_TRY(make_room());
    CAIRN_TRY(begin_again(1));
    for (std::size_t next = 0; next < waiting_.size(); ++next) {
      CAIRN_TRY(pass_on(waiting_[next]));
      if (next < least_dropped || 2 * next < waiting_.size()) continue;
      drop_done(next);
      next = 0;
    }
    return std::move(ranks_);
  }

 private:
  // Processed entries that the queue may hold before it is compacted.
  static constexpr std::size_t least_dropped = 4'096;

  /// Grows the arrays to the nodes that the source has numbered so far.
  Status make_room() {
    CAIRN_TRY(ranks_.grow(graph_.size()));
    CAIRN_TRY(rest_.grow(graph_.size()));
    return is_waiting_.grow(graph_.size());
  }

  /// Removes the first `done` entries of the queue, which are processed, so that its memory stays proportional to the
  /// waiting entries. The entry that becomes the first one is processed too, and the loop of run() continues after it.
  void drop_done(std::size_t done) {
    std::move(waiting_.begin() + static_cast<std::ptrdiff_t>(done), waiting_.end(),
              waiting_.begin());
    waiting_.truncate(waiting_.size() - done);
  }

  /// Adds to the rest of a node and queues the node.
  Status give(std::uint32_t node, double amount) {
    rest_[node] += amount;
    if (is_waiting_[node] != 0) return {};
    is_waiting_[node] = 1;
    return waiting_.push_back(node);
  }

  /// Divides an amount among the seeds: walks restart there.
  Status begin_again(double amount) {
    for (const std::uint32_t seed : seeds_)
      CAIRN_TRY(give(seed, amount / static_cast<double>(seeds_.size())));
    return {};
  }

  /// Pushes the rest of a node, if the rest is above the tolerance.
  Status pass_on(std::uint32_t node) {
    is_waiting_[node] = 0;
    if (rest_[node] <= options_.tolerance)
      return {};  // too small for any number of steps, so they are not read
    CAIRN_ASSIGN(const auto steps, graph_.steps(node, true));
    CAIRN_TRY(make_room());
    if (rest_[node] <= options_.tolerance * static_cast<double>(steps.size() + 1)) return {};
    const double amount = std::exchange(rest_[node], 0);
    ranks_[node] += (1 - options_.damping) * amount;
    double weights = 0;
    for (const WeightedStep& step : steps) weights += step.weight;
    CAIRN_TRY(pace_.add(32 * (1 + steps.size())));
    if (weights == 0) return begin_again(options_.damping * amount);
    for (const WeightedStep& step : steps)
      CAIRN_TRY(give(step.node, options_.damping * amount * step.weight / weights));
    return {};
  }

  StepSource& graph_;
  std::span<const std::uint32_t> seeds_;
  const PersonalizedOptions& options_;
  Array<double> ranks_;             // by node
  Array<double> rest_;              // by node: rank that is not distributed yet
  Array<std::uint8_t> is_waiting_;  // by node: 1 if the node is queued
  Array<std::uint32_t> waiting_;    // the queue; its processed beginning is dropped now and then
  Pace pace_;
};

}  // namespace

Result<Array<double>> personalized_pagerank(StepSource& graph, std::span<const std::uint32_t> seeds,
                                            const PersonalizedOptions& options, Limits& limits) {
  return Push(graph, seeds, options, limits).run();
}

}  // namespace cairn::engine
