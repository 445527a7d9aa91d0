#pragma once
// ForkGuard: descriptors that a forked child must not keep. A lock of flock belongs to the open file, which a child has as
// well: it would hold the lock of a parent that is long dead. So the child has the null device in their place from its first
// moment on; their numbers stay taken, so that nothing else is closed by them.

namespace cairn::engine {

/// While it lives, the descriptor is replaced in a child. Threads: any. Cost: one lock, and one at each fork.
class ForkGuard {
 public:
  ForkGuard() = default;
  explicit ForkGuard(int descriptor);
  ForkGuard(ForkGuard&& other) noexcept;
  ForkGuard& operator=(ForkGuard&& other) noexcept;
  ~ForkGuard();

 private:
  int descriptor_ = -1;  // none
};

}  // namespace cairn::engine
