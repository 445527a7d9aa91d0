#pragma once
// Poller: the sockets that one thread waits for (epoll), and what it waits for at each.

#include "engine/system/regular_file.hpp"

#include <sys/epoll.h>

#include <cstdint>
#include <span>

namespace cairn::query::bolt {

/// Threads: any, but for wait() and close().
class Poller {
 public:
  /// Whether the system had a descriptor for it is seen by is_open().
  Poller() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {}
  [[nodiscard]] bool is_open() const noexcept { return epoll_.is_open(); }
  void close() noexcept { epoll_ = engine::FileDescriptor(); }

  /// Wait for events of a descriptor, which are reported with its number. False where the system refuses.
  [[nodiscard]] bool add(int descriptor, std::uint64_t number, std::uint32_t events) const noexcept;
  [[nodiscard]] bool change(int descriptor, std::uint64_t number,
                            std::uint32_t events) const noexcept;
  void remove(int descriptor) const noexcept;
  /// The events that have come, after `milliseconds` at the latest (-1: never).
  [[nodiscard]] std::span<const epoll_event> wait(std::span<epoll_event> room,
                                                  int milliseconds) const noexcept;

 private:
  engine::FileDescriptor epoll_;
};

/// What is waited for at one socket. Each event is reported once, until more are asked for. Threads: any.
class SocketWatch {
 public:
  SocketWatch(const Poller& poller, int socket, std::uint64_t number) noexcept
      : poller_(poller), socket_(socket), number_(number) {}

  /// Wait for the end of the client, and for bytes as well if `for_bytes`. False where the system refuses, or end() was called.
  bool ask(bool for_bytes) const noexcept {
    return poller_.change(socket_, number_, events(for_bytes));
  }
  [[nodiscard]] bool begin() const noexcept { return poller_.add(socket_, number_, events(true)); }
  /// Nothing is waited for any more, but for a socket that is closed at both sides.
  void pause() const noexcept { static_cast<void>(poller_.change(socket_, number_, EPOLLONESHOT)); }
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
