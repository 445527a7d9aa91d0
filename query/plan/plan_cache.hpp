#pragma once
// PlanCache: the plans of one statement between its runs. Only the form of a plan is cached: what it expects
// of the graph is estimated again for each run, and names are looked up where they are used.

#include "query/plan/logical_plan.hpp"

#include <cairn/result.hpp>

#include <mutex>
#include <optional>
#include <vector>

namespace cairn::query {

class Statistics;

/// Whether an optimized plan may serve another run: it reads, and the graph and the parameters had a say in its form by
/// what its filters of nodes were expected to find, or not at all. Plans that name indexes or scan relationships do not.
[[nodiscard]] bool may_be_cached(const LogicalPlan& plan);

/// Estimate the filters of such a plan for another run, as far as anything depends on it: a filter of one leaf is
/// evaluated whatever it costs. False where steps were put in order by figures that are not those of this run: one of
/// them is more than four times another one.
[[nodiscard]] Result<bool> estimate_again(LogicalPlan& plan, Statistics& statistics);

/// A run takes a plan and gives it back when it has ended, so that no two runs share one.
/// Threads: all calls from any.
class PlanCache {
 public:
  /// Nothing where all are taken.
  [[nodiscard]] std::optional<LogicalPlan> take();
  /// For plans of a fixed form that nothing points into any more.
  void give_back(LogicalPlan plan);

 private:
  static constexpr std::size_t most = 8;  ///< as many runs at once find one

  std::mutex mutex_;  // guards plans_
  std::vector<LogicalPlan> plans_;
};

}  // namespace cairn::query
