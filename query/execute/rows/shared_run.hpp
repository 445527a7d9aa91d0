#pragma once
// SharedRun: one run of operators whose rows several threads gather. SharedInput: the input of an operator that may have one.

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

/// What one thread makes of the rows that it takes.
class ThreadPart {
 public:
  ThreadPart() = default;
  virtual ~ThreadPart() = default;
  ThreadPart(const ThreadPart&) = delete;
  ThreadPart& operator=(const ThreadPart&) = delete;

  /// Adds rows of a morsel. The numbers of morsels ascend, and say which rows come first.
  [[nodiscard]] virtual Status add(RowBatch& rows, std::uint64_t morsel) = 0;
  /// Ends the part, after its last rows.
  [[nodiscard]] virtual Status finish() { return {}; }
};

/// How the rows become a result. `make` is called by the thread that will add the rows, with a context of its own. `join` is
/// called at the end with the parts of all threads; their memory is released when it returns.
struct Gathering {
  std::function<std::unique_ptr<ThreadPart>(ExecutionContext&)> make;
  std::function<Status(std::span<ThreadPart* const>)> join;
};

/// The sums of the profiles of all threads.
using OperatorProfiles = std::map<const Operator*, OperatorProfile>;

/// Threads: one at a time; the object itself has others.
class SharedRun {
 public:
  /// Reads the rows of `source`. The budget of `context` shares its memory as long as the object lives.
  SharedRun(const SharedPart& shared, ExecutionContext& context, PhysicalOperator& source,
            const Gathering& gathering);
  ~SharedRun();
  SharedRun(const SharedRun&) = delete;
  SharedRun& operator=(const SharedRun&) = delete;

  /// Gathers all rows. Returns false if a thread failed, for any reason that is not the end of the statement: then the rows
  /// must be read again. Errors: cancelled, and resource_limit for the time.
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
  SharedMemory room_;
  RowFeed feed_;
  std::stop_source stop_;
  StatementOptions options_;  // of all threads
  std::atomic<bool> has_failed_ = false;
  std::mutex mutex_;  // guards the list, not the workers
  std::vector<std::unique_ptr<Worker>> workers_;
  engine::Help help_;  // the last member: its threads use the others
};

/// Threads: one at a time.
class SharedInput {
 public:
  /// All arguments must outlive the object.
  SharedInput(const SharedPart& shared, ExecutionContext& context, PhysicalOperator& source)
      : shared_(shared), context_(context), source_(source) {}

  void restart();
  /// Lets several threads gather the rows. Returns false if this thread must read rows() instead, from the first one: there are
  /// no threads, or one has failed, so that this thread gives its result or its error.
  /// Errors: those of SharedRun::run().
  [[nodiscard]] Result<bool> gather(const Gathering& gathering);
  /// What PROFILE says of an operator whose rows one thread read after others had failed; else empty.
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
