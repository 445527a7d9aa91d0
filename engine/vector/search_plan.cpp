#include "engine/vector/search_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn::engine {
namespace {

// ef for recall 0.95 of 10 without a filter: on word vectors of 100 dimensions 60, 115 and 230 are
// needed for 20,000, 100,000 and 340,000 of them. Other embeddings need less.
constexpr double ef_of_root = 0.5;
constexpr double least_ef = 100;
constexpr double most_ef = 500;
// Times this for fast, standard and high: .99 takes about four times the candidates of .95.
constexpr std::array<double, 3> ef_of_recall = {0.6, 1, 4};

// What one candidate of a walk costs, in vectors compared by a scan, for each link of a slot: its
// links lie anywhere in memory and pass through two heaps. Measured: 25 to 65 with 16 links, less
// for narrow filters.
constexpr double scans_per_link = 2.25;

constexpr double prepare_ns = 500;    // the weights of a query
constexpr double bit_word_ns = 1.5;   // finding the bits of 64 ranks
constexpr double graph_favour = 1.2;  // the walk may cost so many times the cheapest

double as_number(std::size_t count) { return static_cast<double>(count); }

// A filtered walk sees ef / selectivity slots, and so needs a smaller ef for the same recall.
std::size_t choose_ef(const SearchShape& shape) {
  if (shape.ef_search > 0) return std::max(shape.ef_search, shape.wanted);
  const double root = std::sqrt(as_number(shape.slots));
  const double unfiltered = std::clamp(ef_of_root * root, least_ef, most_ef);
  const double share = as_number(shape.selected) / as_number(shape.slots);
  const auto recall = std::min<std::size_t>(static_cast<std::size_t>(shape.recall), 2);
  return std::max(static_cast<std::size_t>(unfiltered * std::sqrt(share) * ef_of_recall[recall]),
                  2 * shape.wanted);
}

SearchPlan plan_exact(const SearchShape& shape, const Calibration& costs) {
  SearchPlan plan;
  plan.cost_ns = as_number(shape.selected) * costs.float_ns;
  return plan;
}

SearchPlan plan_flat(const SearchShape& shape, const Calibration& costs) {
  SearchPlan plan;
  plan.way = SearchWay::flat;
  const auto kept =
      static_cast<std::size_t>(std::ceil(as_number(shape.wanted) * costs.kept_for(shape.recall)));
  plan.kept = std::max({kept, shape.ef_search, shape.wanted});
  const double streaming = as_number(shape.slots) * costs.stream_ns;
  const double gathering =
      as_number(shape.selected) * costs.gather_ns + as_number(shape.slots) / 64 * bit_word_ns;
  plan.cost_ns =
      prepare_ns + std::min(streaming, gathering) + as_number(plan.kept) * costs.float_ns;
  return plan;
}

// The caller's ef asks for more or less than the standard class does with a hundred.
SearchPlan plan_partitions(const SearchShape& shape, const Calibration& costs,
                           const SearchPlan& flat) {
  SearchPlan plan;
  plan.way = SearchWay::partitions;
  plan.kept = flat.kept;
  const double share = as_number(shape.selected) / as_number(shape.slots);
  const PartitionPrice price = costs.partition_price(shape.recall, share);
  const double effort = shape.ef_search > 0 ? as_number(shape.ef_search) / least_ef : 1;
  plan.missed = price.missed / effort;
  plan.cost_ns =
      prepare_ns + price.cost_ns * std::max(effort, 1.0) + as_number(plan.kept) * costs.float_ns;
  return plan;
}

SearchPlan plan_graph(const SearchShape& shape, const Calibration& costs, const SearchPlan& scan) {
  SearchPlan plan;
  plan.way = SearchWay::graph;
  plan.kept = scan.kept;
  plan.ef = choose_ef(shape);
  const double seen = as_number(plan.ef) * as_number(shape.slots) / as_number(shape.selected);
  plan.cost_ns = seen * scans_per_link * as_number(shape.m) * costs.float_ns;
  plan.budget = static_cast<std::size_t>(std::max(scan.cost_ns, plan.cost_ns) / costs.float_ns) + 1;
  return plan;
}

}  // namespace

SearchPlan plan_search(const SearchShape& shape, const Calibration& costs) {
  SearchPlan scan = plan_exact(shape, costs);
  if (shape.selected <= shape.wanted || shape.way == SearchWay::exact) return scan;
  if (shape.has_codes) {
    const SearchPlan flat = plan_flat(shape, costs);
    scan.kept = flat.kept;
    if (shape.way == SearchWay::flat) return flat;
    if (flat.cost_ns < scan.cost_ns) scan = flat;
    if (shape.has_partitions) {
      const SearchPlan partitions = plan_partitions(shape, costs, flat);
      if (shape.way == SearchWay::partitions) return partitions;
      if (partitions.cost_ns < scan.cost_ns) scan = partitions;
    }
  }
  const SearchPlan graph = plan_graph(shape, costs, scan);
  const bool is_walk =
      graph.cost_ns <= graph_favour * scan.cost_ns || shape.way == SearchWay::graph;
  return is_walk ? graph : scan;
}

}  // namespace cairn::engine
