#pragma once
// Which way a search of a segment goes, by what each way would cost: the numbers are known before,
// the prices were measured when the segment was sealed.

#include "engine/vector/cost_model.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace cairn::engine {

/// What is known before a search.
struct SearchShape {
  std::size_t slots = 0;      ///< of the segment
  std::size_t selected = 0;   ///< of them, may be returned
  std::size_t wanted = 0;     ///< hits
  std::size_t ef_search = 0;  ///< asked for by the caller, or 0
  std::size_t m = 16;
  Accuracy recall = Accuracy::standard;
  bool has_codes = false;
  bool has_partitions = false;
  bool is_list = false;  ///< what is selected is known one by one, and need not be found among bits
  std::optional<SearchStrategy> strategy = std::nullopt;  ///< asked for
  /// Of the vectors near the query, the share that is selected; nothing: not looked at.
  std::optional<double> near_share = std::nullopt;
  std::size_t hits = 10;  ///< of those wanted, so many are a caller's and none a spare one
};

struct SearchPlan {
  SearchStrategy strategy = SearchStrategy::exact;
  std::size_t kept =
      0;  ///< flat, and where the walk is given up: codes to compare in full precision
  std::size_t sample =
      0;  ///< flat: of them, that are compared before the others are chosen; 0: all
  bool is_streamed = false;  ///< flat: all codes in order
  float sign_reach = 0;      ///< flat and partitions: what is allowed for errors of 1-bit codes
  double reach = ProbeBounds::everything;             ///< partitions: as of ProbeBounds
  std::size_t ef = 0;                                 ///< graph: candidates held
  GraphSearcher graph_searcher = GraphSearcher::own;  ///< graph: who walks
  std::size_t budget =
      0;               ///< graph: slots that may be asked for; past it a scan is the cheaper way
  double cost_ns = 0;  ///< of this way, as expected
};

/// The cheapest way; but hnswlib's own walk wherever it is within a fifth of that. Never a walk where
/// all or nearly all that is selected is wanted.
[[nodiscard]] SearchPlan plan_search(const SearchShape& shape, const CostModel& costs);

/// Whether what is selected lies far from the query, by the shares near it and everywhere.
[[nodiscard]] bool lies_far(double near_share, double share) noexcept;

/// Whether to look at the share near the query costs little beside the plan.
[[nodiscard]] bool costs_several_looks(const SearchPlan& plan) noexcept;
/// Whether to look at `near_share` and plan again: where the plan relies on what is selected not lying
/// far from the query, and where it costs several times the look.
[[nodiscard]] bool is_worth_a_look(const SearchShape& shape, const SearchPlan& plan);

}  // namespace cairn::engine
