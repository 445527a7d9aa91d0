// Estimates the cost of each strategy for one search and takes the cheapest; pure arithmetic on numbers that were
// measured (cost_model.hpp) and the shape of the search.
//
// exact        selected * float
// flat         slots * stream, or selected * gather and slots / 64 * bit_word,    + scan + kept * float
// partitions   what was measured at this share                                  + kept * float
// graph        ef / share * price of one candidate
//
// Guards against wrong prices, as a plan is a guess and the result is not: a walk has a budget,
// past which the scan is done after all; filters whose members lie far from the query are found
// by a sample before strategies that search near it are trusted.
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

constexpr double dear_comparing = 0.1;  // of a scan, that it is worth to choose whom to compare
constexpr double remote = 0.7;        // times the usual share near the query, or less: far from it
constexpr double look_ns = 12'000;    // at the share near the query
constexpr double most_budget = 1e15;  // of a walk that is asked for whatever it costs
constexpr double hnswlib_favour = 1.2;  // its walk may cost so many times the cheapest

double as_number(std::size_t count) { return static_cast<double>(count); }

double share_of(const SearchShape& shape) {
  return as_number(shape.selected) / as_number(shape.slots);
}

std::size_t class_of(const SearchShape& shape) {
  return std::min<std::size_t>(static_cast<std::size_t>(shape.recall), 2);
}

// A filtered walk sees ef / selectivity slots, and so needs a smaller ef for the same recall.
std::size_t choose_ef(const SearchShape& shape, const CostModel& costs) {
  if (shape.ef_search > 0) return std::max(shape.ef_search, shape.wanted);
  const double root = std::sqrt(as_number(shape.slots));
  const GraphPrice& price = costs.graph[class_of(shape)];
  const double unfiltered = price.cost_ns > 0 ? price.ef
                                              : std::clamp(ef_of_root * root, least_ef, most_ef) *
                                                    ef_of_recall[class_of(shape)];
  // It was calibrated for ten hits and without a filter; what else needs is not known.
  return std::max(static_cast<std::size_t>(unfiltered * std::sqrt(share_of(shape))),
                  2 * shape.wanted);
}

// How far the caller's ef goes from the standard class (0) to the high one (1): an ef maps to the recall that a
// graph search with it reaches, for every strategy.
// A number on the line where the standard class is 0 and the high one 1, by the logarithm of ef;
// clamped, since prices were measured at few places.
double ambition_of(const SearchShape& shape, const CostModel& costs) {
  if (shape.ef_search == 0) return as_number(class_of(shape)) - 1;
  const auto &standard = costs.graph[1], &high = costs.graph[2];
  const double from = standard.cost_ns > 0 ? standard.ef : least_ef;
  const double to = std::max(high.cost_ns > 0 ? high.ef : 4 * from, 1.5 * from);
  return std::clamp(std::log(as_number(shape.ef_search) / from) / std::log(to / from), -2.0, 3.0);
}

/// A figure of the standard class and one of the high one, drawn on or out.
double towards(double standard, double high, double ambition) {
  if (standard <= 0 || high <= 0) return high;
  return standard * std::pow(high / standard, ambition);
}

SearchPlan plan_exact(const SearchShape& shape, const CostModel& costs) {
  SearchPlan plan;
  plan.cost_ns = as_number(shape.selected) * costs.float_ns;
  return plan;
}

SearchPlan plan_flat(const SearchShape& shape, const CostModel& costs) {
  SearchPlan plan;
  plan.strategy = SearchStrategy::flat;
  const double each = shape.ef_search == 0
                          ? costs.kept_for(shape.recall)
                          : towards(costs.kept[1], costs.kept[2], ambition_of(shape, costs));
  const double kept = std::min(std::ceil(as_number(shape.wanted) * each), as_number(shape.slots));
  plan.kept = std::max(static_cast<std::size_t>(kept), shape.wanted);
  const double streaming = as_number(shape.slots) * costs.stream_ns;
  const double finding = shape.is_list ? 0 : as_number(shape.slots) / 64 * costs.bit_word_ns;
  const double gathering = as_number(shape.selected) * costs.gather_ns + finding;
  // Filters that let through about half are read in order: skipping costs more than scoring. A list is
  // never read in order.
  plan.is_streamed = !shape.is_list && streaming < gathering;
  plan.sign_reach =
      static_cast<float>(shape.ef_search == 0 ? costs.sign_reach[class_of(shape)]
                                              : towards(costs.sign_reach[1], costs.sign_reach[2],
                                                        ambition_of(shape, costs)));
  const double comparing = as_number(plan.kept) * costs.float_ns;
  plan.cost_ns = costs.scan_ns + (plan.is_streamed ? streaming : gathering) + comparing;
  const double scanning = as_number(shape.selected) * costs.gather_ns;
  if (comparing > dear_comparing * (scanning + comparing))
    plan.sample = shape.wanted + shape.wanted / 3;
  return plan;
}

// Of one hit and of ten the reach was measured; of those between it goes by the logarithm.
double reach_of(const PartitionPrice& price, const SearchShape& shape) {
  const double of_ten = std::log10(as_number(std::max<std::size_t>(shape.hits, 1)));
  return price.reach_of_one + (price.reach - price.reach_of_one) * std::min(of_ten, 1.0);
}

struct PartitionPlan {
  double reach = 0;
  double cost_ns = 0;
};

