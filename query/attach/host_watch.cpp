#include "query/attach/host_watch.hpp"

#include <poll.h>

#include <exception>
#include <system_error>
#include <utility>

namespace cairn::query::attach {
namespace {

/// The pause before the next attempt if connecting or changing the host failed.
constexpr int pause_milliseconds = 1'000;

}  // namespace

// Without a thread the object does nothing, which is allowed: it only speeds up the change of the host.
HostWatch::HostWatch(HostCalls calls) : calls_(std::move(calls)) {
  if (!waker_.is_open()) return;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    return;
  }
}

// A forked child does not have the thread, so it must not join it.
void HostWatch::end() noexcept {
  if (!thread_.joinable()) return;
  is_ending_.store(true);
  if (!process_.is_this()) return thread_.detach();
  waker_.wake();
  thread_.join();
}

// If memory runs out the thread ends: the next call of the database notices the end of the host instead.
void HostWatch::run() noexcept {
  try {
    while (!is_ending_.load()) {
      if (!wait_for_end()) continue;
      const auto is_attached = calls_.change();
      if (is_attached && !*is_attached) return;
      if (!is_attached) pause();
    }
  } catch (const std::exception&) {
    return;
  }
}

/// Returns true if the host has ended. Connects first, because the socket reports the end.
bool HostWatch::wait_for_end() {
  const auto connection = calls_.connect();
  if (connection) return (*connection)->wait_for_end(waker_.descriptor());
  if (connection.error().code == ErrorCode::not_found) return true;
  pause();
  return false;
}

void HostWatch::pause() const {
  pollfd waited{waker_.descriptor(), POLLIN, 0};
  static_cast<void>(::poll(&waited, 1, pause_milliseconds));
}

}  // namespace cairn::query::attach
