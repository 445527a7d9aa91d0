#pragma once
// BackgroundExpiry: the maintenance thread erases expired records, in short transactions that take the
// writer lock only if nobody holds it or waits for it.

#include "engine/write/expired_records.hpp"

#include <cairn/options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace cairn::engine {

class Core;

/// Threads: the maintenance thread only.
class BackgroundExpiry {
 public:
  using Clock = std::chrono::steady_clock;

  /// Made when the maintenance thread starts: the first step is due an interval later.
  explicit BackgroundExpiry(const Options& options);

  /// Off with an interval of zero, and in the modes that do not erase.
  [[nodiscard]] bool is_on() const noexcept { return is_on_; }
  [[nodiscard]] Clock::time_point due() const noexcept { return due_; }
  /// Erase a few records if a step is due, and set when the next one is.
  void step(Core& core);

 private:
  bool is_on_;
  Clock::duration interval_;
  Clock::time_point due_;
  ExpiryPlace place_;  // of the run that is under way
};

}  // namespace cairn::engine
