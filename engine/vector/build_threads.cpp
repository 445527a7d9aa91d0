// Work shared among threads in pieces, at idle priority where nobody waits for it:
//
// idle threads take pieces; the caller watches, asleep but for a look every 20 ms
// hurried?  idle ones leave after their piece; the caller and new threads go on at its priority
//
// A thread cannot get from SCHED_IDLE back without privileges, hence new ones and not a change of
// priority. Pieces are handed out under one mutex, in order; which thread gets which does not
// matter to the result.
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

constexpr std::chrono::milliseconds look{20};  // between two, at whether to hurry

/// The pieces that are left.
class Queue {
 public:
  using Work = std::function<Status(std::size_t, std::size_t)>;

  Queue(const BuildThreads& workers, std::size_t count, std::size_t piece, const Work& work)
      : workers_(workers), count_(count), piece_(piece), work_(work) {}

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
  /// Waits until nothing is left, or until `hurried` says to finish: then idle threads take no more pieces.
  /// It polls, because the owners of `hurried` do not know this queue.
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
  /// When all have worked.
  [[nodiscard]] const Status& status() const { return status_; }
  [[nodiscard]] bool is_done() const { return !status_ || next_ >= count_; }

 private:
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
  std::mutex mutex_;  // guards what follows, and calls of stop
  std::condition_variable ended_;
  std::size_t next_ = 0;
  bool are_idle_sent_away_ = false;
  Status status_;
};

// A thread cannot take it back without privileges, so it is never that of the caller.
void become_idle() {
  const sched_param none{};
  static_cast<void>(pthread_setschedparam(pthread_self(), SCHED_IDLE, &none));
}

// Where no more threads can be had, those there are do the work.
std::vector<std::jthread> hire(Queue& queue, std::size_t count, bool is_idle) {
  std::vector<std::jthread> hired;
  try {
    while (hired.size() < count)
      hired.emplace_back([&queue, is_idle] {
        if (is_idle) become_idle();
        queue.work(is_idle);
      });
    // Fewer threads, down to the caller alone: slower, and the same result.
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
  // Starts no idle-priority thread if the build must hurry already: other work could keep that thread off the processor,
  // and the build would wait for its piece.
  if (workers.is_idle && !(workers.hurried && workers.hurried())) {
    // Joined at the end of the block: behind it nobody else touches the queue.
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
