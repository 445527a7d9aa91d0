#include "query/cluster/health_page.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <system_error>
#include <utility>

namespace cairn::query::cluster {
namespace {

/// A client that sends no request by then gets no answer, so that it does not delay the others.
constexpr int most_wait_milliseconds = 100;

std::string page_of(const HealthPage::Content& content) {
  return std::string("HTTP/1.1 ") + (content.is_serving ? "200 OK" : "503 Service Unavailable") +
         "\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(content.text.size()) + "\r\nConnection: close\r\n\r\n" + content.text;
}

}  // namespace

// The page has no secret, so it needs no TLS.
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
  std::array<pollfd, 2> waited{
      {{socket_.descriptor.value(), POLLIN, 0}, {waker_.descriptor(), POLLIN, 0}}};
  for (;;) {
    if (::poll(waited.data(), waited.size(), -1) < 0) continue;
    if (waited[1].revents != 0) return;
    const auto client = bolt::accept_client(socket_);
    if (client && *client) answer((*client)->descriptor.value());
  }
}

// The whole request is read in one piece, as every client of such a page sends it.
void HealthPage::answer(int client) const {
  std::array<char, 2'048> request{};
  pollfd waited{client, POLLIN, 0};
  if (::poll(&waited, 1, most_wait_milliseconds) <= 0) return;
  if (::recv(client, request.data(), request.size(), MSG_DONTWAIT) <= 0) return;
  const std::string page = page_of(describe_());
  static_cast<void>(::send(client, page.data(), page.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
  ::shutdown(client, SHUT_WR);
}

}  // namespace cairn::query::cluster
