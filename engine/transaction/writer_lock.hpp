#pragma once
// WriterLock: allows one writing transaction at a time, first come, first served. Waiting has a timeout. A holder that is
// idle for too long loses the lock to the next in the queue. A turn is the period in which one holder has the lock.
//
// CallChain: the threads that wait for this thread. It prevents a deadlock: a thread must not wait for a lock that one
// of these threads holds.

#include <cairn/result.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <thread>
#include <vector>

namespace cairn::engine {

/// Threads: any. enter() and leave() of one holder must not run at the same time on several threads.
class WriterLock {
 public:
  using Clock = std::chrono::steady_clock;
  using Number = std::uint64_t;  ///< identifies one holding of the lock (a turn); never reused

  explicit WriterLock(std::chrono::milliseconds idle_limit);

  /// Waits for the lock. Errors: busy after `timeout`, saying how long the holder has held the lock; cancelled if a
  /// stop of `cancel` is requested or take_away() ended the waiting. If this thread had to wait, `*waited` is set to
  /// the time.
  [[nodiscard]] Result<Number> take(std::chrono::milliseconds timeout,
                                    Clock::duration* waited = nullptr,
                                    const std::stop_token& cancel = {});
  /// Takes the lock if nobody holds it and nobody waits for it. Does not evict an idle holder.
  [[nodiscard]] std::optional<Number> take_if_free();
  /// True if the last call within the current turn was made by this thread or by a thread that waits for it. Waiting for the
  /// lock would then be a deadlock. Evicts a holder that was idle for too long first, so the result is false for such a
  /// holder.
  [[nodiscard]] bool is_held_by_this_thread();
  /// Begins a call within a turn. The turn cannot be taken away before leave() was called as often as enter().
  /// Errors: busy if the turn was lost for idleness; cancelled if take_away() took it.
  [[nodiscard]] Status enter(Number turn);
  /// Ends a call within a turn.
  void leave(Number turn);
  /// A holder outside of any call, or a thread that waits for the lock.
  struct IdleWriter {
    Number turn = 0;          ///< a waiting thread has the number of its future turn
    Clock::time_point begun;  ///< when it took the lock, or began to wait
    bool is_waiting = false;
  };
  /// Returns the holder if it is idle, for however long, and the waiting threads in their order.
  [[nodiscard]] std::vector<IdleWriter> idle_writers() const;
  /// Takes the lock from a holder that is idle, or ends the wait of a thread in the queue. Returns true if it did one
  /// of these.
  [[nodiscard]] bool take_away(Number turn);
  /// Releases the lock. Has no effect if the turn was taken away.
  void release(Number turn);
  /// Returns the number of waiting writers.
  [[nodiscard]] std::size_t waiting() const;

 private:
  struct Holder {
    Number turn = 0;
    Clock::time_point begun;                              ///< when it took the lock
    Clock::time_point active;                             ///< end of its last call
    std::uint32_t inside = 0;                             ///< number of its running (nested) calls
    std::thread::id thread = std::this_thread::get_id();  ///< thread of its last call
  };

  /// Gives the lock to the waiting thread if it is the next. Precondition: mutex_ is held.
  [[nodiscard]] bool take_turn(Number number, Clock::time_point now);
  /// Removes a waiting thread from the queue. Precondition: mutex_ is held.
  void stop_waiting(Number number);
  /// Removes the holder if it is idle for too long. Only threads that want the lock call this.
  void evict_idle(Clock::time_point now);
  /// Returns when a waiting thread must check again if it is not woken.
  [[nodiscard]] Clock::time_point next_look(Clock::time_point deadline) const;
  [[nodiscard]] Error busy(Clock::time_point now) const;

  const std::chrono::milliseconds idle_limit_;
  mutable std::mutex mutex_;  // guards everything below
  std::condition_variable changed_;
  std::deque<IdleWriter> queue_;  // waiting threads, first come first
  std::optional<Holder> holder_;
  std::set<Number>
      taken_away_;  // turns taken by take_away(), until their holders release them or stop waiting
  Number next_ = 1;
};

// CallChain: the threads that wait for this thread. A function of the program that a statement calls runs on a thread of its
// own, while the thread of the statement waits. The function must not wait for a lock that the statement holds.

class CallChain {
 public:
  static constexpr std::size_t most_threads = 8;

  /// The chain of this thread. A thread that does work for another one sets it to the chain of that thread.
  [[nodiscard]] static CallChain& current() noexcept {
    thread_local CallChain chain;
    return chain;
  }

  /// Returns the chain for a thread that this thread will wait for. Returns nullopt if the chain has its maximal length.
  [[nodiscard]] std::optional<CallChain> extended() const {
    if (count_ == most_threads) return std::nullopt;
    CallChain longer = *this;
    longer.threads_[longer.count_++] = std::this_thread::get_id();
    return longer;
  }
  [[nodiscard]] bool has(std::thread::id thread) const noexcept {
    const auto end = threads_.begin() + static_cast<std::ptrdiff_t>(count_);
    return std::find(threads_.begin(), end, thread) != end;
  }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }

 private:
  std::array<std::thread::id, most_threads> threads_{};
  std::size_t count_ = 0;
};

}  // namespace cairn::engine
