// Estimates the cost of each strategy for one search and takes the cheapest. This is arithmetic on
// measured costs (cost_model.hpp) and the shape of the search:
//
// exact        selected * float
// flat         slots * stream, or selected * gather and slots / 64 * bit_word,    + scan + depth * float
// partitions   the cost measured at this share                                  + depth * float
// graph        ef / share * cost of one candidate
//
// Wrong estimates cost time but must not cost hits. So a graph search has a budget, beyond which a
// scan replaces it. And filters whose members are far from the query are detected by a sample,
// because strategies that search near the query would miss these members. Few selected vectors are
// always compared exactly.
#include "engine/vector/search_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn::engine {
namespace {

// Estimated ef without measurements, as a multiple of sqrt(slots), for recall .95 at 10 hits
// without a filter. Word vectors of 100 dimensions need 60, 115 and 230 for 20,000, 100,000 and
// 340,000 slots. Other embeddings need less.
constexpr double ef_of_root = 0.5;
constexpr double least_ef = 100;
constexpr double most_ef = 500;
// Factors for fast, standard and high: .99 takes about four times the candidates of .95.
constexpr std::array<double, 3> ef_of_recall = {0.6, 1, 4};

// Estimated cost of one candidate for each link of a slot, in full comparisons. Its links are at
// random addresses and pass through two heaps. Measured: 25 to 65 comparisons with 16 links, less
// for narrow filters.
constexpr double scans_per_link = 2.25;

// If full comparisons take more than this share of a scan, a sample chooses what to compare.
constexpr double dear_comparing = 0.1;
// A filter is far from the query if it selects less than this fraction of its usual share there.
constexpr double remote = 0.7;
// Cost of sampling the share near the query.
constexpr double look_ns = 12'000;
// At most so many selected vectors are all compared in full: so a tenant that has few finds the same
// hits whatever vectors others have in the segment.
constexpr std::size_t few_vectors = 200;
// Upper bound for the budget of a graph search, so that it fits an integer.
constexpr double most_budget = 1e15;
// hnswlib's search is taken if it costs at most this many times the cheapest plan.
constexpr double hnswlib_favour = 1.2;

double as_number(std::size_t count) { return static_cast<double>(count); }

double share_of(const SearchShape& shape) {
  return as_number(shape.selected) / as_number(shape.slots);
}

std::size_t class_of(const SearchShape& shape) {
  return std::min<std::size_t>(static_cast<std::size_t>(shape.recall), 2);
}

// A filtered search passes through ef / share slots, and so needs a smaller ef for the same recall.
std::size_t choose_ef(const SearchShape& shape, const CostModel& costs) {
  if (shape.ef_search > 0) return std::max(shape.ef_search, shape.wanted);
  const double root = std::sqrt(as_number(shape.slots));
  const GraphPrice& price = costs.graph[class_of(shape)];
  const double unfiltered = price.cost_ns > 0 ? price.ef
                                              : std::clamp(ef_of_root * root, least_ef, most_ef) *
                                                    ef_of_recall[class_of(shape)];
  // The measured ef holds for ten hits without a filter. What other searches need is not known.
  return std::max(static_cast<std::size_t>(unfiltered * std::sqrt(share_of(shape))),
                  2 * shape.wanted);
}

// Converts the caller's ef into an effort on a logarithmic scale, where 0 is the standard class and 1 the high class.
// So every strategy aims at the recall that a graph search with this ef reaches. Clamped, because costs are measured at
// a few efforts only. Without a caller's ef: the accuracy class on the same scale.
double ambition_of(const SearchShape& shape, const CostModel& costs) {
  if (shape.ef_search == 0) return as_number(class_of(shape)) - 1;
  const auto &standard = costs.graph[1], &high = costs.graph[2];
  const double from = standard.cost_ns > 0 ? standard.ef : least_ef;
  const double to = std::max(high.cost_ns > 0 ? high.ef : 4 * from, 1.5 * from);
  return std::clamp(std::log(as_number(shape.ef_search) / from) / std::log(to / from), -2.0, 3.0);
}

/// Interpolates or extrapolates geometrically between the figures of the standard and the high
/// class.
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
  const double each =
      shape.ef_search == 0
          ? costs.rerank_per_hit_of(shape.recall)
          : towards(costs.rerank_per_hit[1], costs.rerank_per_hit[2], ambition_of(shape, costs));
  const double depth = std::min(std::ceil(as_number(shape.wanted) * each), as_number(shape.slots));
  plan.rerank_depth = std::max(static_cast<std::size_t>(depth), shape.wanted);
  const double streaming = as_number(shape.slots) * costs.stream_ns;
  const double finding = shape.is_list ? 0 : as_number(shape.slots) / 64 * costs.bit_word_ns;
  const double gathering = as_number(shape.selected) * costs.gather_ns + finding;
  // If a filter selects about half, reading all codes in order is cheaper than skipping. A list is
  // never read in order.
  plan.is_streamed = !shape.is_list && streaming < gathering;
  plan.sign_reach =
      static_cast<float>(shape.ef_search == 0 ? costs.sign_reach[class_of(shape)]
                                              : towards(costs.sign_reach[1], costs.sign_reach[2],
                                                        ambition_of(shape, costs)));
  const double comparing = as_number(plan.rerank_depth) * costs.float_ns;
  plan.cost_ns = costs.scan_ns + (plan.is_streamed ? streaming : gathering) + comparing;
  const double scanning = as_number(shape.selected) * costs.gather_ns;
  if (comparing > dear_comparing * (scanning + comparing))
    plan.sample = shape.wanted + shape.wanted / 3;
  return plan;
}

