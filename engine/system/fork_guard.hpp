#pragma once
// ForkGuard: disconnects file descriptors in forked children. A lock by flock() belongs to the open
// file, which a child inherits: the child would still hold the lock after the death of its parent.
// So each guarded descriptor refers to the null device in a child. Its number stays in use:
// otherwise another file could get the number, and be closed by mistake.

namespace cairn::engine {

/// Guards a descriptor as long as the object lives. Threads: any. Cost: one lock of a mutex at
/// construction, at destruction, and at each fork.
class ForkGuard {
 public:
  ForkGuard() = default;
  explicit ForkGuard(int descriptor);
  ForkGuard(ForkGuard&& other) noexcept;
  ForkGuard& operator=(ForkGuard&& other) noexcept;
  ~ForkGuard();

 private:
  int descriptor_ = -1;  // -1: guards nothing
};

}  // namespace cairn::engine
