// A server by HTTP: answers, events, sessions, ends of connections and what is refused.

#include "tests/tools/mcp/fixture_server.hpp"
#include "tests/tools/mcp/http_client.hpp"
#include "tests/tools/mcp/waiting_server.hpp"
#include "tools/mcp/protocol/http_server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/test/unit_test.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <string>
#include <thread>

using namespace cairn::test;
using namespace cairn::tools::mcp;
using namespace std::chrono_literals;

namespace {

const std::string initialize = R"({"jsonrpc": "2.0", "id": 0, "method": "initialize",
  "params": {"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}}}})";
const std::string ping = R"({"jsonrpc": "2.0", "id": 1, "method": "ping"})";

/// The header that names a new session.
std::string begin_session(HttpClient& client) {
  const HttpAnswer answer = client.post(initialize);
  BOOST_REQUIRE_EQUAL(answer.status, 200U);
  return "Mcp-Session-Id: " + answer.headers.at("mcp-session-id");
}

std::string call_line(int id, std::string_view tool, std::string_view meta = "{}") {
  return R"({"jsonrpc": "2.0", "id": )" + std::to_string(id) +
         R"(, "method": "tools/call", "params": {"name": ")" + std::string(tool) +
         R"(", "_meta": )" + std::string(meta) + "}}";
}

/// While it lives, this process gets no more file descriptors.
class NoDescriptors {
 public:
  NoDescriptors() {
    const int lowest = ::dup(STDIN_FILENO);
    BOOST_REQUIRE(lowest >= 0);
    ::close(lowest);
    BOOST_REQUIRE(::getrlimit(RLIMIT_NOFILE, &before_) == 0);
    rlimit none = before_;
    none.rlim_cur = static_cast<rlim_t>(lowest);
    BOOST_REQUIRE(::setrlimit(RLIMIT_NOFILE, &none) == 0);
  }
  ~NoDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;

 private:
  rlimit before_{};
};

/// The computing time of all threads of this process.
std::chrono::microseconds computing_time() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mcp_http)

BOOST_AUTO_TEST_CASE(a_request_without_handshake_is_answered_by_itself) {
  const ServerDefinition definition = make_fixture_server();
  const HttpServer server(definition);
  HttpClient client(server.port());
  HttpAnswer answer = client.post_stateless("server/discover", "", "{}");
  BOOST_TEST(answer.status == 200U);
  BOOST_TEST(answer.headers.at("content-type") == "application/json");
  BOOST_TEST(answer.messages().at(0).at("result").at("resultType") == json::value("complete"));
  // The connection stays open.
  answer =
      client.post_stateless("tools/call", "test_simple_text", R"({"name": "test_simple_text"})");
  BOOST_TEST(answer.status == 200U);
  BOOST_TEST(client.post_stateless("no/method", "", "{}").status == 404U);
  BOOST_TEST(client
                 .post_stateless("tools/call", "test_missing_capability",
                                 R"({"name": "test_missing_capability"})")
                 .status == 400U);
}

BOOST_AUTO_TEST_CASE(progress_comes_as_events) {
  const ServerDefinition definition = make_fixture_server();
  const HttpServer server(definition);
  HttpClient client(server.port());
  const HttpAnswer answer = client.post_stateless(
      "tools/call", "test_tool_with_progress",
      R"({"name": "test_tool_with_progress", "_meta": {"progressToken": "t"}})");
  BOOST_REQUIRE(answer.has_events());
  const auto messages = answer.messages();
  BOOST_REQUIRE_EQUAL(messages.size(), 4U);
  BOOST_TEST(messages[0].at("params").at("progressToken") == json::value("t"));
  BOOST_TEST(messages[3].at("id") == json::value(1));
  BOOST_TEST(client.post_stateless("tools/list", "", "{}").status == 200U);
}

