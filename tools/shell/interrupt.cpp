// A signal handler may do almost nothing, and a stop source takes a lock; so the handler only counts
// up an event, whichever thread it runs in. The prompt waits for the event beside the keyboard, and
// beside a statement a thread turns it into a stop request.
#include "tools/shell/interrupt.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <thread>

namespace cairn::tools {
namespace {

constexpr auto poll_interval = std::chrono::milliseconds(20);
std::atomic<int> event{-1};  // of the one catcher that lives
std::jthread watcher;        // of the one scope that lives; joined by its destructor

/// write() is safe in a handler, and errno is as it was.
void on_interrupt(int) {
  const int error = errno;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(event.load(), &one, sizeof one);
  errno = error;
}

/// Twenty milliseconds are no delay to somebody who has pressed a key.
void watch(const std::stop_token& end, const InterruptCatcher& interrupts,
           std::stop_source source) {
  while (!end.stop_requested()) {
    if (interrupts.take()) source.request_stop();
    std::this_thread::sleep_for(poll_interval);
  }
}

}  // namespace

InterruptCatcher::InterruptCatcher() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  event.store(descriptor_);
  std::signal(SIGINT, on_interrupt);
}

InterruptCatcher::~InterruptCatcher() {
  std::signal(SIGINT, SIG_DFL);
  event.store(-1);
  close(descriptor_);
}

// Reading sets the counter back to 0.
bool InterruptCatcher::take() const noexcept {
  std::uint64_t count = 0;
  return read(descriptor_, &count, sizeof count) == sizeof count;
}

InterruptScope::InterruptScope(const InterruptCatcher& interrupts) {
  watcher = std::jthread([&interrupts, source = source_](const std::stop_token& end) {
    watch(end, interrupts, source);
  });
}

InterruptScope::~InterruptScope() { watcher = std::jthread(); }

}  // namespace cairn::tools
