#include "tests/query/bolt/socket_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <utility>

namespace cairn::test {
namespace {

using query::bolt::Tag;
using std::chrono::milliseconds;

constexpr milliseconds patience{5'000};

bool is_ready(int descriptor, short events, milliseconds time) {
  pollfd waited{descriptor, events, 0};
  return ::poll(&waited, 1, static_cast<int>(time.count())) > 0;
}

}  // namespace

SocketClient::SocketClient(const BoltAddress& address)
    : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in server{};
  server.sin_family = AF_INET;
  server.sin_port = htons(address.port);
  server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(descriptor_, reinterpret_cast<const sockaddr*>(&server), sizeof server) != 0)
    throw std::runtime_error("cannot connect");
}

SocketClient::SocketClient(SocketClient&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      reader_(std::move(other.reader_)),
      unread_(std::move(other.unread_)) {}

SocketClient::~SocketClient() { close(); }

void SocketClient::close() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

void SocketClient::shut_down() { ::shutdown(descriptor_, SHUT_WR); }

bool SocketClient::send(std::string_view bytes) {
  return send_some(bytes, patience) == bytes.size();
}

std::size_t SocketClient::send_some(std::string_view bytes, milliseconds time) {
  std::size_t sent = 0;
  while (sent < bytes.size() && is_ready(descriptor_, POLLOUT, time)) {
    const ssize_t count =
        ::send(descriptor_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && errno != EAGAIN) break;
    if (count > 0) sent += static_cast<std::size_t>(count);
  }
  return sent;
}

bool SocketClient::send_request(Tag tag, const List& fields) {
  return send(chunks_of(tag, fields));
}

std::string SocketClient::receive(std::size_t size) {
  std::string bytes = unread_.substr(0, size);
  unread_.erase(0, size);
  std::array<char, 4096> buffer{};
  while (bytes.size() < size && is_ready(descriptor_, POLLIN, patience)) {
    const ssize_t count =
        ::recv(descriptor_, buffer.data(), std::min(buffer.size(), size - bytes.size()), 0);
    if (count <= 0) break;
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return bytes;
}

std::optional<BoltAnswer> SocketClient::answer() {
  while (true) {
    std::string_view left(unread_);
    const auto outcome = reader_.take(left, std::size_t{1} << 30U);
    unread_ = std::string(left);
    if (outcome == query::bolt::ChunkReader::Outcome::message)
      return read_answer(reader_.take_message());
    std::array<char, 65536> buffer{};
    if (!is_ready(descriptor_, POLLIN, patience)) return std::nullopt;
    const ssize_t count = ::recv(descriptor_, buffer.data(), buffer.size(), 0);
    if (count <= 0) return std::nullopt;
    unread_.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

BoltAnswer SocketClient::ask(Tag tag, const List& fields) {
  send_request(tag, fields);
  auto answered = answer();
  if (!answered) throw std::runtime_error("the connection has ended");
  return *std::move(answered);
}

std::string SocketClient::result(std::string_view text, const Map& parameters) {
  const BoltAnswer ran = ask(Tag::run, {text, parameters, Map()});
  if (ran.tag != Tag::success) return failure_text(ran);
  send_request(Tag::pull, {Map{{"n", -1}}});
  std::string rows;
  while (true) {
    const auto answered = answer();
    if (!answered) return rows + " and the end of the connection";
    if (answered->tag == Tag::success) return rows;
    if (answered->tag != Tag::record) return rows + failure_text(*answered);
    const List& cells = answered->content.as_list();
    rows += (rows.empty() ? "" : "; ") + (cells.empty() ? std::string() : cells[0].to_text());
  }
}

bool SocketClient::is_ended_within(milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  std::array<char, 65536> buffer{};
  while (true) {
    const auto left = std::chrono::ceil<milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0 || !is_ready(descriptor_, POLLIN, left)) return false;
    if (::recv(descriptor_, buffer.data(), buffer.size(), 0) <= 0) return true;
  }
}

bool SocketClient::shake_hands() {
  return send(handshake_bytes()) && receive(4) == std::string("\0\0\x08\x05", 4);
}

bool SocketClient::log_on(const std::string& secret) {
  if (!shake_hands() || !send(logon_bytes(secret))) return false;
  const auto hello = answer();
  const auto logon = answer();
  return hello && logon && hello->tag == Tag::success && logon->tag == Tag::success;
}

std::string chunks_of(Tag tag, const List& fields) {
  std::string bytes;
  static_cast<void>(
      query::bolt::write_chunks(request_of(tag, fields), [&bytes](std::string_view piece) {
        bytes += piece;
        return true;
      }));
  return bytes;
}

std::string logon_bytes(const std::string& secret) {
  return chunks_of(Tag::hello, {Map{{"user_agent", "test"}}}) +
         chunks_of(Tag::logon, {Map{{"scheme", "bearer"}, {"credentials", secret}}});
}

std::string handshake_bytes() {
  std::string bytes("\x60\x60\xB0\x17\0\0\x08\x05", 8);
  bytes.resize(20);
  return bytes;
}

}  // namespace cairn::test
