// Distributes work among threads in pieces, at idle priority unless the result is needed soon:
//
// idle threads take pieces; the caller sleeps and polls `hurried` every 20 ms
// if hurried: idle threads end after their piece; the caller and new threads continue at its priority
//
// A thread cannot leave SCHED_IDLE without privileges, hence new threads instead of a change of
// priority. Pieces are handed out in order under one mutex. The result does not depend on which
// thread gets which piece.
#include "engine/vector/build_threads.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace cairn::engine {
namespace {

constexpr std::chrono::milliseconds look{20};  // interval of polling `hurried`

/// The pieces that are still to be done.
class Queue {
 public:
  using Work = std::function<Status(std::size_t, std::size_t)>;

  Queue(const BuildThreads& workers, std::size_t count, std::size_t piece, const Work& work)
      : workers_(workers), count_(count), piece_(piece), work_(work) {}

  /// Runs in each thread until nothing is left, or until idle threads have to end.
  void work(bool is_idle) {
    std::size_t first = 0;
    while (take(first, is_idle)) {
      auto status = work_(first, std::min(first + piece_, count_));
      const std::lock_guard lock(mutex_);
      if (!status && status_) status_ = std::move(status);
    }
    const std::lock_guard lock(mutex_);
    ended_.notify_all();
  }
  /// Waits until no piece is left, or until `hurried` returns true. Then idle threads take no more
  /// pieces. Polls, because the owners of `hurried` do not know this queue.
  void watch() {
    std::unique_lock lock(mutex_);
    while (!ended_.wait_for(lock, look, [&] { return is_done(); })) {
      lock.unlock();
      const bool is_hurried = workers_.hurried && workers_.hurried();
      lock.lock();
      if (is_hurried) break;
    }
    are_idle_sent_away_ = true;
  }
  /// The first error. To be called after all threads have ended.
  [[nodiscard]] const Status& status() const { return status_; }
  [[nodiscard]] bool is_done() const { return !status_ || next_ >= count_; }

 private:
  // Takes the next piece. Returns false if this thread has no more work.
  bool take(std::size_t& first, bool is_idle) {
    const std::lock_guard lock(mutex_);
    if (is_done() || (is_idle && are_idle_sent_away_)) return false;
    if (workers_.stop && workers_.stop()) {
      status_ = Error{ErrorCode::cancelled, "the build of a vector segment was stopped", {}};
      return false;
    }
    first = next_;
    next_ += piece_;
    return true;
  }

  const BuildThreads& workers_;
  const std::size_t count_;
  const std::size_t piece_;
  const Work& work_;
  std::mutex mutex_;  // guards the members below, and calls of `stop`
  std::condition_variable ended_;
  std::size_t next_ = 0;
  bool are_idle_sent_away_ = false;
  Status status_;
};

// Irreversible without privileges, so it is never called in the caller's thread.
void become_idle() {
  const sched_param none{};
  static_cast<void>(pthread_setschedparam(pthread_self(), SCHED_IDLE, &none));
}

// Starts up to `count` threads. If the system refuses some, the others do the work.
std::vector<std::jthread> hire(Queue& queue, std::size_t count, bool is_idle) {
  std::vector<std::jthread> hired;
  try {
    while (hired.size() < count)
      hired.emplace_back([&queue, is_idle] {
        if (is_idle) become_idle();
        queue.work(is_idle);
      });
    // With fewer threads, down to the caller alone, the result is the same, only later.
  } catch (const std::system_error&) {
  }
  return hired;
}

}  // namespace

Status share_out(const BuildThreads& workers, std::size_t count, std::size_t piece,
                 const std::function<Status(std::size_t, std::size_t)>& work) {
  Queue queue(workers, count, piece, work);
  const std::size_t threads =
      std::clamp<std::size_t>(workers.threads, 1, std::max<std::size_t>(count / piece, 1));
  // If the build must hurry already, no idle thread is started: other work could keep it off the
  // processor, and the build would wait for its piece.
  if (workers.is_idle && !(workers.hurried && workers.hurried())) {
    // The threads are joined at the end of the block. After it only this thread uses the queue.
    const auto idle = hire(queue, threads, true);
    if (!idle.empty()) queue.watch();
  }
  if (queue.is_done()) return queue.status();
  {
    const auto others = hire(queue, threads - 1, false);
    queue.work(false);
  }
  return queue.status();
}

}  // namespace cairn::engine
