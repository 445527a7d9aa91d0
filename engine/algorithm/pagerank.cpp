#include "engine/algorithm/centrality.hpp"

#include <cmath>
#include <utility>

namespace cairn::engine {
namespace {

/// The weights of what leaves each node, 1 divided by their sum; 0 for a node without a way out.
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

/// What comes in at a node, given what each sends along a weight of 1.
double gathered(const Adjacency::List& list, const Array<double>& sent) {
  double sum = 0;
  if (list.weights.empty())
    for (const std::uint32_t source : list.neighbours) sum += sent[source];
  else
    for (std::size_t i = 0; i < list.size(); ++i) sum += sent[list.neighbours[i]] * list.weights[i];
  return sum;
}

}  // namespace

// Ranks are pulled, so that each is a sum in the order of its list.
Result<Array<double>> pagerank(const Adjacency& incoming, const PagerankOptions& options,
                               Limits& limits) {
  const std::size_t nodes = incoming.nodes();
  const auto count = static_cast<double>(nodes);
  CAIRN_ASSIGN(auto ranks, Array<double>::of(limits, nodes, 1 / count));
  CAIRN_ASSIGN(auto sent, Array<double>::of(limits, nodes));
  CAIRN_ASSIGN(const auto inverse, inverse_weights(incoming, limits));
  Pace pace(&limits);
  for (std::size_t round = 0; round < options.iterations && nodes > 0; ++round) {
    double stuck = 0;
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

/// Ranks, and what nodes have yet to pass on.
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
  static constexpr std::size_t least_dropped = 4'096;

  Status make_room() {
    CAIRN_TRY(ranks_.grow(graph_.size()));
    CAIRN_TRY(rest_.grow(graph_.size()));
    return is_waiting_.grow(graph_.size());
  }

  /// The queue's beginning goes, so that its memory is that of what waits. The first that stays is done, too.
  void drop_done(std::size_t done) {
    std::move(waiting_.begin() + static_cast<std::ptrdiff_t>(done), waiting_.end(),
              waiting_.begin());
    waiting_.truncate(waiting_.size() - done);
  }

  Status give(std::uint32_t node, double amount) {
    rest_[node] += amount;
    if (is_waiting_[node] != 0) return {};
    is_waiting_[node] = 1;
    return waiting_.push_back(node);
  }

  Status begin_again(double amount) {
    for (const std::uint32_t seed : seeds_)
      CAIRN_TRY(give(seed, amount / static_cast<double>(seeds_.size())));
    return {};
  }

  Status pass_on(std::uint32_t node) {
    is_waiting_[node] = 0;
    if (rest_[node] <= options_.tolerance) return {};  // whatever its steps are
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
  Array<double> ranks_;
  Array<double> rest_;
  Array<std::uint8_t> is_waiting_;
  Array<std::uint32_t> waiting_;
  Pace pace_;
};

}  // namespace

Result<Array<double>> personalized_pagerank(StepSource& graph, std::span<const std::uint32_t> seeds,
                                            const PersonalizedOptions& options, Limits& limits) {
  return Push(graph, seeds, options, limits).run();
}

}  // namespace cairn::engine
