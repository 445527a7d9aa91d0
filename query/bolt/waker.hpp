#pragma once
// Waker: an event that ends the wait of the thread that waits for all sockets.

#include "engine/system/regular_file.hpp"

namespace cairn::query::bolt {

/// Threads: any.
class Waker {
 public:
  /// Whether the system had a descriptor for it is seen by is_open().
  Waker();
  [[nodiscard]] bool is_open() const noexcept { return event_.is_open(); }
  [[nodiscard]] int descriptor() const noexcept { return event_.value(); }
  void wake() const noexcept;
  /// Forget the calls so far.
  void clear() const noexcept;

 private:
  engine::FileDescriptor event_;
};

}  // namespace cairn::query::bolt
