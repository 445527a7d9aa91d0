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

  /// `kept` workers only run jobs of callers that have no running job. So one caller with long jobs cannot occupy all workers.
  explicit WorkerPool(std::size_t workers, std::size_t kept = 0);
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  /// Waits for running jobs; waiting jobs are dropped.
  ~WorkerPool();

  /// `cost` is the memory that the job holds until it has run.
  void add(Job job, std::size_t cost, std::string_view caller = {});
  /// Blocks until fewer than `most_jobs` jobs wait, and waiting and running jobs together cost less than `most_cost`.
  void wait_for_room(std::size_t most_jobs, std::size_t most_cost);
  /// Blocks until no job waits or runs, or until `limit` has passed.
  void wait_until_idle(std::chrono::milliseconds limit);

 private:
  struct Entry {
    Job job;
    std::size_t cost = 0;
  };
  /// A caller with waiting or running jobs.
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
  /// Returns the caller whose turn it is, or end() if no job may run now.
  [[nodiscard]] Callers::iterator next_caller();
  [[nodiscard]] Entry begin_job(Callers::iterator caller);
  void end_job(Callers::iterator caller, std::size_t cost);

  const std::size_t workers_;
  const std::size_t kept_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Callers callers_;  ///< in the order of their turns
  std::size_t waiting_ = 0;
  std::size_t cost_ = 0;  ///< of waiting and running jobs
  std::size_t running_ = 0;
  bool is_ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace cairn::tools::mcp
