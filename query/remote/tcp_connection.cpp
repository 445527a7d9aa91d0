// DNS lookup and TCP for clients.
#include "query/remote/tcp_connection.hpp"

#include "engine/system/bounded_duration.hpp"
#include "query/attach/connection.hpp"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>
#include <system_error>

namespace cairn::query::remote {
namespace {

using Found = std::unique_ptr<addrinfo, void (*)(addrinfo*)>;

/// Resolves the host name. Errors: not_found.
Result<Found> look_up(const BoltAddress& address) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_ADDRCONFIG;
  addrinfo* found = nullptr;
  const int problem =
      ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &wanted, &found);
  if (problem != 0)
    return Error{ErrorCode::not_found,
                 "cannot find the host of " + address.text() + ": " + ::gai_strerror(problem) +
                     "; check the name",
                 {}};
  return Found(found, &::freeaddrinfo);
}

/// Waits for a non-blocking connect(). Returns 0 or an errno.
int wait_until_connected(int socket, std::chrono::milliseconds time) {
  pollfd waited{socket, POLLOUT, 0};
  const auto end = std::chrono::steady_clock::now() + engine::bounded(time);
  int ready = -1;
  do {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    ready = ::poll(&waited, 1, static_cast<int>(std::clamp<long long>(left.count(), 0, 3'600'000)));
  } while (ready < 0 && errno == EINTR);
  if (ready <= 0) return ready == 0 ? ETIMEDOUT : errno;
  int problem = 0;
  socklen_t size = sizeof problem;
  static_cast<void>(::getsockopt(socket, SOL_SOCKET, SO_ERROR, &problem, &size));
  return problem;
}

// Prepares a connected socket: small requests are sent at once (TCP_NODELAY), the system notices a peer that vanished
// without closing (SO_KEEPALIVE), and the socket blocks again.
void prepare(int socket) {
  const int on = 1;
  static_cast<void>(::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
  static_cast<void>(::setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on));
  limit_sending(socket);
  static_cast<void>(::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) & ~O_NONBLOCK));
}

}  // namespace

void limit_sending(int socket) {
  const timeval time{attach::send_time.count() / 1'000, 0};
  static_cast<void>(::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time));
}

Result<engine::FileDescriptor> connect_to(const BoltAddress& address,
                                          std::chrono::milliseconds time) {
  CAIRN_ASSIGN(const Found found, look_up(address));
  int problem = 0;
  for (const addrinfo* one = found.get(); one != nullptr; one = one->ai_next) {
    engine::FileDescriptor socket(
        ::socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    problem = errno;
    if (socket.value() < 0)
      continue;  // this machine has no such address family, for instance no IPv6
    problem = ::connect(socket.value(), one->ai_addr, one->ai_addrlen) == 0 ? 0 : errno;
    if (problem == EINPROGRESS) problem = wait_until_connected(socket.value(), time);
    if (problem != 0) continue;
    prepare(socket.value());
    return socket;
  }
  return Error{problem == ETIMEDOUT ? ErrorCode::io_error : ErrorCode::not_found,
               "cannot connect to " + address.text() + ": " +
                   std::generic_category().message(problem) +
                   "; is `cairn serve DB --bolt` running there?",
               {}};
}

}  // namespace cairn::query::remote
