#pragma once
// Calls that wait for a thread, and the threads that run them.

#include "tools/mcp/protocol/calls.hpp"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cairn::tools::mcp {

/// Runs calls in the order of their arrival, several at a time.
class CallQueue {
 public:
  /// `run` is called by the threads; it may add() further calls.
  CallQueue(std::size_t workers, std::function<void(Call)> run);
  CallQueue(const CallQueue&) = delete;
  CallQueue& operator=(const CallQueue&) = delete;
  /// Waits for what runs. What waits is dropped.
  ~CallQueue();

  void add(Call call);
  /// Wait until fewer than `most` calls wait.
  void wait_for_room(std::size_t most);
  /// Wait until no call waits or runs, for so long at most.
  void wait_until_idle(std::chrono::milliseconds limit);

 private:
  void work();

  std::function<void(Call)> run_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Call> calls_;
  std::size_t running_ = 0;
  bool is_ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace cairn::tools::mcp
