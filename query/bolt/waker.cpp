#include "query/bolt/waker.hpp"

#include <sys/eventfd.h>

namespace cairn::query::bolt {

Waker::Waker() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

// Writing fails only if the counter is full, and then the descriptor is readable anyway.
void Waker::wake() const noexcept { static_cast<void>(::eventfd_write(event_.value(), 1)); }

void Waker::clear() const noexcept {
  eventfd_t count = 0;
  static_cast<void>(::eventfd_read(event_.value(), &count));
}

}  // namespace cairn::query::bolt
