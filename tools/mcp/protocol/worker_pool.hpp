#pragma once
// A pool of threads that run handlers, with a queue of waiting jobs.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cairn::tools::mcp {

/// Runs jobs in order of arrival, several at a time.
class WorkerPool {
 public:
  /// A job must not throw. It may add further jobs.
  using Job = std::function<void()>;

  explicit WorkerPool(std::size_t workers);
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  /// Waits for running jobs; waiting jobs are dropped.
  ~WorkerPool();

  /// `cost` is the memory that the job holds until it has run.
  void add(Job job, std::size_t cost);
  /// Waits until fewer than `most_jobs` wait, and all waiting and running jobs together hold less
  /// than `most_cost`.
  void wait_for_room(std::size_t most_jobs, std::size_t most_cost);
  [[nodiscard]] bool has_room(std::size_t most_jobs, std::size_t most_cost);
  /// Waits until no job waits or runs, at most for `limit`.
  void wait_until_idle(std::chrono::milliseconds limit);

 private:
  void work();
  /// Precondition: the lock is held.
  [[nodiscard]] bool is_below(std::size_t most_jobs, std::size_t most_cost) const noexcept;

  std::mutex mutex_;
  std::condition_variable changed_;
  struct Entry {
    Job job;
    std::size_t cost = 0;
  };

  std::deque<Entry> jobs_;
  std::size_t cost_ = 0;  ///< including running jobs
  std::size_t running_ = 0;
  bool is_ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace cairn::tools::mcp
