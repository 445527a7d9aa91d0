#pragma once
// SharedRun: runs operators of a plan on several threads, which gather their rows. SharedInput: the input of an
// operator, read by a SharedRun or by one thread.

#include "engine/system/worker_pool.hpp"
#include "query/execute/operator_profile.hpp"
#include "query/execute/pipeline/physical_operator.hpp"
#include "query/execute/pipeline/row_feed.hpp"
#include "query/plan/operator_content.hpp"

#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <vector>

namespace cairn::query {

/// The partial result of one thread.
class ThreadPart {
 public:
  ThreadPart() = default;
  virtual ~ThreadPart() = default;
  ThreadPart(const ThreadPart&) = delete;
  ThreadPart& operator=(const ThreadPart&) = delete;

  /// Adds rows of a morsel. Morsels are numbered in the order of the rows, and their numbers ascend from call to call.
  [[nodiscard]] virtual Status add(RowBatch& rows, std::uint64_t morsel) = 0;
  /// Called after the last rows.
  [[nodiscard]] virtual Status finish() { return {}; }
};

/// How threads make partial results, and how the results are merged. Each thread calls `make` with its own context.
/// `join` is called once, with the parts of all threads, after all threads have finished. The memory of the parts is
/// released when `join` returns.
struct Gathering {
  std::function<std::unique_ptr<ThreadPart>(ExecutionContext&)> make;
  std::function<Status(std::span<ThreadPart* const>)> join;
};

/// Profiles by operator, summed over all threads.
using OperatorProfiles = std::map<const Operator*, OperatorProfile>;

/// One run of shared operators. Threads: one caller at a time; run() uses threads of the worker pool.
class SharedRun {
 public:
  /// Reads the rows of `source`. As long as the object lives, all threads share the memory of `context`'s budget.
  SharedRun(const SharedPart& shared, ExecutionContext& context, PhysicalOperator& source,
            const Gathering& gathering);
  ~SharedRun();
  SharedRun(const SharedRun&) = delete;
  SharedRun& operator=(const SharedRun&) = delete;

  /// Gathers all rows and merges the parts. Returns false if a thread failed. Then one thread must read the rows again,
  /// for the result or the error. Errors: only those that end the statement, cancelled and resource_limit for the time.
  [[nodiscard]] Result<bool> run();
  /// The profiles of the shared operators, under PROFILE.
  [[nodiscard]] OperatorProfiles profiles() const;

 private:
  struct Worker;

  void work(bool is_first) noexcept;
  [[nodiscard]] Result<Worker*> make_worker();
  [[nodiscard]] Status gather(Worker& worker, bool is_first);
  void stop() noexcept;
  [[nodiscard]] Status join();
  void join_warnings();

  const SharedPart& shared_;
  ExecutionContext& context_;
  PhysicalOperator& source_;
  const Gathering& gathering_;
  SharedMemory shared_memory_;
  RowFeed feed_;
  std::stop_source stop_;
  StatementOptions options_;  // of all threads
  std::atomic<bool> has_failed_ = false;
  std::mutex mutex_;  // guards the list, not the workers
  std::vector<std::unique_ptr<Worker>> workers_;
  engine::Help help_;  // the last member, because its threads use all others
};

/// Threads: one at a time.
class SharedInput {
 public:
  /// All arguments must outlive the object.
  SharedInput(const SharedPart& shared, ExecutionContext& context, PhysicalOperator& source)
      : shared_(shared), context_(context), source_(source) {}

  void restart();
  /// Lets several threads gather the rows. Returns false if the caller must read rows() itself, from the first one on: there
  /// are no other threads, or one of them failed.
  /// Errors: those of SharedRun::run().
  [[nodiscard]] Result<bool> gather(const Gathering& gathering);
  /// The remark of PROFILE if one thread read the rows again after a failure on several threads. Empty otherwise.
  [[nodiscard]] const char* remark() const {
    return chain_ != nullptr ? "again on one thread" : "";
  }
  /// The width of the rows.
  [[nodiscard]] std::uint32_t width() const;
  [[nodiscard]] PhysicalOperator& rows() { return chain_ != nullptr ? *chain_ : source_; }

 private:
  void make_chain();

  const SharedPart& shared_;
  ExecutionContext& context_;
  PhysicalOperator& source_;
  // The shared operators for one thread; nullptr: they have run on several threads, or there are none.
  OperatorPtr chain_;
  OperatorProfiles profiles_;  // of the shared operators
};

}  // namespace cairn::query
