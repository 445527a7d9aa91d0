#pragma once
// Process: remembers which process opened a database. A forked child has a copy of the memory but
// none of the other threads: the child would wait for these threads forever, and its writes would
// conflict with those of the parent.

#include <cairn/result.hpp>

#include <sys/types.h>

namespace cairn::engine {

/// Returns the same as getpid() without a system call: the id is cached, and updated in each child by a handler of fork().
[[nodiscard]] pid_t process_id() noexcept;

/// Threads: any.
class Process {
 public:
  /// True in the process that made the object, false in a child forked from it.
  [[nodiscard]] bool is_this() const noexcept { return process_id() == id_; }
  /// Errors: unsupported in a forked child.
  [[nodiscard]] Status check() const;

 private:
  pid_t id_ = process_id();
};

}  // namespace cairn::engine
