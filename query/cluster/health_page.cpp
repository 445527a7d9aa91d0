#include "query/cluster/health_page.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
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

}  // namespace cairn::query::cluster
