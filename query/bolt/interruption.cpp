#include "query/bolt/interruption.hpp"

namespace cairn::query::bolt {

void Interruption::announce_reset() {
  const std::lock_guard lock(mutex_);
  ++resets_;
  source_.request_stop();
}

// A stop source cannot be reset, so a new source replaces the stopped one once no RESET is pending.
void Interruption::end_reset() {
  const std::lock_guard lock(mutex_);
  if (resets_ > 0) --resets_;
  if (resets_ == 0 && !is_cancelled_) source_ = std::stop_source();
}

void Interruption::cancel() {
  const std::lock_guard lock(mutex_);
  is_cancelled_ = true;
  source_.request_stop();
}

std::stop_token Interruption::token() const {
  const std::lock_guard lock(mutex_);
  return source_.get_token();
}

}  // namespace cairn::query::bolt
