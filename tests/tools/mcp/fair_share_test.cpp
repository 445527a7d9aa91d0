// A caller by HTTP that floods the server is refused itself, and others are answered.

#include "tests/tools/mcp/fixture_server.hpp"
#include "tests/tools/mcp/http_client.hpp"
#include "tests/tools/mcp/waiting_server.hpp"
#include "tools/mcp/protocol/http_server.hpp"
#include "tools/mcp/protocol/shared_room.hpp"

#include <boost/system/system_error.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>

using namespace cairn::test;
using namespace cairn::tools::mcp;
using namespace std::chrono_literals;

namespace {

/// A token is the name of its caller, and all are offered the same.
HttpLogin login_by_name(const ServerDefinition& server) {
  const std::shared_ptr<const ServerDefinition> offered(std::shared_ptr<void>(), &server);
  return [offered, signer = std::make_shared<const StateSigner>()](
             std::string_view token) -> std::variant<HttpCaller, HttpRefusal> {
    return HttpCaller{std::string(token), offered, signer};
  };
}

/// A tool of waiting_server(), with so many bytes of arguments.
std::string call_of(const std::string& tool, std::size_t bytes = 0) {
  return R"({"name": ")" + tool + R"(", "arguments": {"a": ")" + std::string(bytes, 'a') + "\"}}";
}

constexpr const char* initialize = R"({"jsonrpc": "2.0", "id": 0, "method": "initialize",
  "params": {"protocolVersion": "2025-11-25", "capabilities": {}}})";

constexpr const char* initialize_with_forms = R"({"jsonrpc": "2.0", "id": 0,
  "method": "initialize", "params": {"protocolVersion": "2025-11-25",
  "capabilities": {"elicitation": {}}}})";

/// A client with a token, which is the name of its caller.
class CallerClient : public HttpClient {
 public:
  CallerClient(std::uint16_t port, const std::string& caller) : HttpClient(port) {
    always_send("Authorization: Bearer " + caller);
  }
};

/// Calls that wait, each by a connection and a thread of its own, which holds the connection also where the call was refused.
/// It ends after the server.
class Flood {
 public:
  Flood() = default;
  Flood(const Flood&) = delete;
  Flood& operator=(const Flood&) = delete;
  ~Flood() {
    is_over_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

  void send(std::uint16_t port, const std::string& caller, int calls, std::size_t bytes = 0) {
    for (int i = 0; i < calls; ++i)
      threads_.emplace_back([this, port, caller, bytes] { call(port, caller, bytes); });
  }

  std::atomic<int> refused = 0;  ///< with status 503
  std::atomic<int> ended = 0;    ///< refused, or with their connection

 private:
  void call(std::uint16_t port, const std::string& caller, std::size_t bytes) {
    try {
      CallerClient client(port, caller);
      if (client.post_stateless("tools/call", "wait", call_of("wait", bytes)).status == 503)
        ++refused;
      ++ended;
      while (!is_over_) std::this_thread::sleep_for(1ms);
    } catch (const boost::system::system_error&) {
      // The test was over before it could connect.
    }
  }

  std::atomic<bool> is_over_ = false;
  std::list<std::thread> threads_;
};

struct FloodedServer {
  void serve(const HttpOptions& options) { server.emplace(login_by_name(definition), options); }
  /// Ends what waits, so that no flood is left.
  ~FloodedServer() { server.reset(); }

  CallerClient client(const std::string& caller) { return {server->port(), caller}; }
  /// The status of a short call, and whether it came long before a call that waits ends.
  static std::pair<unsigned, bool> ask(HttpClient& client) {
    const auto begin = std::chrono::steady_clock::now();
    const unsigned status = client.post_stateless("tools/call", "answer", call_of("answer")).status;
    return {status, std::chrono::steady_clock::now() - begin < 8s};
  }
  static void check_answered(HttpClient& client) {
    const auto [status, is_prompt] = ask(client);
    BOOST_TEST(status == 200U);
    BOOST_TEST(is_prompt);
  }

