#include "query/cluster/health_page.hpp"

#include "engine/system/regular_file.hpp"
#include "query/remote/tcp_connection.hpp"

#include <cairn/bolt.hpp>

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <utility>

namespace cairn::query::cluster {
namespace {

using std::chrono::milliseconds;

/// A client that sends no request within this time gets no answer.
constexpr milliseconds request_time{1'000};
/// The most clients that may wait without having sent a request. If there are more, the connection
/// of the oldest client is closed.
constexpr std::size_t most_clients = 64;
/// The pause if the process has no descriptor left for a client.
constexpr milliseconds pause_without_descriptors{50};

std::string page_of(const HealthPage::Content& content) {
  return std::string("HTTP/1.1 ") + (content.is_serving ? "200 OK" : "503 Service Unavailable") +
         "\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(content.text.size()) + "\r\nConnection: close\r\n\r\n" + content.text;
}

}  // namespace

// The page contains no secret, so no TLS is needed.
Result<std::unique_ptr<HealthPage>> HealthPage::open(const BoltAddress& address,
                                                     Describe describe) {
  CAIRN_ASSIGN(auto socket, bolt::listen_at(address, true));
  auto page = std::make_unique<HealthPage>(std::move(socket), std::move(describe));
  try {
    page->thread_ = std::thread([self = page.get()] { self->run(); });
  } catch (const std::system_error& error) {
    return Error{
        ErrorCode::io_error, std::string("cannot begin the health page: ") + error.what(), {}};
  }
  return page;
}

void HealthPage::close() {
  if (!thread_.joinable()) return;
  waker_.wake();
  thread_.join();
  socket_.descriptor = engine::FileDescriptor();
}

void HealthPage::run() {
  for (;;) {
    std::vector<pollfd> waited = watched();
    if (::poll(waited.data(), waited.size(), time_left()) < 0) continue;
    if (waited[1].revents != 0) return;
    answer_ready(std::span(waited).subspan(2));
    if (waited[0].revents != 0) admit();
  }
}

std::vector<pollfd> HealthPage::watched() const {
  std::vector<pollfd> waited{{socket_.descriptor.value(), POLLIN, 0},
                             {waker_.descriptor(), POLLIN, 0}};
  for (const Client& client : clients_) waited.push_back({client.socket.value(), POLLIN, 0});
  return waited;
}

int HealthPage::time_left() const {
  if (clients_.empty()) return -1;
  const auto left = std::chrono::ceil<milliseconds>(clients_.front().end - Clock::now()).count();
  return static_cast<int>(std::max<std::int64_t>(left, 0));
}

void HealthPage::answer_ready(std::span<const pollfd> clients) {
  const auto now = Clock::now();
  auto waited = clients.begin();
  std::erase_if(clients_, [&](const Client& client) {
    const bool is_ready = (waited++)->revents != 0;
    if (is_ready) answer(client.socket.value());
    return is_ready || client.end <= now;
  });
}

void HealthPage::admit() {
  auto client = bolt::accept_client(socket_);
  if (!client && clients_.empty()) std::this_thread::sleep_for(pause_without_descriptors);
  const bool is_full = !client || clients_.size() >= most_clients;
  if (is_full && !clients_.empty()) clients_.pop_front();
  if (client && *client)
    clients_.push_back({std::move((*client)->descriptor), Clock::now() + request_time});
}

// The whole request is read in one piece, as every client of such a page sends it.
void HealthPage::answer(int client) const {
  std::array<char, 2'048> request{};
  if (::recv(client, request.data(), request.size(), MSG_DONTWAIT) <= 0) return;
  const std::string page = page_of(describe_());
  static_cast<void>(::send(client, page.data(), page.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
  ::shutdown(client, SHUT_WR);
}

// The request of another node.

namespace {

constexpr std::string_view health_request = "GET /health HTTP/1.0\r\n\r\n";
constexpr std::string_view good_answer = "HTTP/1.1 200 ";

/// Receives the first bytes of an answer. Returns fewer if the time is over or the connection ends.
std::string receive_begin(int socket, std::chrono::steady_clock::time_point end) {
  std::string bytes;
  std::array<char, 256> room{};
  while (bytes.size() < good_answer.size()) {
    const auto left =
        std::chrono::ceil<milliseconds>(end - std::chrono::steady_clock::now()).count();
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
  const auto end = std::chrono::steady_clock::now() + time;
  const auto socket = remote::connect_to(address, time);
  if (!socket) return socket.error().code == ErrorCode::io_error ? Health::silent : Health::gone;
  if (::send(socket->value(), health_request.data(), health_request.size(), MSG_NOSIGNAL) < 0)
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
