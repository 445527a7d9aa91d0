#include "tests/tools/mcp/stdio_client.hpp"

#include <boost/test/unit_test.hpp>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace cairn::test {

using namespace tools::mcp;

StdioClient::StdioClient(ServerDefinition given, StdioOptions options) : server(std::move(given)) {
  // The tests write to servers that are gone.
  signal(SIGPIPE, SIG_IGN);
  BOOST_REQUIRE_EQUAL(pipe2(to_server_.data(), O_CLOEXEC), 0);
  BOOST_REQUIRE_EQUAL(pipe2(from_server_.data(), O_CLOEXEC), 0);
  options.input = to_server_[0];
  options.output = from_server_[1];
  end_ = std::async(std::launch::async, [this, options] { return serve_stdio(server, options); });
}

StdioClient::~StdioClient() {
  close_input();
  close_output();
  end_.wait();
  close(to_server_[0]);
  close(from_server_[1]);
}

bool StdioClient::write_line(std::string_view line) {
  std::string bytes(line);
  bytes += '\n';
  for (std::string_view rest = bytes; !rest.empty();) {
    const ssize_t written = write(to_server_[1], rest.data(), rest.size());
    if (written < 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::size_t StdioClient::write_some(std::string_view bytes) {
  std::size_t total = 0;
  constexpr std::size_t at_once = 4'096;
  while (total < bytes.size()) {
    pollfd polled{to_server_[1], POLLOUT, 0};
    if (poll(&polled, 1, 2'000) <= 0) break;
    const ssize_t written =
        write(to_server_[1], bytes.data() + total, std::min(at_once, bytes.size() - total));
    if (written < 0) break;
    total += static_cast<std::size_t>(written);
  }
  return total;
}

std::optional<json::value> StdioClient::read_message() {
  std::size_t end = unread_.find('\n');
  while (end == std::string::npos) {
    pollfd polled{from_server_[0], POLLIN, 0};
    if (poll(&polled, 1, 10'000) <= 0) return std::nullopt;
    std::array<char, 65'536> buffer{};
    const ssize_t bytes = read(from_server_[0], buffer.data(), buffer.size());
    if (bytes <= 0) return std::nullopt;
    const std::size_t before = unread_.size();
    unread_.append(buffer.data(), static_cast<std::size_t>(bytes));
    end = unread_.find('\n', before);
  }
  json::value message = json::parse(unread_.substr(0, end));
  unread_.erase(0, end + 1);
  return message;
}

std::optional<json::value> StdioClient::read_response(std::int64_t id) {
  while (auto message = read_message()) {
    const json::value* found = message->as_object().if_contains("id");
    if (found != nullptr && *found == json::value(id)) return message;
  }
  return std::nullopt;
}

void StdioClient::call(std::int64_t id, std::string_view tool, std::string_view meta) {
  const json::object request{{"jsonrpc", "2.0"},
                             {"id", id},
                             {"method", "tools/call"},
                             {"params", {{"name", tool}, {"_meta", json::parse(meta)}}}};
  BOOST_REQUIRE(write_line(json::serialize(request)));
}

void StdioClient::initialize() {
  BOOST_REQUIRE(write_line(R"({"jsonrpc": "2.0", "id": 0, "method": "initialize", )"
                           R"("params": {"protocolVersion": "2025-11-25", "capabilities": {}}})"));
  BOOST_REQUIRE(read_response(0));
}

void StdioClient::close_input() {
  if (to_server_[1] >= 0) close(std::exchange(to_server_[1], -1));
}

void StdioClient::close_output() {
  if (from_server_[0] >= 0) close(std::exchange(from_server_[0], -1));
}

std::optional<StdioEnd> StdioClient::wait_for_end(std::chrono::milliseconds limit) {
  if (end_.wait_for(limit) != std::future_status::ready) return std::nullopt;
  const StdioEnd end = end_.get();
  end_ = std::async(std::launch::deferred, [end] { return end; });
  return end;
}

}  // namespace cairn::test