  std::atomic<int> waiting = 0;
  Flood flood;
  Flood second_flood;
  const ServerDefinition definition = waiting_server(waiting);
  std::optional<HttpServer> server;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(mcp_shared_room)

BOOST_AUTO_TEST_CASE(no_caller_takes_more_than_it_leaves_free) {
  SharedRoom room(10);
  const auto fill = [&](const char* caller) {
    int taken = 0;
    for (; room.fits(caller, 1) && taken < 100; ++taken) room.take(caller, 1);
    return taken;
  };
  BOOST_TEST(fill("a") == 5);
  BOOST_TEST(fill("b") == 2);
  BOOST_TEST(fill("c") == 1);
  // What the first one gives back, another one may have.
  room.give_back("a", 3);
  BOOST_TEST(fill("c") == 2);
  BOOST_TEST(room.taken() == 7U);
}

BOOST_AUTO_TEST_CASE(the_first_of_a_caller_fits_where_anything_is_free) {
  SharedRoom room(10);
  BOOST_TEST(room.fits("a", 100));
  room.take("a", 9);
  BOOST_TEST(!room.fits("a", 1));
  BOOST_TEST(room.fits("b", 100));
  room.take("b", 100);
  BOOST_TEST(!room.fits("c", 1));
  room.give_back("b", 100);
  BOOST_TEST(room.fits("c", 1));
  // More than is held cannot be given back.
  room.give_back("a", 50);
  room.give_back("nobody", 1);
  BOOST_TEST(room.taken() == 0U);
  BOOST_TEST(SharedRoom(0).fits("a", 1));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(mcp_fair_share, FloodedServer)

BOOST_AUTO_TEST_CASE(long_calls_of_one_caller_leave_a_worker_to_others) {
  serve({});
  flood.send(server->port(), "busy", 12);
  BOOST_REQUIRE(becomes(waiting, 3));
  CallerClient quiet = client("quiet");
  for (int i = 0; i < 3; ++i) check_answered(quiet);
  BOOST_TEST(waiting == 3);
  // Another one that waits has the last worker, and no more than that.
  second_flood.send(server->port(), "other", 3);
  BOOST_REQUIRE(becomes(waiting, 4));
}

BOOST_AUTO_TEST_CASE(connections_of_one_caller_make_room_for_others) {
  HttpOptions options;
  options.most_connections = 8;
  serve(options);
  CallerClient kept = client("quiet");
  check_answered(kept);
  flood.send(server->port(), "busy", 30);
  // Four are answered, and three are refused and hold all that is left.
  BOOST_REQUIRE(becomes(flood.ended, 26));
  BOOST_REQUIRE(becomes(waiting, 3));
  CallerClient first = client("quiet");
  check_answered(first);
  CallerClient second = client("quiet");
  check_answered(second);
  CallerClient third = client("quiet");
  check_answered(third);
  check_answered(kept);
  BOOST_TEST(waiting == 3);
}

BOOST_AUTO_TEST_CASE(calls_beyond_a_callers_part_are_refused) {
  HttpOptions options;
  options.most_connections = 16;
  serve(options);
  // Eight are answered, and as much is free.
  flood.send(server->port(), "busy", 15);
  BOOST_REQUIRE(becomes(flood.refused, 7));
  CallerClient quiet = client("quiet");
  check_answered(quiet);
  CallerClient more = client("busy");
  BOOST_TEST(ask(more).first == 503U);
  check_answered(quiet);
}

BOOST_AUTO_TEST_CASE(calls_that_lost_their_connection_are_of_their_caller) {
  HttpOptions options;
  options.workers = 2;
  options.most_waiting_calls = 8;
  serve(options);
  CallerClient busy = client("busy");
  const std::string session =
      "Mcp-Session-Id: " + busy.post(initialize).headers.at("mcp-session-id");
  const std::string ping = R"({"jsonrpc": "2.0", "id": "p", "method": "ping"})";
  unsigned status = 0;
  for (int id = 1; id < 200 && status != 503; ++id) {
    CallerClient leaving = client("busy");
    leaving.send_post(R"({"jsonrpc": "2.0", "id": )" + std::to_string(id) +
                          R"(, "method": "tools/call", "params": {"name": "wait"}})",
                      {session});
    leaving.close();
    status = busy.post(ping, {session}).status;
  }
  BOOST_TEST(status == 503U);
  CallerClient quiet = client("quiet");
  check_answered(quiet);
}

BOOST_AUTO_TEST_CASE(memory_is_shared_and_bounded) {
  HttpOptions options;
  options.most_waiting_bytes = 100'000;
  serve(options);
  // Each takes between a fifth and a quarter of the memory.
  constexpr std::size_t bytes = 20'000;
  flood.send(server->port(), "a", 10, bytes);
  BOOST_REQUIRE(becomes(flood.refused, 8));
  CallerClient quiet = client("quiet");
  check_answered(quiet);
  second_flood.send(server->port(), "b", 10, bytes);
  BOOST_REQUIRE(becomes(second_flood.refused, 9));
  check_answered(quiet);
  second_flood.send(server->port(), "c", 10, bytes);
  BOOST_REQUIRE(becomes(second_flood.refused, 18));
  // The last one that fits takes more than there is, and then nobody has any room.
  second_flood.send(server->port(), "d", 10, bytes);
  BOOST_REQUIRE(becomes(second_flood.refused, 27));
  second_flood.send(server->port(), "e", 10, bytes);
  BOOST_REQUIRE(becomes(second_flood.refused, 37));
  BOOST_TEST(ask(quiet).first == 503U);
}

BOOST_AUTO_TEST_CASE(requests_that_listen_take_no_room_and_end_last) {
  HttpOptions options;
  options.most_connections = 8;
  serve(options);
  std::list<CallerClient> listening;
  const auto listen = [&] {
    listening.emplace_back(server->port(), "busy");
    listening.back().send_stateless("subscriptions/listen", "", R"({"notifications": {}})");
    BOOST_REQUIRE(listening.back().read_until("subscriptions/acknowledged"));
  };
  for (int i = 0; i < 7; ++i) listen();
  CallerClient busy = client("busy");
  check_answered(busy);
  // An idle connection is closed first, then the one that has listened longest.
  CallerClient quiet = client("quiet");
  check_answered(quiet);
  BOOST_TEST(busy.is_closed());
  CallerClient other = client("other");
  check_answered(other);
  BOOST_TEST(listening.front().is_closed());
  check_answered(quiet);
}

BOOST_AUTO_TEST_CASE(questions_in_all_sessions_of_a_caller_share_its_memory) {
  HttpOptions options;
  options.most_waiting_bytes = 100'000;
  const ServerDefinition asking = make_fixture_server();
  server.emplace(login_by_name(asking), options);
  // Each takes between a fifth and a quarter of the memory.
  const auto line_of = [](int id) {
    return R"({"jsonrpc": "2.0", "id": )" + std::to_string(id) +
           R"(, "method": "tools/call", "params": )" +
           call_of("test_input_required_result_elicitation", 20'000) + "}";
  };
  const auto begin = [&](const std::string& caller) {
    return "Mcp-Session-Id: " +
           client(caller).post(initialize_with_forms).headers.at("mcp-session-id");
  };
  // Their connections go, and the calls wait for answers in their sessions.
  const auto is_asked = [&](const std::string& caller, const std::string& session) {
    CallerClient leaving = client(caller);
    leaving.send_post(line_of(1), {session});
    return leaving.read_until("elicitation/create");
  };
  const std::string first = begin("busy");
  BOOST_TEST(is_asked("busy", first));
  BOOST_TEST(is_asked("busy", begin("busy")));
  const std::string third = begin("busy");
  HttpAnswer refused;
  // Until the connections have gone there is no room for a message.
  for (int i = 0; i < 1'000 && refused.status != 200; ++i)
    refused = client("busy").post(line_of(1), {third});
  BOOST_TEST((refused.body.find("too many questions wait") != std::string::npos), refused.body);
  const std::string cancel = R"({"jsonrpc": "2.0", "method": "notifications/cancelled",
    "params": {"requestId": 1}})";
  BOOST_TEST(client("busy").post(cancel, {first}).status == 202U);
  BOOST_TEST(is_asked("busy", third));
  BOOST_TEST(is_asked("quiet", begin("quiet")));
}

BOOST_AUTO_TEST_CASE(no_connection_that_is_being_answered_ends_for_a_new_one) {
  HttpOptions options;
  options.most_connections = 2;
  serve(options);
  flood.send(server->port(), "a", 1);
  second_flood.send(server->port(), "b", 1);
  BOOST_REQUIRE(becomes(waiting, 2));
  CallerClient third = client("c");
  BOOST_TEST(third.is_closed());
  BOOST_TEST(waiting == 2);
}

BOOST_AUTO_TEST_SUITE_END()
