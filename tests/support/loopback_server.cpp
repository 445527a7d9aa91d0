#include "tests/support/loopback_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace cairn::test {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool send_all(int connection, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

/// The next request of a connection. Empty at the connection's end.
std::optional<HttpRequest> read_request(int connection, std::string& buffer) {
  const auto more = [&] {
    char bytes[8192];
    const auto size = ::recv(connection, bytes, sizeof bytes, 0);
    if (size > 0) buffer.append(bytes, static_cast<std::size_t>(size));
    return size > 0;
  };
  while (buffer.find("\r\n\r\n") == std::string::npos)
    if (!more()) return std::nullopt;
  const std::size_t end = buffer.find("\r\n\r\n");
  std::istringstream lines(buffer.substr(0, end));
  buffer.erase(0, end + 4);
  HttpRequest request;
  std::string target;
  lines >> request.method >> target;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    if (line.ends_with('\r')) line.pop_back();
    const std::size_t colon = line.find(':');
    const std::size_t value = line.find_first_not_of(' ', colon + 1);
    request.headers[lower(line.substr(0, colon))] =
        value == std::string::npos ? "" : line.substr(value);
  }
  const std::size_t mark = target.find('?');
  request.path = target.substr(0, mark);
  if (mark != std::string::npos) request.query = target.substr(mark + 1);
  if (!request.header("expect").empty()) send_all(connection, "HTTP/1.1 100 Continue\r\n\r\n");
  const std::string length = request.header("content-length");
  const std::size_t bytes = length.empty() ? 0 : std::stoul(length);
  while (buffer.size() < bytes)
    if (!more()) return std::nullopt;
  request.body = buffer.substr(0, bytes);
  buffer.erase(0, bytes);
  return request;
}

std::string head_of(const HttpResponse& response) {
  std::string head = "HTTP/1.1 " + std::to_string(response.status) + " as answered\r\n";
  for (const auto& [name, value] : response.headers) head += name + ": " + value + "\r\n";
  return head + "Content-Length: " + std::to_string(response.body.size()) + "\r\n\r\n";
}

}  // namespace

std::string HttpRequest::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string() : found->second;
}

LoopbackServer::LoopbackServer(Answer answer) : answer_(std::move(answer)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* any = reinterpret_cast<sockaddr*>(&address);
  if (listener_ < 0 || ::bind(listener_, any, size) != 0 || ::listen(listener_, 64) != 0 ||
      ::getsockname(listener_, any, &size) != 0)
    throw std::runtime_error("cannot listen on the loopback interface");
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

LoopbackServer::~LoopbackServer() {
  {
    const std::lock_guard lock(mutex_);
    is_closing_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    for (const int connection : connections_) ::shutdown(connection, SHUT_RDWR);
  }
  acceptor_.join();
  for (std::thread& server : servers_) server.join();
  for (const int connection : connections_) ::close(connection);
  ::close(listener_);
}

std::string LoopbackServer::endpoint() const { return "http://127.0.0.1:" + std::to_string(port_); }

void LoopbackServer::accept_all() {
  for (;;) {
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    const std::lock_guard lock(mutex_);
    if (is_closing_ || connection < 0) {
      if (connection >= 0) ::close(connection);
      return;
    }
    connections_.push_back(connection);
    servers_.emplace_back([this, connection] { serve(connection); });
  }
}

void LoopbackServer::serve(int connection) {
  std::string buffer;
  while (const auto request = read_request(connection, buffer)) {
    const HttpResponse response = answer_(*request);
    if (response.is_dropped) break;
    std::string_view body(response.body);
    if (response.is_cut) body = body.substr(0, body.size() / 2);
    // Head and body are sent together: separately, the body would wait for the acknowledgement of
    // the head.
    const bool is_sent = send_all(connection, head_of(response).append(body));
    if (!is_sent || response.is_cut) break;
  }
  ::shutdown(connection, SHUT_RDWR);
}

}  // namespace cairn::test
