// A signal handler may do almost nothing, and a stop source takes a lock; so the handler only sets a
// flag, and a thread that waits beside the statement turns the flag into a stop request.
#include "tools/shell/interrupt.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

namespace cairn::tools {
namespace {

constexpr auto poll_interval = std::chrono::milliseconds(20);
std::atomic<bool> interrupted{false};
std::jthread watcher;  // of the one scope that lives; joined by its destructor

void on_interrupt(int) { interrupted.store(true); }

void watch(const std::stop_token& end, std::stop_source source) {
  while (!end.stop_requested()) {
    if (interrupted.exchange(false)) source.request_stop();
    std::this_thread::sleep_for(poll_interval);
  }
}

}  // namespace

InterruptScope::InterruptScope() {
  interrupted.store(false);
  std::signal(SIGINT, on_interrupt);
  watcher = std::jthread([source = source_](const std::stop_token& end) { watch(end, source); });
}

InterruptScope::~InterruptScope() {
  watcher = std::jthread();
  std::signal(SIGINT, SIG_DFL);
}

}  // namespace cairn::tools
