#pragma once
// BackgroundExpiry: expired records erased by the maintenance thread, in short transactions that take the
// writer's turn only where nobody has it or waits for it.

#include "engine/write/expired_records.hpp"

#include <cairn/options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace cairn::engine {

class Core;

/// One thread.
class BackgroundExpiry {
 public:
  using Clock = std::chrono::steady_clock;

  /// Of the maintenance thread's start: the first step is due an interval later.
  explicit BackgroundExpiry(const Options& options);

  /// Off with an interval of zero, and in the modes that do not erase.
  [[nodiscard]] bool is_on() const noexcept { return is_on_; }
  [[nodiscard]] Clock::time_point due() const noexcept { return due_; }
  /// Erase a few records, where a step is due, and say to oneself when the next one is.
  void step(Core& core);

 private:
  bool is_on_;
  Clock::duration interval_;
  Clock::time_point due_;
  ExpiryPlace place_;  // of the run that is under way
};

}  // namespace cairn::engine
