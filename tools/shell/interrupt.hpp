#pragma once
// Ctrl-C: ends the running statement or drops the line being typed, but does not end the shell.

#include <stop_token>

namespace cairn::tools {

/// Catches interrupt signals, so that they do not end the program; take() returns and clears them.
/// At most one object at a time.
class InterruptCatcher {
 public:
  InterruptCatcher();
  InterruptCatcher(const InterruptCatcher&) = delete;
  InterruptCatcher& operator=(const InterruptCatcher&) = delete;
  ~InterruptCatcher();

  /// True if there was an interrupt since the last call.
  [[nodiscard]] bool take() const noexcept;
  /// Readable, for poll(), while an interrupt is pending.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

 private:
  int descriptor_;
};

/// Requests a stop of `token()` at an interrupt signal. At most one object at a time.
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

// Signals of the terminal while a line is typed.

enum class TerminalEvent {
  none,
  resized,
  suspended,  ///< Ctrl-Z: call suspend()
  resumed,    ///< the program was stopped and has continued
};

/// Catches signals of the terminal, which take() returns. At most one object at a time.
class TerminalSignals {
 public:
  TerminalSignals();
  TerminalSignals(const TerminalSignals&) = delete;
  TerminalSignals& operator=(const TerminalSignals&) = delete;
  ~TerminalSignals();

  /// Readable, for poll(), while events may be pending.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  /// Returns one pending event; call it until it returns none.
  [[nodiscard]] TerminalEvent take() const noexcept;
  /// Stops the program, as Ctrl-Z does without a handler. Returns when it continues.
  static void suspend();

 private:
  int descriptor_;
};

}  // namespace cairn::tools
