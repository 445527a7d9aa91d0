#include "query/cluster/owner_health.hpp"

#include "engine/system/regular_file.hpp"
#include "query/remote/tcp_connection.hpp"

#include <cairn/bolt.hpp>

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace cairn::query::cluster {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::string_view question = "GET /health HTTP/1.0\r\n\r\n";
constexpr std::string_view good_answer = "HTTP/1.1 200 ";

/// Receives the first bytes of an answer. Returns fewer if the time is over or the connection ends.
std::string receive_begin(int socket, Clock::time_point end) {
  std::string bytes;
  std::array<char, 256> room{};
  while (bytes.size() < good_answer.size()) {
    const auto left = std::chrono::ceil<milliseconds>(end - Clock::now()).count();
    pollfd waited{socket, POLLIN, 0};
    const int ready = left <= 0 ? 0 : ::poll(&waited, 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    const ssize_t size = ready <= 0 ? 0 : ::recv(socket, room.data(), room.size(), 0);
    if (size <= 0) break;
    bytes.append(room.data(), static_cast<std::size_t>(size));
  }
  return bytes;
}

Health ask_once(const BoltAddress& address, milliseconds time) {
  const auto end = Clock::now() + time;
  const auto socket = remote::connect_to(address, time);
  if (!socket) return socket.error().code == ErrorCode::io_error ? Health::silent : Health::gone;
  if (::send(socket->value(), question.data(), question.size(), MSG_NOSIGNAL) < 0)
    return Health::gone;
  const std::string answer = receive_begin(socket->value(), end);
  if (answer.starts_with(good_answer)) return Health::alive;
  return answer.empty() ? Health::silent : Health::gone;
}

}  // namespace

NodeAddress NodeAddress::parse(std::string_view text) {
  const std::size_t space = std::min(text.find(' '), text.size());
  NodeAddress address{std::string(text.substr(0, space)), {}};
  if (space < text.size()) address.health = text.substr(space + 1);
  return address;
}

Health ask_health(const std::string& address, milliseconds time) {
  const auto place = BoltAddress::parse(address);
  if (!place) return Health::gone;
  const Health first = ask_once(*place, time / 2);
  return first == Health::silent ? ask_once(*place, time / 2) : first;
}

}  // namespace cairn::query::cluster
