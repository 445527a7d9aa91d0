#include "query/attach/host_watch.hpp"

#include <poll.h>

#include <exception>
#include <system_error>
#include <utility>

namespace cairn::query::attach {
namespace {

/// Before the next try, where nobody could be found.
constexpr int pause_milliseconds = 1'000;

}  // namespace

HostWatch::HostWatch(HostCalls calls) : calls_(std::move(calls)) {
  if (!waker_.is_open()) return;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    return;
  }
}

// A forked child has no such thread.
void HostWatch::end() noexcept {
  if (!thread_.joinable()) return;
  is_ending_.store(true);
  if (!process_.is_this()) return thread_.detach();
  waker_.wake();
  thread_.join();
}

// Where memory runs out, the next call of the database finds out instead.
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

/// Whether there is no host any more.
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
