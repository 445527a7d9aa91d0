#pragma once
// What a terminal tells a program by signals while a line is typed.

namespace cairn::tools {

enum class TerminalEvent {
  none,
  resized,
  suspended,  ///< Ctrl-Z: call suspend()
  resumed,    ///< the program was stopped, and goes on
};

/// While it lives, signals of the terminal do nothing by themselves; they are kept until they are taken. At most one at
/// a time.
class TerminalSignals {
 public:
  TerminalSignals();
  TerminalSignals(const TerminalSignals&) = delete;
  TerminalSignals& operator=(const TerminalSignals&) = delete;
  ~TerminalSignals();

  /// Readable, for poll(), while there may be some.
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  /// One of those that have come; ask until there is none.
  [[nodiscard]] TerminalEvent take() const noexcept;
  /// Stop the program, as Ctrl-Z does where nobody catches it. Returns when it goes on.
  static void suspend();

 private:
  int descriptor_;
};

}  // namespace cairn::tools
