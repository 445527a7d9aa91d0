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

  void add(Job job);
  /// Wait until fewer than `most` jobs wait.
  void wait_for_room(std::size_t most);
  /// Wait until no job waits or runs, for so long at most.
  void wait_until_idle(std::chrono::milliseconds limit);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  std::size_t running_ = 0;
  bool is_ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace cairn::tools::mcp
