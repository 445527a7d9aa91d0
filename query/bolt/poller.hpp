#pragma once
// Poller: the sockets and their events for which one thread waits with epoll.

#include "engine/system/regular_file.hpp"

#include <sys/epoll.h>

#include <cstdint>
#include <span>

namespace cairn::query::bolt {

/// Threads: any, except for wait() and close().
class Poller {
 public:
  /// is_open() reports whether the system had a descriptor for it.
  Poller() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {}
  [[nodiscard]] bool is_open() const noexcept { return epoll_.is_open(); }
  void close() noexcept { epoll_ = engine::FileDescriptor(); }

  /// Waits for events of a descriptor, which are reported with its number. Returns false if the system refuses.
  [[nodiscard]] bool add(int descriptor, std::uint64_t number, std::uint32_t events) const noexcept;
  /// Replaces the events that are waited for.
  [[nodiscard]] bool change(int descriptor, std::uint64_t number,
                            std::uint32_t events) const noexcept;
  void remove(int descriptor) const noexcept;
  /// Waits for events, for at most `milliseconds` (-1: without limit). Returns those that occurred, in `room`.
  [[nodiscard]] std::span<const epoll_event> wait(std::span<epoll_event> room,
                                                  int milliseconds) const noexcept;

 private:
  engine::FileDescriptor epoll_;
};

/// One socket of a listener. After an event is reported, no further event is reported until ask() is called. Threads:
/// any.
class SocketWatch {
 public:
  SocketWatch(const Poller& poller, int socket, std::uint64_t number) noexcept
      : poller_(poller), socket_(socket), number_(number) {}

  /// Waits for the end of the client, and for bytes too if `for_bytes`. Returns false if the system refuses, or after
  /// end().
  bool ask(bool for_bytes) const noexcept {
    return poller_.change(socket_, number_, events(for_bytes));
  }
  /// Adds the socket to the poller.
  [[nodiscard]] bool begin() const noexcept { return poller_.add(socket_, number_, events(true)); }
  /// Stops waiting. The system still reports a socket that both sides have closed.
  void pause() const noexcept { static_cast<void>(poller_.change(socket_, number_, EPOLLONESHOT)); }
  /// Removes the socket from the poller.
  void end() const noexcept { poller_.remove(socket_); }

 private:
  static std::uint32_t events(bool for_bytes) noexcept {
    return (for_bytes ? std::uint32_t{EPOLLIN} : 0U) | EPOLLRDHUP | EPOLLONESHOT;
  }

  const Poller& poller_;
  const int socket_;
  const std::uint64_t number_;
};

}  // namespace cairn::query::bolt
