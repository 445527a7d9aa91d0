// Registers handlers of fork() once per process. In the child, the handler replaces each guarded descriptor by /dev/null, or
// closes it if /dev/null cannot be opened.
#include "engine/system/fork_guard.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <mutex>
#include <set>
#include <utility>

namespace cairn::engine {
namespace {

/// All guarded descriptors of the process. Never destroyed, as a guard may be a static object that is destroyed later.
struct Guarded {
  std::mutex mutex;  // guards descriptors
  std::set<int> descriptors;
};

Guarded& guarded() {
  static Guarded& all = *new Guarded;
  return all;
}

// The lock is held during fork(), so that no thread is changing the set when the child gets its copy.
void before_fork() { guarded().mutex.lock(); }
void in_parent() { guarded().mutex.unlock(); }

void in_child() {
  const int null_device = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int descriptor : guarded().descriptors)
    if (null_device >= 0)
      ::dup3(null_device, descriptor, O_CLOEXEC);
    else
      ::close(descriptor);
  if (null_device >= 0) ::close(null_device);
  guarded().mutex.unlock();
}

}  // namespace

ForkGuard::ForkGuard(int descriptor) : descriptor_(descriptor) {
  static const int registered = ::pthread_atfork(before_fork, in_parent, in_child);
  static_cast<void>(registered);
  const std::lock_guard lock(guarded().mutex);
  guarded().descriptors.insert(descriptor);
}

ForkGuard::ForkGuard(ForkGuard&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

ForkGuard& ForkGuard::operator=(ForkGuard&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

ForkGuard::~ForkGuard() {
  if (descriptor_ < 0) return;
  const std::lock_guard lock(guarded().mutex);
  guarded().descriptors.erase(descriptor_);
}

}  // namespace cairn::engine
