#pragma once
// WriterLock: one writing transaction at a time, first come first. Waiting has a time-out, and a
// holder that does nothing for too long loses the turn to the next in the queue.
// CallChain: which threads wait for this one, so that no thread waits for a turn that one of them holds.

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
#include <thread>

namespace cairn::engine {

/// Threads: all calls from any; enter and leave of one turn from one at a time.
class WriterLock {
 public:
  using Clock = std::chrono::steady_clock;
  using Number = std::uint64_t;

  explicit WriterLock(std::chrono::milliseconds idle_limit);

  /// Wait for the turn. Errors: busy after `timeout`, saying how long the holder has it.
  /// `waited` gets how long that was; zero where the turn was free.
  [[nodiscard]] Result<Number> take(std::chrono::milliseconds timeout,
                                    Clock::duration* waited = nullptr);
  /// The turn, where nobody has it and nobody waits for it. An idle holder keeps it.
  [[nodiscard]] std::optional<Number> take_if_free();
  /// Whether this thread, or one that waits for it, was the last to work within the turn that is held now: waiting for
  /// it would be waiting for oneself. False of a turn that may be taken away for idleness.
  [[nodiscard]] bool is_held_by_this_thread();
  /// Begin to work within the turn; until as many calls of leave() it cannot be taken away.
  /// Errors: busy, if it was taken away.
  [[nodiscard]] Status enter(Number turn);
  void leave(Number turn);
  /// Give the turn back; no effect if it was taken away.
  void release(Number turn);
  /// The number of waiting writers.
  [[nodiscard]] std::size_t waiting() const;

 private:
  /// Who has the turn; `inside` counts the calls that run, one within the other.
  struct Holder {
    Number turn = 0;
    Clock::time_point begun;
    Clock::time_point active;
    std::uint32_t inside = 0;
    std::thread::id thread = std::this_thread::get_id();  ///< of the last call
  };

  /// Called by those who wait: a turn that nobody wants is left to its holder.
  void evict_idle(Clock::time_point now);
  /// When a waiting one must look again, if nobody wakes it.
  [[nodiscard]] Clock::time_point next_look(Clock::time_point deadline) const;
  [[nodiscard]] Error busy(Clock::time_point now) const;

  const std::chrono::milliseconds idle_limit_;
  mutable std::mutex mutex_;  // guards everything below
  std::condition_variable changed_;
  std::deque<Number> queue_;
  std::optional<Holder> holder_;
  Number next_ = 1;
};

// CallChain: which threads wait for this one. A function of a program runs on a thread of its own while the thread of
// its statement waits: whatever that holds, the function must not wait for.

class CallChain {
 public:
  static constexpr std::size_t most_threads = 8;

  /// Of this thread. It may be set to that of another one, to do a part of its work.
  [[nodiscard]] static CallChain& current() noexcept {
    thread_local CallChain chain;
    return chain;
  }

  /// For a thread that this one waits for. Nothing where the chain is as long as it may be.
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
