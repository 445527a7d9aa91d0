#pragma once
// Interruption: how other threads end what a session runs.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <stop_token>

namespace cairn::query::bolt {

/// Each RESET that was announced stops the statements of now, and all messages before it are ignored. One that was
/// not announced has nothing to stop. Threads: any, but for end_reset().
class Interruption {
 public:
  /// A RESET has arrived.
  void announce_reset();
  /// Its turn has come: statements run again unless another one is to come. From the session's own thread.
  void end_reset();
  /// Nothing runs any more.
  void cancel();

  [[nodiscard]] bool is_reset_pending() const noexcept { return resets_ > 0; }
  [[nodiscard]] bool is_cancelled() const noexcept { return is_cancelled_; }
  /// The stop token of a statement that begins now.
  [[nodiscard]] std::stop_token token() const;

 private:
  mutable std::mutex mutex_;  // guards source_, and changes of the two below
  std::stop_source source_;
  std::atomic<std::uint64_t> resets_ = 0;
  std::atomic<bool> is_cancelled_ = false;
};

}  // namespace cairn::query::bolt
