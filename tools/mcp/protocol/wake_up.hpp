#pragma once
// Lets a thread that waits for a file descriptor be woken by another thread.

namespace cairn::tools::mcp {

/// Wakes every thread that polls descriptor(), once or until clear(), however often it was called.
class WakeUp {
 public:
  /// Throws std::system_error if the process has no descriptors left.
  WakeUp();
  WakeUp(const WakeUp&) = delete;
  WakeUp& operator=(const WakeUp&) = delete;
  ~WakeUp();

  /// Safe from any thread.
  void wake() noexcept;
  void clear() noexcept;
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

/// What wait_for() saw.
struct Readiness {
  bool is_ready = false;  ///< reading or writing will not block; it may fail
  bool is_woken = false;
};
/// Wait for a descriptor (`events` as poll() has them), for a wake-up, or for so many milliseconds; -1: without end.
[[nodiscard]] Readiness wait_for(int descriptor, short events, const WakeUp& wake_up,
                                 int milliseconds);

}  // namespace cairn::tools::mcp