BOOST_AUTO_TEST_CASE(a_session_begins_with_the_handshake) {
  const ServerDefinition definition = make_fixture_server();
  const HttpServer server(definition);
  HttpClient client(server.port());
  BOOST_TEST(client.post(ping).status == 400U);
  BOOST_TEST(client.post(ping, {"Mcp-Session-Id: 0123456789abcdef0123456789abcdef"}).status ==
             404U);
  const std::string session = begin_session(client);
  HttpAnswer answer =
      client.post(R"({"jsonrpc": "2.0", "method": "notifications/initialized"})", {session});
  BOOST_TEST(answer.status == 202U);
  BOOST_TEST(answer.body.empty());
  // By any connection.
  HttpClient other(server.port());
  BOOST_TEST(other.post(ping, {session}).messages().at(0).at("id") == json::value(1));
  BOOST_TEST(other.post(call_line(2, "test_simple_text"), {session}).status == 200U);
  // A handshake that is refused leaves no session.
  answer = client.post(R"({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}})");
  BOOST_TEST(!answer.headers.contains("mcp-session-id"));
}

// Since 2025-06-18 a client names the revision of its session in every message; older ones do not.
BOOST_AUTO_TEST_CASE(a_session_keeps_to_its_revision) {
  const ServerDefinition definition = make_fixture_server();
  const HttpServer server(definition);
  HttpClient client(server.port());
  const std::string ready = R"({"jsonrpc": "2.0", "method": "notifications/initialized"})";
  HttpAnswer begun = client.post(initialize, {"MCP-Protocol-Version: 1999-01-01"});
  BOOST_TEST(begun.status == 200U);
  const std::string session = "Mcp-Session-Id: " + begun.headers.at("mcp-session-id");
  for (const char* same : {"2025-11-25", " 2025-11-25 "}) {
    const std::string header = "MCP-Protocol-Version: " + std::string(same);
    BOOST_TEST(client.post(ready, {session, header}).status == 202U);
    BOOST_TEST(client.post(ping, {session, header}).status == 200U);
  }
  BOOST_TEST(client.post(ping, {session}).status == 200U);
  for (const char* other : {"1999-01-01", "2024-11-05", "2025-06-18", "2026-07-28", "x", ""}) {
    const std::string header = "MCP-Protocol-Version: " + std::string(other);
    const HttpAnswer refused = client.post(ping, {session, header});
    BOOST_TEST(refused.status == 400U, other);
    BOOST_TEST(refused.messages().at(0).as_object().contains("error"), other);
    BOOST_TEST(client.post(ready, {session, header}).status == 400U, other);
  }
  BOOST_TEST(client.post(ping, {session}).status == 200U);
}

BOOST_AUTO_TEST_CASE(questions_go_by_the_stream_of_the_request_and_answers_by_others) {
  const ServerDefinition definition = make_fixture_server();
  const HttpServer server(definition);
  HttpClient client(server.port());
  HttpClient other(server.port());
  const std::string session = begin_session(client);
  client.send_post(call_line(5, "test_input_required_result_elicitation"), {session});
  BOOST_REQUIRE(client.read_until("question-1"));
  BOOST_TEST(other
                 .post(R"({"jsonrpc": "2.0", "id": "question-1",
    "result": {"action": "accept", "content": {"name": "Ada"}}})",
                       {session})
                 .status == 202U);
  const auto messages = client.read_answer().messages();
  BOOST_REQUIRE_EQUAL(messages.size(), 2U);
  BOOST_TEST(messages[0].at("method") == json::value("elicitation/create"));
  BOOST_TEST(messages[1].at("id") == json::value(5));
}

BOOST_AUTO_TEST_CASE(an_id_in_use_is_refused_and_its_request_goes_on) {
  std::atomic<int> waiting = 0;
  const ServerDefinition definition = waiting_server(waiting);
  const HttpServer server(definition);
  HttpClient client(server.port());
  HttpClient other(server.port());
  const std::string session = begin_session(client);
  client.send_post(call_line(5, "wait"), {session});
  BOOST_REQUIRE(becomes(waiting, 1));
  BOOST_TEST(other.post(call_line(5, "wait"), {session}).status == 400U);
  BOOST_TEST(waiting == 1);
  BOOST_TEST(other
                 .post(R"({"jsonrpc": "2.0", "method": "notifications/cancelled",
    "params": {"requestId": 5}})",
                       {session})
                 .status == 202U);
  BOOST_TEST(becomes(waiting, 0));
  // No response comes, and the stream ends.
  BOOST_TEST(client.read_answer().messages().empty());
}

