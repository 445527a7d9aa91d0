#pragma once
// Process: in which process a database was opened. A child that is forked from it has the memory but none of the
// threads, so that it would wait for them for ever, and what it wrote would be written beside its parent.

#include <cairn/result.hpp>

#include <sys/types.h>

namespace cairn::engine {

/// The id of this process, as getpid() gives it, without a system call: a child that fork() makes notes its own.
[[nodiscard]] pid_t process_id() noexcept;

class Process {
 public:
  /// Whether this is still the process that made the object.
  [[nodiscard]] bool is_this() const noexcept { return process_id() == id_; }
  /// Errors: unsupported, in a child that was forked.
  [[nodiscard]] Status check() const;

 private:
  pid_t id_ = process_id();
};

}  // namespace cairn::engine