// The reach is measured for one hit and for ten. In between it is interpolated by the logarithm.
double reach_of(const PartitionPrice& price, const SearchShape& shape) {
  const double of_ten = std::log10(as_number(std::max<std::size_t>(shape.hits, 1)));
  return price.reach_of_one + (price.reach - price.reach_of_one) * std::min(of_ten, 1.0);
}

struct PartitionPlan {
  double reach = 0;
  double cost_ns = 0;
};

// The reach and cost of partitions if a filter selects `share`.
PartitionPlan price_at(double share, const SearchShape& shape, const CostModel& costs) {
  const auto at = [&](Accuracy recall) {
    const PartitionPrice price = costs.partition_price(recall, share);
    return PartitionPlan{reach_of(price, shape), price.cost_ns};
  };
  if (shape.ef_search == 0) return at(shape.recall);
  const PartitionPlan standard = at(Accuracy::standard), high = at(Accuracy::high);
  const double ambition = ambition_of(shape, costs);
  // If no reach suffices for the high class, it reads everything; smaller efforts start from the
  // standard class.
  const bool is_reached = high.reach < ProbeBounds::everything / 2;
  if (!is_reached && ambition >= 1) return high;
  const double step = is_reached ? high.reach - standard.reach : 1;
  const double reach = std::max(standard.reach + step * ambition, 0.0);
  return {reach, towards(standard.cost_ns, high.cost_ns, ambition)};
}

// If the filter selects more near the query than elsewhere, the costs of a less selective filter
// apply.
PartitionPlan price_partitions(const SearchShape& shape, const CostModel& costs) {
  const double share = share_of(shape);
  return price_at(std::clamp(shape.near_share.value_or(share), share, 1.0), shape, costs);
}

SearchPlan plan_partitions(const SearchShape& shape, const CostModel& costs,
                           const SearchPlan& flat) {
  SearchPlan plan;
  plan.strategy = SearchStrategy::partitions;
  plan.rerank_depth = flat.rerank_depth;
  plan.sign_reach = flat.sign_reach;
  const PartitionPlan price = price_partitions(shape, costs);
  plan.reach = price.reach;
  plan.cost_ns = price.cost_ns + as_number(plan.rerank_depth) * costs.float_ns;
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
  plan.rerank_depth = scan.rerank_depth;
  plan.is_streamed = scan.is_streamed;
  plan.sign_reach = scan.sign_reach;
  plan.ef = choose_ef(shape, costs);
  plan.cost_ns = walk_cost_ns(shape, costs, plan.ef);
  // The budget is counted in full comparisons: as many as the competing scan costs, or as this
  // search itself is expected to cost, if that is more.
  plan.budget = static_cast<std::size_t>(
                    std::min(std::max(scan.cost_ns, plan.cost_ns) / costs.float_ns, most_budget)) +
                1;
  return plan;
}

// Both graph searches return the same hits. Takes hnswlib's search if it costs at most `hnswlib_favour` times the
// cheapest plan, else the cheaper one of our search and the scan. If the caller asked for a graph, the scan is not
// considered.
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

// Graph searches stop near the query once they have enough, and the bounds of partitions were
// measured with filters that are independent of the query. Neither finds members that are far from
// the query.
bool is_remote(const SearchShape& shape) {
  return shape.near_share && lies_far(*shape.near_share, share_of(shape)) && !shape.strategy;
}

}  // namespace

SearchPlan plan_search(const SearchShape& shape, const CostModel& costs) {
  SearchPlan scan = plan_exact(shape, costs);
  // If no more vectors are selected than wanted, all of them are hits.
  const bool is_few = shape.selected <= few_vectors && !shape.strategy;
  if (shape.selected <= shape.wanted || is_few || shape.strategy == SearchStrategy::exact)
    return scan;
  if (shape.has_codes) {
    const SearchPlan flat = plan_flat(shape, costs);
    scan.rerank_depth = flat.rerank_depth;
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

// Vectors come in any order, so the first `wanted` are compared in full, and of those that follow
// the i-th one with a chance of about wanted / i: in all wanted * (1 + ln(selected / wanted)), and
// about as many again because bounds are not distances. Codes are read for the others.
bool pays_to_bound(std::size_t selected, std::size_t wanted, bool is_cut) noexcept {
  if (selected <= few_vectors) return false;
  if (is_cut) return true;
  if (wanted >= selected) return false;
  const double of = as_number(std::max<std::size_t>(wanted, 1));
  constexpr double times = 2, most_compared = 0.5;
  return times * of * (1 + std::log(as_number(selected) / of)) <
         most_compared * as_number(selected);
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
