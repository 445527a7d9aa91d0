#pragma once
// RowFeed: hands the rows of an operator out to several threads, a morsel at a time. MorselOperator: the first operator of
// the copy of a pipeline that one thread runs; its rows are a morsel. SharedRun: runs operators of a plan on several
// threads, which gather their rows. SharedInput: the input of an operator, read by a SharedRun or by one thread.

#include "engine/system/worker_pool.hpp"
#include "query/execute/operator_profile.hpp"
#include "query/execute/pipeline/physical_operator.hpp"
#include "query/plan/operator_content.hpp"

#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace cairn::query {

/// Morsels have the rows of the operator in their order. Only one thread at a time uses the operator and its context:
/// the thread that takes a morsel. Threads: any.
class RowFeed {
 public:
  /// The first morsels have at most `rows_at_once` rows, later ones more. `source` must outlive the feed.
  RowFeed(PhysicalOperator& source, std::size_t rows_at_once)
      : source_(source), rows_at_once_(rows_at_once) {}

  /// Fills the empty batch `out` with the next morsel and returns its number. Returns nullopt at the end.
  /// Errors: those of the operator; then the feed ends.
  [[nodiscard]] Result<std::optional<std::uint64_t>> next(RowBatch& out);
  /// Ends the feed before the last row.
  void end();
  [[nodiscard]] bool is_ended();

 private:
  [[nodiscard]] Result<bool> fill();
  [[nodiscard]] Status give(RowBatch& out);
  [[nodiscard]] std::size_t rows_wanted() const noexcept;

  std::mutex mutex_;  // guards the members below, and the use of source_
  PhysicalOperator& source_;
  std::size_t rows_at_once_;
  RowBatch rows_;          // last batch of the operator, packed
  std::size_t given_ = 0;  // number of rows of the batch that were handed out
  std::uint64_t number_ = 0;
  bool is_ended_ = false;
};

/// Returns the rows of one morsel after each restart.
class MorselOperator final : public PhysicalOperator {
 public:
  MorselOperator(ExecutionContext& context, RowFeed& feed, std::uint32_t width)
      : PhysicalOperator(context, nullptr, width), feed_(feed) {}

  void restart() override {
    is_taken_ = false;
    number_.reset();
  }
  /// True if an operator has asked for rows since the last restart.
  [[nodiscard]] bool is_taken() const noexcept { return is_taken_; }
  /// The number of the morsel since the last restart; nullopt: there was none.
  [[nodiscard]] std::optional<std::uint64_t> morsel() const noexcept { return number_; }

 protected:
  Result<bool> produce(RowBatch& out) override;

 private:
  RowFeed& feed_;
  bool is_taken_ = false;
  std::optional<std::uint64_t> number_;
};

/// Returns the rows of an operator that it does not own.
class BorrowedOperator final : public PhysicalOperator {
 public:
  BorrowedOperator(ExecutionContext& context, PhysicalOperator& source)
      : PhysicalOperator(context, nullptr, source.width()), source_(source) {}

  void restart() override { source_.restart(); }

 protected:
  Result<bool> produce(RowBatch& out) override { return source_.next(out); }

 private:
  PhysicalOperator& source_;
};

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

  /// Gathers all rows and merges the parts. Returns false if a thread or the merging failed. Then one thread must read
  /// the rows again, for the result or the error. Errors: cancelled, and resource_limit for the time.
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
  /// Lets several threads gather the rows. Returns false if the caller must read rows() itself, from the first one on: the
  /// plan has only one thread for them, or SharedRun::run() returned false.
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
  // The shared operators for one thread, after several threads have failed; otherwise nullptr.
  OperatorPtr chain_;
  OperatorProfiles profiles_;  // of the shared operators
};

}  // namespace cairn::query
