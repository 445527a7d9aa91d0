#pragma once
// Waker: an event that ends the wait of a thread in poll() or epoll_wait() (eventfd).

#include "engine/system/regular_file.hpp"

namespace cairn::query::bolt {

/// Threads: any.
class Waker {
 public:
  /// is_open() reports whether the system had a descriptor for it.
  Waker();
  [[nodiscard]] bool is_open() const noexcept { return event_.is_open(); }
  [[nodiscard]] int descriptor() const noexcept { return event_.value(); }
  void wake() const noexcept;
  /// Makes the descriptor unreadable until the next wake().
  void clear() const noexcept;

 private:
  engine::FileDescriptor event_;
};

}  // namespace cairn::query::bolt
