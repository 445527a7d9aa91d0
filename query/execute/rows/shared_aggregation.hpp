#pragma once
// SharedAggregation: one run of an aggregation, and of the operators before it, on several threads.

#include "engine/system/worker_pool.hpp"
#include "query/execute/operator_profile.hpp"
#include "query/execute/pipeline/physical_operator.hpp"
#include "query/execute/pipeline/row_feed.hpp"
#include "query/execute/rows/aggregation.hpp"

#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

namespace cairn::query {

struct Operator;

/// The sums of the profiles of all threads.
using OperatorProfiles = std::map<const Operator*, OperatorProfile>;

/// Threads: one at a time; the object itself has others.
class SharedAggregation {
 public:
  /// Reads the rows of `source`. The budget of `context` shares its memory as long as the object lives.
  SharedAggregation(const Aggregate& content, ExecutionContext& context, PhysicalOperator& source);
  ~SharedAggregation();
  SharedAggregation(const SharedAggregation&) = delete;
  SharedAggregation& operator=(const SharedAggregation&) = delete;

  /// Adds all rows to `whole`. Returns false if a thread failed, for any reason that is not the end of the statement: then the
  /// rows must be read again. Errors: cancelled, and resource_limit for the time.
  [[nodiscard]] Result<bool> run(Aggregation& whole);
  /// The profiles of the operators before the aggregation, under PROFILE.
  [[nodiscard]] OperatorProfiles profiles() const;

 private:
  struct Worker;

  void work(bool is_first) noexcept;
  [[nodiscard]] Result<Worker*> make_worker();
  [[nodiscard]] Status aggregate(Worker& worker, bool is_first);
  void stop() noexcept;
  [[nodiscard]] Status join(Aggregation& whole);

  const Aggregate& content_;
  ExecutionContext& context_;
  PhysicalOperator& source_;
  SharedMemory room_;
  RowFeed feed_;
  std::stop_source stop_;
  StatementOptions options_;  // of all threads
  std::atomic<bool> has_failed_ = false;
  std::mutex mutex_;  // guards the list, not the workers
  std::vector<std::unique_ptr<Worker>> workers_;
  engine::Help help_;  // the last member: its threads use the others
};

}  // namespace cairn::query
