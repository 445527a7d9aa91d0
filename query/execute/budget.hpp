#pragma once
// Budget: the remaining time, memory and rows of one statement, and whether it was cancelled. The
// error of an exceeded limit names the option that raises it.

#include "engine/system/limits.hpp"

#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <unordered_map>

namespace cairn::query {

/// Memory that the budgets of several threads take from one limit. Threads: any.
class SharedMemory {
 public:
  /// Sets the free memory, before other threads know the object.
  void set(std::size_t bytes) noexcept { least_ = free_ = bytes; }
  /// Returns false and takes nothing if less is free.
  [[nodiscard]] bool take(std::size_t bytes) noexcept;
  void give_back(std::size_t bytes) noexcept { free_.fetch_add(bytes, std::memory_order_relaxed); }
  [[nodiscard]] std::size_t free() const noexcept { return free_.load(std::memory_order_relaxed); }
  /// The least amount that was free since set().
  [[nodiscard]] std::size_t least() const noexcept {
    return least_.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<std::size_t> free_ = 0;
  std::atomic<std::size_t> least_ = 0;
};

/// Each running statement has one instance, and one more for each further thread that computes the
/// statement (see share_memory()).
/// Threads: one at a time.
class Budget final : public engine::Limits {
 public:
  explicit Budget(const StatementOptions& options);
  /// Makes the budget of a thread that computes a part of the statement of `whole`. The new budget
  /// has the same time limit, and takes its memory from `room`, which must outlive it.
  /// Precondition: `whole` shares its memory.
  Budget(const StatementOptions& options, const Budget& whole, SharedMemory& room);
  ~Budget() override { end_sharing(); }
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  /// Moves the free memory to `room`, from which this budget and those of other threads take what
  /// they need, 64 KiB at a time.
  void share_memory(SharedMemory& room) noexcept;
  /// Takes the free memory back. Precondition: no other budget has memory of the room.
  void end_sharing() noexcept;

  /// Time counts only between resume() and pause(), and not while the caller processes rows.
  void resume();
  void pause();

  /// Counts `steps` units of work, each well under 10 microseconds. Checks the clock and the cancel
  /// token every 256 steps.
  /// Errors: resource_limit, cancelled.
  [[nodiscard]] Status step() { return step(1); }
  [[nodiscard]] Status step(std::uint64_t steps) override {
    steps_ += steps;
    return steps_ < steps_between_checks ? Status() : check();
  }
  /// Checks the clock and the cancel token now: before, during or after work that reports no steps.
  /// Errors: those of step().
  [[nodiscard]] Status check();

  /// Charges memory. A call that returns an error charges nothing.
  /// Errors: resource_limit.
  [[nodiscard]] Status charge(std::size_t bytes) override;
  void release(std::size_t bytes) noexcept override {
    used_bytes_ -= bytes < used_bytes_ ? bytes : used_bytes_;
    if (room_ != nullptr) return_lease();
  }
  /// Checks whether charge() would succeed, for a value that is about to be made.
  [[nodiscard]] Status check_room(std::size_t bytes) const override;
  /// Checks the size of a value including all shared parts, each counted every time it occurs.
  [[nodiscard]] Status check_extent(std::uint64_t bytes) const;

  /// Charges content with several holders only once, by its address. The first holder calls
  /// share(). share_again() adds a holder and returns the charged bytes, or 0 if the content is
  /// unknown. `identity` distinguishes the content from earlier content at the same address.
  [[nodiscard]] Status share(const void* content, std::uint64_t identity, std::size_t bytes);
  [[nodiscard]] std::size_t share_again(const void* content, std::uint64_t identity) noexcept;
  /// True if this content is charged at present.
  [[nodiscard]] bool knows(const void* content, std::uint64_t identity) const noexcept;
  /// Removes one holder. The last one releases the charge.
  void unshare(const void* content) noexcept;

  /// The stop token, for code that checks it without step().
  [[nodiscard]] const std::stop_token& cancel() const noexcept { return cancel_; }

  /// Counts a row that is returned to the caller. Errors: resource_limit.
  [[nodiscard]] Status count_row();
  /// Number of rows returned to the caller.
  [[nodiscard]] std::size_t rows() const noexcept { return rows_ < max_rows_ ? rows_ : max_rows_; }
  /// Time spent between resume() and pause(). Must be called while paused.
  [[nodiscard]] std::chrono::steady_clock::duration elapsed() const noexcept {
    return limit_ - left_;
  }
  /// Time left until the limit. Must be called between resume() and pause().
  [[nodiscard]] std::chrono::steady_clock::duration left() const noexcept {
    return left_ - (Clock::now() - resumed_);
  }
  [[nodiscard]] std::size_t memory_bytes() const noexcept { return memory_bytes_; }
  [[nodiscard]] std::size_t peak_bytes() const noexcept { return peak_bytes_; }
  [[nodiscard]] std::size_t free_bytes() const noexcept {
    return leased_bytes_ - used_bytes_ + (room_ == nullptr ? 0 : room_->free());
  }

 private:
  static constexpr std::uint64_t steps_between_checks = 256;
  using Clock = std::chrono::steady_clock;

  // Shared content and the number of its holders.
  struct Shared {
    std::uint64_t identity = 0;
    std::size_t bytes = 0;
    std::size_t keepers = 0;
  };

  [[nodiscard]] Status no_room() const;
  /// Leases memory from `room_`, so that `bytes` more can be charged.
  [[nodiscard]] Status lease(std::size_t bytes);
  /// Returns leased memory to `room_` if much of it is unused.
  void return_lease() noexcept;

  std::stop_token cancel_;
  Clock::duration left_;
  Clock::duration limit_;
  Clock::time_point resumed_;
  std::uint64_t steps_ = 0;
  std::size_t memory_bytes_;
  std::size_t leased_bytes_;  // may be used without asking room_
  std::size_t used_bytes_ = 0;
  std::size_t peak_bytes_ = 0;
  std::size_t max_rows_;
  std::size_t rows_ = 0;
  std::unordered_map<const void*, Shared> shared_;
  SharedMemory* room_ = nullptr;  // nullptr: all memory is leased
};

}  // namespace cairn::query
