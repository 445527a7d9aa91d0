#pragma once
// WorkerPool: threads that help other threads with work that is divided into parts. Help: one
// request for help.

#include "engine/system/process.hpp"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace cairn::engine {

class Help;

/// Threads are started when they are first requested, and end with the pool. There are never more
/// than the greatest number that one Help requested, and none in a forked child. Threads: all calls
/// from any thread.
class WorkerPool {
 public:
  WorkerPool() = default;
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  ~WorkerPool() { stop(); }

  /// Ends all threads, without waiting for busy ones. Later requests for help get no threads.
  void stop();
  /// The number of threads that were started.
  [[nodiscard]] std::size_t threads();

 private:
  friend class Help;

  void offer(Help& help, std::size_t threads);
  void start_threads();
  void withdraw(Help& help);
  void run(const std::stop_token& stop);

  Process process_;   // the process that may have threads
  std::mutex mutex_;  // guards what follows
  std::condition_variable_any offered_;
  std::condition_variable ended_;
  std::deque<Help*> offers_;  // one for each requested thread that has not begun
  std::size_t most_ = 0;      // threads that may exist
  bool is_stopped_ = false;
  std::vector<std::jthread> threads_;
};

/// Work of one thread in which other threads may take part. Threads: one at a time.
class Help {
 public:
  /// `work` is called once by each thread that helps. It must not throw. `pool` must outlive this object.
  Help(WorkerPool& pool, std::function<void()> work) : pool_(pool), work_(std::move(work)) {}
  Help(const Help&) = delete;
  Help& operator=(const Help&) = delete;
  ~Help() { finish(); }

  /// Requests this many threads and does not wait for them. Busy threads may begin later, or never.
  void ask(std::size_t threads) { pool_.offer(*this, threads); }
  /// Withdraws the request for threads that have not begun, and waits for those that have.
  void finish() { pool_.withdraw(*this); }

 private:
  friend class WorkerPool;

  WorkerPool& pool_;
  std::function<void()> work_;
  std::size_t running_ = 0;  // threads in work_; guarded by the mutex of the pool
};

}  // namespace cairn::engine
