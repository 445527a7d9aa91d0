// A signal handler must not request a stop, because that takes a lock. Therefore the handler only
// increments an eventfd. The prompt polls the eventfd together with the keyboard. While a statement
// runs, another thread polls the eventfd and requests the stop.
#include "tools/shell/interrupt.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <initializer_list>
#include <thread>

namespace cairn::tools {
namespace {

constexpr auto poll_interval = std::chrono::milliseconds(20);
std::atomic<int> event{-1};  // of the only existing catcher
std::jthread watcher;        // of the only existing scope, whose destructor joins it

/// write() may be called in a signal handler; errno is restored.
void on_interrupt(int) {
  const int error = errno;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(event.load(), &one, sizeof one);
  errno = error;
}

/// A delay of twenty milliseconds after a key press is not noticeable.
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

// Reading resets the counter to 0.
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

// A handler may run on any thread, so the signal may not interrupt the thread that waits for keys.
// Therefore the handler increments an eventfd, which that thread polls too.

namespace {

constexpr std::array signals{SIGWINCH, SIGTSTP, SIGCONT};
std::atomic<int> terminal_event{-1};  // of the only existing object
std::atomic<bool> has_new_size{false};
std::atomic<bool> is_to_stop{false};
std::atomic<bool> goes_on{false};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

/// write() may be called in a signal handler; errno is restored.
void on_signal(int signal) {
  const int error = errno;
  if (signal == SIGWINCH) has_new_size = true;
  if (signal == SIGTSTP) is_to_stop = true;
  if (signal == SIGCONT) goes_on = true;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(terminal_event, &one, sizeof one);
  errno = error;
}

void set_handler(int signal, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  sigaction(signal, &action, nullptr);
}

}  // namespace

TerminalSignals::TerminalSignals() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  terminal_event = descriptor_;
  for (const int signal : signals) set_handler(signal, on_signal);
}

TerminalSignals::~TerminalSignals() {
  for (const int signal : signals) set_handler(signal, SIG_DFL);
  terminal_event = -1;
  close(descriptor_);
}

// Reading resets the counter to 0.
TerminalEvent TerminalSignals::take() const noexcept {
  std::uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = read(descriptor_, &count, sizeof count);
  if (is_to_stop.exchange(false)) return TerminalEvent::suspended;
  if (goes_on.exchange(false)) return TerminalEvent::resumed;
  return has_new_size.exchange(false) ? TerminalEvent::resized : TerminalEvent::none;
}

// SIGCONT is not recorded meanwhile: the return of this call tells the caller that the program
// continues, and the signal may arrive later on another thread.
void TerminalSignals::suspend() {
  for (const int signal : {SIGCONT, SIGTSTP}) set_handler(signal, SIG_DFL);
  std::raise(SIGTSTP);
  for (const int signal : {SIGCONT, SIGTSTP}) set_handler(signal, on_signal);
}

}  // namespace cairn::tools
