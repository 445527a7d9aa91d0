#pragma once
// Threads that run handlers, and what waits for them.

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cairn::tools::mcp {

/// Runs jobs in the order of their arrival, several at a time.
class WorkerPool {
 public:
  /// A job throws nothing. It may add further ones.
  using Job = std::function<void()>;

  explicit WorkerPool(std::size_t workers);
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  /// Waits for what runs. What waits is dropped.
  ~WorkerPool();

  /// `cost` is the memory that the job holds until it has run.
  void add(Job job, std::size_t cost);
  /// Wait until fewer than `most_jobs` wait, and all that wait or run hold less than `most_cost`.
  void wait_for_room(std::size_t most_jobs, std::size_t most_cost);
  [[nodiscard]] bool has_room(std::size_t most_jobs, std::size_t most_cost);
  /// Wait until no job waits or runs, for so long at most.
  void wait_until_idle(std::chrono::milliseconds limit);

 private:
  void work();
  /// Called with the lock.
  [[nodiscard]] bool is_below(std::size_t most_jobs, std::size_t most_cost) const noexcept;

  std::mutex mutex_;
  std::condition_variable changed_;
  struct Entry {
    Job job;
    std::size_t cost = 0;
  };

  std::deque<Entry> jobs_;
  std::size_t cost_ = 0;  ///< of those that run, too
  std::size_t running_ = 0;
  bool is_ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace cairn::tools::mcp
