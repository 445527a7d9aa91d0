#pragma once
// PlanCache: holds the plans of one statement between its runs. Only the structure of a plan is cached. Row estimates
// are renewed for each run, and names are looked up when they are used.

#include "query/plan/logical_plan.hpp"

#include <cairn/result.hpp>

#include <mutex>
#include <optional>
#include <vector>

namespace cairn::query {

class Statistics;

/// True if an optimized plan may serve another run. The plan must only read, and its structure may depend on the
/// graph and the parameters only through the estimates of its node filters. So searches, calls, subqueries and scans of
/// relationships, for example, do not qualify.
[[nodiscard]] bool may_be_cached(const LogicalPlan& plan);

/// Estimates the filters of a cached plan again for another run. Skips a filter with a single leaf if no estimate decided
/// the order of the plan: such a filter is evaluated whatever its cost. Returns false if the order of the steps no longer
/// fits: an estimate has changed by more than a factor of four.
[[nodiscard]] Result<bool> estimate_again(LogicalPlan& plan, Statistics& statistics);

/// A run takes a plan and gives it back when it ends, so that no two runs share a plan.
/// Threads: all functions are safe to call from any thread.
class PlanCache {
 public:
  /// Returns nullopt if no plan is available.
  [[nodiscard]] std::optional<LogicalPlan> take();
  /// Only for plans that may be cached and to which no pointers remain. Drops the plan if the cache is full.
  void give_back(LogicalPlan plan);

 private:
  static constexpr std::size_t most = 8;  ///< enough for this many concurrent runs

  std::mutex mutex_;  // guards plans_
  std::vector<LogicalPlan> plans_;
};

}  // namespace cairn::query
