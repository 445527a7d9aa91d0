#pragma once
// Ctrl-C ends the running statement or drops the line being typed, not the shell.

#include <stop_token>

namespace cairn::tools {

/// While it lives, an interrupt signal ends nothing; it waits until it is taken.
/// At most one at a time.
class InterruptCatcher {
 public:
  InterruptCatcher();
  InterruptCatcher(const InterruptCatcher&) = delete;
  InterruptCatcher& operator=(const InterruptCatcher&) = delete;
  ~InterruptCatcher();

  /// Whether there was an interrupt since the last call.
  [[nodiscard]] bool take() const noexcept;
  /// Readable, for poll(), while an interrupt waits.
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

// What a terminal tells a program by signals while a line is typed.

enum class TerminalEvent {
  none,
  resized,
  suspended,  ///< Ctrl-Z: call suspend()
  resumed,    ///< the program was stopped, and goes on
};

/// While it lives, signals of the terminal do nothing by themselves; they wait until they are taken. At most one at
/// a time.
class TerminalSignals {
 public:
  TerminalSignals();
  TerminalSignals(const TerminalSignals&) = delete;
  TerminalSignals& operator=(const TerminalSignals&) = delete;
  ~TerminalSignals();

  /// Readable, for poll(), while there may be some.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  /// One of those that have come; ask until none is left.
  [[nodiscard]] TerminalEvent take() const noexcept;
  /// Stop the program, as Ctrl-Z does where nobody catches it. Returns when it goes on.
  static void suspend();

 private:
  int descriptor_;
};

}  // namespace cairn::tools
