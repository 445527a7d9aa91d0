#pragma once
// Process: in which process a database was opened. A child that is forked from it has the memory but none of the
// threads, so that it would wait for them for ever, and what it wrote would be written beside its parent.

#include <cairn/result.hpp>

#include <unistd.h>

namespace cairn::engine {

class Process {
 public:
  /// Whether this is still the process that made the object. Cost: a system call, some 0.1 us.
  [[nodiscard]] bool is_this() const noexcept { return ::getpid() == id_; }
  /// Errors: unsupported, in a child that was forked.
  [[nodiscard]] Status check() const;

 private:
  pid_t id_ = ::getpid();
};

}  // namespace cairn::engine
