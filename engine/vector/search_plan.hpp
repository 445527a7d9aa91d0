#pragma once
// The query planner of one segment: chooses the cheapest strategy by the measured costs
// (cost_model.hpp) and by what is known before a search.

#include "engine/vector/cost_model.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace cairn::engine {

/// What is known before a search.
struct SearchShape {
  std::size_t slots = 0;      ///< slots of the segment
  std::size_t selected = 0;   ///< vectors that the filter selects
  std::size_t wanted = 0;     ///< candidates: hits, and spare ones for rounding
  std::size_t ef_search = 0;  ///< set by the caller; 0 if not
  /// Links of a slot of the graph (HNSW's M).
  std::size_t m = 16;
  /// Accuracy class, if ef_search is 0.
  Accuracy recall = Accuracy::standard;
  bool has_codes = false;
  bool has_partitions = false;
  /// True if the filter is a list of ranks, so that no bitmap has to be read.
  bool is_list = false;
  std::optional<SearchStrategy> strategy = std::nullopt;  ///< requested by the caller
  /// Share of the vectors near the query that the filter selects; nullopt if it was not sampled.
  std::optional<double> near_share = std::nullopt;
  std::size_t hits = 10;  ///< hits that the caller wants, without the spare ones
};

/// True if bounds by codes should exclude vectors from an exact scan (exact_scan.hpp). `is_cut` says
/// that only vectors within a distance are hits.
[[nodiscard]] bool pays_to_bound(std::size_t selected, std::size_t wanted, bool is_cut) noexcept;

/// How to search. The comment of a member begins with the strategies that use the member. "The
/// graph's fallback" is the flat or exact scan that replaces an abandoned graph search.
struct SearchPlan {
  SearchStrategy strategy = SearchStrategy::exact;
  bool is_bounded = false;  ///< exact: codes exclude vectors, without missing a hit
  /// Flat, and the graph's fallback: codes to rescore by full vectors.
  std::size_t rerank_depth = 0;
  /// Flat: candidates to rescore first, whose errors decide which of the others are rescored; 0
  /// rescores all.
  std::size_t sample = 0;
  bool is_streamed = false;                ///< flat: reads all codes in order
  float sign_reach = 0;                    ///< flat, partitions: error allowed for 1-bit codes
  double reach = ProbeBounds::everything;  ///< partitions: see ProbeBounds
  std::size_t ef = 0;                      ///< graph: candidates to hold
  GraphSearcher graph_searcher = GraphSearcher::own;  ///< graph: whose search code runs
  /// Graph: slots that may be tested against the filter. Beyond it a scan is cheaper, and the
  /// search is abandoned.
  std::size_t budget = 0;
  double cost_ns = 0;  ///< expected cost of this plan
};

/// Returns the cheapest plan, but prefers hnswlib's graph search if it costs at most 1.2 times as
/// much. Plans no graph search if nearly all selected vectors are wanted. Unless the caller asked
/// for a strategy, at most 200 selected vectors are compared exactly, whatever that costs.
[[nodiscard]] SearchPlan plan_search(const SearchShape& shape, const CostModel& costs);

/// True if the vectors that a filter selects are far from the query: the selected share near the
/// query is much smaller than the overall share.
[[nodiscard]] bool lies_far(double near_share, double share) noexcept;

/// True if sampling `near_share` is cheap compared with the plan.
[[nodiscard]] bool costs_several_looks(const SearchPlan& plan) noexcept;
/// True if it pays to sample `near_share` and plan again: if the plan assumes that selected vectors
/// are near the query, or costs several times the sample.
[[nodiscard]] bool is_worth_a_look(const SearchShape& shape, const SearchPlan& plan);

}  // namespace cairn::engine
