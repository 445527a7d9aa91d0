#pragma once
// Ctrl-C ends the running statement, not the shell.

#include <stop_token>

namespace cairn::tools {

/// While it lives, an interrupt signal requests a stop of `token()`. At most one at a time.
class InterruptScope {
 public:
  InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;
  ~InterruptScope();

  [[nodiscard]] std::stop_token token() const noexcept { return source_.get_token(); }

 private:
  std::stop_source source_;
};

}  // namespace cairn::tools
