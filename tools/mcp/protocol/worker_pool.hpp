#pragma once
// A pool of threads that run handlers, with a queue of waiting jobs.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace cairn::tools::mcp {

/// Runs jobs, several at a time: callers in turn, the jobs of each in the order of their arrival.
class WorkerPool {
 public:
  /// A job must not throw. It may add further jobs.
  using Job = std::function<void()>;

  /// `kept` workers are left to callers of whom no job runs: one caller never holds more than the others, however long
  /// its jobs take.
  explicit WorkerPool(std::size_t workers, std::size_t kept = 0);
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  /// Waits for running jobs; waiting jobs are dropped.
  ~WorkerPool();

  /// `cost` is the memory that the job holds until it has run.
  void add(Job job, std::size_t cost, std::string_view caller = {});
  /// Wait until fewer than `most_jobs` wait, and all that wait or run hold less than `most_cost`.
  void wait_for_room(std::size_t most_jobs, std::size_t most_cost);
  /// Wait until no job waits or runs, for so long at most.
  void wait_until_idle(std::chrono::milliseconds limit);

 private:
  struct Entry {
    Job job;
    std::size_t cost = 0;
  };
  /// One of whom jobs wait or run.
  struct Caller {
    std::string name;
    std::deque<Entry> waiting;
    std::size_t running = 0;
  };
  using Callers = std::list<Caller>;

  void work();
  // Called with the lock.
  [[nodiscard]] bool is_below(std::size_t most_jobs, std::size_t most_cost) const noexcept;
  [[nodiscard]] bool may_run(const Caller& caller) const noexcept;
  /// The one whose turn it is; the end, where no job may run now.
  [[nodiscard]] Callers::iterator next_caller();
  [[nodiscard]] Entry begin_job(Callers::iterator caller);
  void end_job(Callers::iterator caller, std::size_t cost);

  const std::size_t workers_;
  const std::size_t kept_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Callers callers_;  ///< in the order of their turns
  std::size_t waiting_ = 0;
  std::size_t cost_ = 0;  ///< of those that run, too
  std::size_t running_ = 0;
  bool is_ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace cairn::tools::mcp