BOOST_AUTO_TEST_CASE(a_client_that_goes_cancels_its_request) {
  std::atomic<int> waiting = 0;
  const ServerDefinition definition = waiting_server(waiting);
  const HttpServer server(definition);
  HttpClient client(server.port());
  client.send_stateless("tools/call", "wait", R"({"name": "wait"})");
  BOOST_REQUIRE(becomes(waiting, 1));
  client.close();
  BOOST_TEST(becomes(waiting, 0));
}

BOOST_AUTO_TEST_CASE(changes_come_to_those_who_listen) {
  const ServerDefinition definition = make_fixture_server();
  const HttpServer server(definition);
  HttpClient client(server.port());
  client.send_stateless(
      "subscriptions/listen", "",
      R"({"notifications": {"resourceSubscriptions": ["test://watched-resource"]}})");
  BOOST_REQUIRE(client.read_until("notifications/subscriptions/acknowledged"));
  definition.changes->tools_changed();
  definition.changes->resource_updated("test://watched-resource");
  BOOST_REQUIRE(client.read_until("notifications/resources/updated"));
  client.close();
  for (int i = 0; i < 1'000 && !definition.changes->watched().empty(); ++i)
    std::this_thread::sleep_for(5ms);
  BOOST_TEST(definition.changes->watched().empty());
}

BOOST_AUTO_TEST_CASE(the_end_of_the_server_cancels_what_runs) {
  std::atomic<int> waiting = 0;
  const ServerDefinition definition = waiting_server(waiting);
  {
    const HttpServer server(definition);
    HttpClient client(server.port());
    client.send_stateless("tools/call", "wait", R"({"name": "wait"})");
    BOOST_REQUIRE(becomes(waiting, 1));
  }
  BOOST_TEST(waiting == 0);
}

BOOST_AUTO_TEST_CASE(what_is_too_much_is_refused) {
  const ServerDefinition definition = make_fixture_server();
  HttpOptions options;
  options.most_message_bytes = 10'000;
  options.most_sessions = 2;
  options.token = "secret";
  const std::string token = "Authorization: Bearer secret";
  const HttpServer server(definition, options);
  HttpClient client(server.port());
  // Announced or sent: it is not read.
  HttpClient announcing(server.port());
  announcing.send_raw(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: */*\r\n" +
      token + "\r\nContent-Length: 1073741824\r\n\r\n");
  BOOST_TEST(announcing.read_answer().status == 413U);
  BOOST_TEST(announcing.is_closed());
  HttpClient chunked(server.port());
  chunked.send_raw(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: */*\r\n" +
      token + "\r\nTransfer-Encoding: chunked\r\n\r\n4e20\r\n" + std::string(20'000, ' ') + "\r\n");
  BOOST_TEST(chunked.read_answer().status == 413U);
  HttpClient heading(server.port());
  heading.send_raw("POST /mcp HTTP/1.1\r\nX: " + std::string(20'000, 'x') + "\r\n\r\n");
  BOOST_TEST(heading.is_closed());
  HttpClient babbling(server.port());
  babbling.send_raw("\x16\x03\x01 hello\r\n\r\n");
  BOOST_TEST(babbling.is_closed());
  // What is sent on after the refusal does not hide it.
  HttpClient sending(server.port());
  sending.send_raw(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: */*\r\n"
      "Content-Length: 1000000\r\n\r\n" +
      std::string(300'000, ' '));
  std::this_thread::sleep_for(100ms);
  sending.send_raw(std::string(300'000, ' '));
  BOOST_TEST(sending.read_answer().status == 401U);
  // Without the token nothing of the message is read.
  HttpClient stranger(server.port());
  const HttpAnswer refused = stranger.post(ping);
  BOOST_TEST(refused.status == 401U);
  BOOST_TEST(refused.headers.at("www-authenticate") == "Bearer");
  BOOST_TEST(stranger.is_closed());

  BOOST_TEST(client.post("{", {token}).status == 400U);
  std::vector<std::string> sessions;
  for (int i = 0; i < 3; ++i) {
    const HttpAnswer answer = client.post(initialize, {token});
    sessions.push_back("Mcp-Session-Id: " + answer.headers.at("mcp-session-id"));
  }
  BOOST_TEST(client.post(ping, {token, sessions[0]}).status == 404U);
  BOOST_TEST(client.post(ping, {token, sessions[2]}).status == 200U);
}

BOOST_AUTO_TEST_CASE(memory_of_all_messages_is_limited) {
  std::atomic<int> waiting = 0;
  const ServerDefinition definition = waiting_server(waiting);
  HttpOptions options;
  options.most_waiting_bytes = 10'000;
  const HttpServer server(definition, options);
  const std::string large =
      R"({"name": "wait", "arguments": {"a": ")" + std::string(10'000, 'a') + "\"}}";
  HttpClient client(server.port());
  client.send_stateless("tools/call", "wait", large);
  BOOST_REQUIRE(becomes(waiting, 1));
  HttpClient other(server.port());
  BOOST_TEST(other.post_stateless("tools/list", "", "{}").status == 503U);
  client.close();
  BOOST_REQUIRE(becomes(waiting, 0));
  // The room is free a moment later.
  unsigned status = 503;
  for (int i = 0; i < 1'000 && status == 503; ++i)
    status = other.post_stateless("tools/list", "", "{}").status;
  BOOST_TEST(status == 200U);
}

BOOST_AUTO_TEST_CASE(calls_of_clients_that_went_are_limited) {
  std::atomic<int> waiting = 0;
  const ServerDefinition definition = waiting_server(waiting);
  HttpOptions options;
  options.workers = 1;
  options.most_waiting_calls = 3;
  const HttpServer server(definition, options);
  HttpClient client(server.port());
  const std::string session = begin_session(client);
  unsigned status = 0;
  for (int id = 1; id < 200 && status != 503; ++id) {
    HttpClient leaving(server.port());
    leaving.send_post(call_line(id, "wait"), {session});
    leaving.close();
    status = client.post(ping, {session}).status;
  }
  BOOST_REQUIRE_EQUAL(status, 503U);
  // What makes room goes through.
  for (int id = 1; id < 200; ++id)
    BOOST_REQUIRE_EQUAL(client
                            .post(R"({"jsonrpc": "2.0", "method": "notifications/cancelled",
      "params": {"requestId": )" + std::to_string(id) +
                                      "}}",
                                  {session})
                            .status,
                        202U);
  BOOST_TEST(becomes(waiting, 0));
  for (int i = 0; i < 1'000 && status == 503; ++i) status = client.post(ping, {session}).status;
  BOOST_TEST(status == 200U);
}

BOOST_AUTO_TEST_CASE(connections_are_limited_and_silent_ones_end) {
  const ServerDefinition definition = make_fixture_server();
  HttpOptions options;
  options.most_connections = 2;
  options.most_silence = 2s;
  const HttpServer server(definition, options);
  HttpClient first(server.port());
  HttpClient second(server.port());
  BOOST_TEST(first.post_stateless("tools/list", "", "{}").status == 200U);
  BOOST_TEST(second.post_stateless("tools/list", "", "{}").status == 200U);
  // The one that is silent for longest makes place for a new one.
  HttpClient third(server.port());
  BOOST_TEST(third.post_stateless("tools/list", "", "{}").status == 200U);
  BOOST_TEST(first.is_closed());
  BOOST_TEST(second.post_stateless("tools/list", "", "{}").status == 200U);
  second.send_raw("POST /mcp HTTP/1.1\r\n");
  BOOST_TEST(second.is_closed());
  BOOST_TEST(third.is_closed());
}

// The client's socket exists before, so only the server lacks a descriptor.
BOOST_AUTO_TEST_CASE(a_server_without_descriptors_waits_and_goes_on) {
  const ServerDefinition definition = make_fixture_server();
  const HttpServer server(definition);
  boost::asio::io_context io;
  boost::asio::ip::tcp::socket socket(io, boost::asio::ip::tcp::v4());
  const boost::asio::ip::tcp::endpoint address(boost::asio::ip::address_v4::loopback(),
                                               server.port());
  std::chrono::microseconds computed{0};
  {
    const NoDescriptors none;
    socket.connect(address);
    const auto before = computing_time();
    std::this_thread::sleep_for(500ms);
    computed = computing_time() - before;
  }
  BOOST_TEST(computed.count() < 250'000);
  socket.close();
  HttpClient client(server.port());
  BOOST_TEST(client.post_stateless("server/discover", "", "{}").status == 200U);
}

BOOST_AUTO_TEST_SUITE_END()
