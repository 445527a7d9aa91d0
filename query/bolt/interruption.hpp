#pragma once
// Interruption: lets other threads stop the statement that a session runs.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <stop_token>

namespace cairn::query::bolt {

/// Each announced RESET stops the running statement, and all messages before that RESET are ignored. A RESET that was not
/// announced stops nothing. Threads: any, except for end_reset().
class Interruption {
 public:
  /// Called when a RESET has arrived that the session will handle later.
  void announce_reset();
  /// The session handles a RESET. Statements can run again unless another RESET was announced. Called by the session's
  /// thread.
  void end_reset();
  /// Stops the session for good.
  void cancel();

  [[nodiscard]] bool is_reset_pending() const noexcept { return resets_ > 0; }
  [[nodiscard]] bool is_cancelled() const noexcept { return is_cancelled_; }
  /// The stop token for a statement that begins now.
  [[nodiscard]] std::stop_token token() const;

 private:
  mutable std::mutex mutex_;  // guards source_, and changes of the next two members
  std::stop_source source_;
  std::atomic<std::uint64_t> resets_ = 0;  // announced and not handled
  std::atomic<bool> is_cancelled_ = false;
};

}  // namespace cairn::query::bolt
