#pragma once
// Budget: what one statement may still use of time, memory and rows, and whether it was cancelled.
// Every error names the option that has to be raised.

#include "engine/system/limits.hpp"

#include <cairn/options.hpp>
#include <cairn/result.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <unordered_map>

namespace cairn::query {

/// One for each running statement, shared by everything that runs for it. One thread.
class Budget final : public engine::Limits {
 public:
  explicit Budget(const StatementOptions& options);

  /// Time counts only between resume() and pause(): not while the caller looks at rows.
  void resume();
  void pause();

  /// Note `steps` units of work, each well under 10 microseconds. Looks at the clock and the cancel
  /// token every 256 steps. Errors: resource_limit, cancelled.
  [[nodiscard]] Status step() { return step(1); }
  [[nodiscard]] Status step(std::uint64_t steps) override {
    steps_ += steps;
    return steps_ < steps_between_checks ? Status() : check();
  }

  /// Take memory for something that is held. Errors: resource_limit.
  [[nodiscard]] Status charge(std::size_t bytes) override;
  void release(std::size_t bytes) noexcept override {
    used_bytes_ -= bytes < used_bytes_ ? bytes : used_bytes_;
  }
  /// Whether that much could be taken, for a value about to be made.
  [[nodiscard]] Status check_room(std::size_t bytes) const override;
  /// Whether a value may be so large, what it shares with others counted as well.
  [[nodiscard]] Status check_extent(std::uint64_t bytes) const;

  /// Content that several keepers hold is charged once, by its address: share() it the first time,
  /// share_again() where that knows it and gives its bytes. `identity` tells it from what stood there before.
  [[nodiscard]] Status share(const void* content, std::uint64_t identity, std::size_t bytes);
  [[nodiscard]] std::size_t share_again(const void* content, std::uint64_t identity) noexcept;
  [[nodiscard]] bool knows(const void* content, std::uint64_t identity) const noexcept;
  void unshare(const void* content) noexcept;

  /// The stop token, for code that checks it itself.
  [[nodiscard]] const std::stop_token& cancel() const noexcept { return cancel_; }

  [[nodiscard]] Status count_row();
  /// Rows that were handed out.
  [[nodiscard]] std::size_t rows() const noexcept { return rows_ < max_rows_ ? rows_ : max_rows_; }
  /// Between resume() and pause(); asked while it is paused.
  [[nodiscard]] std::chrono::steady_clock::duration elapsed() const noexcept {
    return limit_ - left_;
  }
  /// Until it runs out, as of now; between resume() and pause().
  [[nodiscard]] std::chrono::steady_clock::duration left() const noexcept {
    return left_ - (Clock::now() - resumed_);
  }
  [[nodiscard]] std::size_t memory_bytes() const noexcept { return memory_bytes_; }
  [[nodiscard]] std::size_t peak_bytes() const noexcept { return peak_bytes_; }
  [[nodiscard]] std::size_t free_bytes() const noexcept { return memory_bytes_ - used_bytes_; }

 private:
  static constexpr std::uint64_t steps_between_checks = 256;
  using Clock = std::chrono::steady_clock;

  // What is shared, and how many hold it.
  struct Shared {
    std::uint64_t identity = 0;
    std::size_t bytes = 0;
    std::size_t keepers = 0;
  };

  [[nodiscard]] Status check();
  [[nodiscard]] Status no_room() const;

  std::stop_token cancel_;
  Clock::duration left_;
  Clock::duration limit_;
  Clock::time_point resumed_;
  std::uint64_t steps_ = 0;
  std::size_t memory_bytes_;
  std::size_t used_bytes_ = 0;
  std::size_t peak_bytes_ = 0;
  std::size_t max_rows_;
  std::size_t rows_ = 0;
  std::unordered_map<const void*, Shared> shared_;
};

}  // namespace cairn::query