PartitionPlan price_at(double share, const SearchShape& shape, const CostModel& costs) {
  const auto at = [&](Accuracy recall) {
    const PartitionPrice price = costs.partition_price(recall, share);
    return PartitionPlan{reach_of(price, shape), price.cost_ns};
  };
  if (shape.ef_search == 0) return at(shape.recall);
  const PartitionPlan standard = at(Accuracy::standard), high = at(Accuracy::high);
  const double ambition = ambition_of(shape, costs);
  // Where no reach keeps the high class, all is read for it, and efforts below go by the standard one.
  const bool is_reached = high.reach < ProbeBounds::everything / 2;
  if (!is_reached && ambition >= 1) return high;
  const double step = is_reached ? high.reach - standard.reach : 1;
  const double reach = std::max(standard.reach + step * ambition, 0.0);
  return {reach, towards(standard.cost_ns, high.cost_ns, ambition)};
}

// Where what is selected lies near the query, it is as if more were selected.
PartitionPlan price_partitions(const SearchShape& shape, const CostModel& costs) {
  const double share = share_of(shape);
  return price_at(std::clamp(shape.near_share.value_or(share), share, 1.0), shape, costs);
}

SearchPlan plan_partitions(const SearchShape& shape, const CostModel& costs,
                           const SearchPlan& flat) {
  SearchPlan plan;
  plan.strategy = SearchStrategy::partitions;
  plan.kept = flat.kept;
  plan.sign_reach = flat.sign_reach;
  const PartitionPlan price = price_partitions(shape, costs);
  plan.reach = price.reach;
  plan.cost_ns = price.cost_ns + as_number(plan.kept) * costs.float_ns;
  return plan;
}

double walk_cost_ns(const SearchShape& shape, const CostModel& costs, std::size_t ef) {
  const double seen = as_number(ef) / share_of(shape);
  const GraphPrice& price = costs.graph[class_of(shape)];
  if (price.cost_ns > 0) return seen * price.cost_ns / price.ef;
  return seen * scans_per_link * as_number(shape.m) * costs.float_ns;
}

SearchPlan plan_graph(const SearchShape& shape, const CostModel& costs, const SearchPlan& scan) {
  SearchPlan plan;
  plan.strategy = SearchStrategy::graph;
  plan.kept = scan.kept;
  plan.is_streamed = scan.is_streamed;
  plan.sign_reach = scan.sign_reach;
  plan.ef = choose_ef(shape, costs);
  plan.cost_ns = walk_cost_ns(shape, costs, plan.ef);
  // In comparisons: the walk may cost as much as the scan it competes with, or as its own price if
  // that is more.
  plan.budget = static_cast<std::size_t>(
                    std::min(std::max(scan.cost_ns, plan.cost_ns) / costs.float_ns, most_budget)) +
                1;
  return plan;
}

// Both walks find the same. hnswlib's is taken wherever it is about as cheap as the cheapest way, and
// our own where it is the cheapest.
SearchPlan choose_walk(const SearchShape& shape, const CostModel& costs, const SearchPlan& scan) {
  const SearchPlan own = plan_graph(shape, costs, scan);
  SearchPlan hnswlib = own;
  hnswlib.graph_searcher = GraphSearcher::hnswlib;
  hnswlib.cost_ns *= costs.hnswlib_times;
  const bool is_asked = shape.strategy == SearchStrategy::graph;
  const double cheapest = is_asked ? own.cost_ns : std::min(own.cost_ns, scan.cost_ns);
  if (hnswlib.cost_ns <= hnswlib_favour * cheapest) return hnswlib;
  return is_asked || own.cost_ns <= scan.cost_ns ? own : scan;
}

// A walk stays near the query until it has found enough, and partitions are given up by rules that
// were measured where filters have nothing to do with queries: neither finds what lies far.
bool is_remote(const SearchShape& shape) {
  return shape.near_share && lies_far(*shape.near_share, share_of(shape)) && !shape.strategy;
}

}  // namespace

SearchPlan plan_search(const SearchShape& shape, const CostModel& costs) {
  SearchPlan scan = plan_exact(shape, costs);
  // All are hits: nothing to choose.
  if (shape.selected <= shape.wanted || shape.strategy == SearchStrategy::exact) return scan;
  if (shape.has_codes) {
    const SearchPlan flat = plan_flat(shape, costs);
    scan.kept = flat.kept;
    scan.is_streamed = flat.is_streamed;
    scan.sign_reach = flat.sign_reach;
    if (shape.strategy == SearchStrategy::flat) return flat;
    if (flat.cost_ns < scan.cost_ns) scan = flat;
    if (shape.has_partitions && !is_remote(shape)) {
      const SearchPlan partitions = plan_partitions(shape, costs, flat);
      if (shape.strategy == SearchStrategy::partitions) return partitions;
      if (partitions.cost_ns < scan.cost_ns) scan = partitions;
    }
  }
  if (is_remote(shape)) return scan;
  return choose_walk(shape, costs, scan);
}

bool lies_far(double near_share, double share) noexcept { return near_share < remote * share; }

bool costs_several_looks(const SearchPlan& plan) noexcept {
  constexpr double times = 4;
  return plan.cost_ns > times * look_ns;
}

bool is_worth_a_look(const SearchShape& shape, const SearchPlan& plan) {
  if (!shape.has_partitions || shape.strategy || shape.selected >= shape.slots) return false;
  const bool is_trusting =
      plan.strategy == SearchStrategy::partitions || plan.strategy == SearchStrategy::graph;
  return is_trusting || costs_several_looks(plan);
}

}  // namespace cairn::engine
