#pragma once
// Ctrl-C ends the running statement or drops the line being typed, not the shell.

#include <stop_token>

namespace cairn::tools {

/// While it lives, an interrupt signal ends nothing; it is kept until it is taken.
/// At most one at a time.
class InterruptCatcher {
 public:
  InterruptCatcher();
  InterruptCatcher(const InterruptCatcher&) = delete;
  InterruptCatcher& operator=(const InterruptCatcher&) = delete;
  ~InterruptCatcher();

  /// Whether there was an interrupt since the last call.
  [[nodiscard]] bool take() const noexcept;
  /// Readable, for poll(), while an interrupt is kept.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

/// While it lives, an interrupt signal requests a stop of `token()`. At most one at a time.
class InterruptScope {
 public:
  explicit InterruptScope(const InterruptCatcher& interrupts);
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;
  ~InterruptScope();

  [[nodiscard]] std::stop_token token() const noexcept { return source_.get_token(); }

 private:
  std::stop_source source_;
};

}  // namespace cairn::tools
