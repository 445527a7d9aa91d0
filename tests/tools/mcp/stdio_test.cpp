// A server at its pipes: threads, ends of the input and of the output, and clients that do not read.

#include "tests/tools/mcp/fixture_server.hpp"
#include "tests/tools/mcp/stdio_client.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <set>
#include <string>
#include <thread>

using namespace cairn::test;
using namespace cairn::tools::mcp;
using namespace std::chrono_literals;

namespace {

/// A server of one tool `work`.
ServerDefinition server_of(ToolHandler call) {
  ServerDefinition server;
  server.name = "test";
  server.version = "1";
  Tool tool;
  tool.name = "work";
  tool.input_schema = {{"type", "object"}};
  tool.call = std::move(call);
  server.tools.push_back(std::move(tool));
  return server;
}

const std::string ping = R"({"jsonrpc": "2.0", "id": 77, "method": "ping"})";

}  // namespace

BOOST_AUTO_TEST_SUITE(mcp_stdio)

BOOST_AUTO_TEST_CASE(calls_are_answered_until_the_input_ends) {
  StdioClient client(make_fixture_server());
  client.initialize();
  for (int id = 1; id <= 300; ++id) client.call(id, "test_simple_text");
  std::set<std::int64_t> answered;
  for (int i = 0; i < 300; ++i) {
    const auto message = client.read_message();
    BOOST_REQUIRE(message);
    answered.insert(message->at("id").as_int64());
  }
  BOOST_TEST(answered.size() == 300U);
  client.close_input();
  BOOST_TEST((client.wait_for_end(20s) == StdioEnd::input_ended));
}

BOOST_AUTO_TEST_CASE(a_last_line_without_its_end_is_answered) {
  StdioClient client(make_fixture_server());
  BOOST_TEST(client.write_some(ping) == ping.size());
  client.close_input();
  BOOST_TEST(client.read_response(77).has_value());
}

BOOST_AUTO_TEST_CASE(a_running_tool_is_cancelled_and_others_go_on) {
  std::atomic<bool> has_begun = false;
  std::atomic<bool> was_cancelled = false;
  StdioClient client(server_of([&](const json::object&, Context& context) {
    has_begun = true;
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (!context.is_cancelled() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(1ms);
    was_cancelled = context.is_cancelled();
    return text_result("late");
  }));
  client.initialize();
  client.call(1, "work");
  BOOST_REQUIRE(client.write_line(ping));
  BOOST_REQUIRE(client.read_response(77));
  for (int i = 0; i < 2'000 && !has_begun; ++i) std::this_thread::sleep_for(5ms);
  BOOST_REQUIRE(has_begun);
  BOOST_TEST(!was_cancelled);
  BOOST_REQUIRE(client.write_line(
      R"({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})"));
  for (int i = 0; i < 1'000 && !was_cancelled; ++i) std::this_thread::sleep_for(5ms);
  BOOST_TEST(was_cancelled);
  // Its response never comes: the next message is that of the ping.
  BOOST_REQUIRE(client.write_line(ping));
  BOOST_TEST(client.read_message()->at("id") == json::value(77));
}

BOOST_AUTO_TEST_CASE(tools_run_at_the_same_time) {
  std::atomic<int> running = 0;
  StdioClient client(server_of([&](const json::object&, Context&) {
    ++running;
    // Each waits for the others.
    for (int i = 0; i < 2'000 && running < 4; ++i) std::this_thread::sleep_for(5ms);
    return text_result(std::to_string(running.load()));
  }));
  client.initialize();
  for (int id = 1; id <= 4; ++id) client.call(id, "work");
  for (int i = 0; i < 4; ++i) {
    const auto message = client.read_message();
    BOOST_REQUIRE(message);
    BOOST_TEST(message->at("result").at("content").at(0).at("text") == json::value("4"));
  }
}

BOOST_AUTO_TEST_CASE(after_the_end_of_the_input_there_is_time_to_answer_and_no_more) {
  StdioOptions options;
  options.drain = 2s;
  StdioClient client(server_of([](const json::object&, Context& context) {
                       if (context.request_id() == json::value(1)) {
                         std::this_thread::sleep_for(50ms);
                         return text_result("soon");
                       }
                       while (!context.is_cancelled()) std::this_thread::sleep_for(1ms);
                       return text_result("never");
                     }),
                     options);
  client.initialize();
  client.call(1, "work");
  client.call(2, "work");
  client.close_input();
  BOOST_TEST(client.read_response(1).has_value());
  BOOST_TEST((client.wait_for_end(20s) == StdioEnd::input_ended));
}

BOOST_AUTO_TEST_CASE(a_line_that_is_too_long_is_refused_and_the_next_one_answered) {
  StdioOptions options;
  options.most_message_bytes = 1'000;
  StdioClient client(make_fixture_server(), options);
  const std::string megabyte(1U << 20U, ' ');
  for (int i = 0; i < 32; ++i) BOOST_REQUIRE_EQUAL(client.write_some(megabyte), megabyte.size());
  BOOST_REQUIRE(client.write_line(""));
  BOOST_REQUIRE(client.write_line(ping));
  BOOST_TEST(client.read_message()->at("error").at("code") == json::value(-32600));
  BOOST_TEST(client.read_message()->at("id") == json::value(77));
}

BOOST_AUTO_TEST_CASE(a_client_that_never_reads_is_not_read_any_more) {
  StdioOptions options;
  options.most_unread_bytes = 1U << 20U;
  std::atomic<int> calls = 0;
  StdioClient client(server_of([&](const json::object&, Context&) {
                       ++calls;
                       return text_result(std::string(10'000, 'x'));
                     }),
                     options);
  client.initialize();
  std::string lines;
  for (int id = 1; id <= 100'000; ++id)
    lines += R"({"jsonrpc": "2.0", "id": )" + std::to_string(id) +
             R"(, "method": "tools/call", "params": {"name": "work"}})" + "\n";
  const std::size_t taken = client.write_some(lines);
  BOOST_TEST(taken < lines.size() / 10);
  // What fits into the outbox and a pipe, what four threads hold, and no more.
  BOOST_TEST(calls < 150);

  // It reads again, and nothing was lost.
  std::thread rest([&] { client.write_some(std::string_view(lines).substr(taken, 200'000)); });
  std::set<std::int64_t> answered;
  for (int i = 0; i < 1'000; ++i) {
    const auto message = client.read_message();
    BOOST_REQUIRE(message);
    answered.insert(message->at("id").as_int64());
  }
  BOOST_TEST(answered.size() == 1'000U);
  client.close_output();
  rest.join();
  BOOST_TEST((client.wait_for_end(20s) == StdioEnd::output_failed));
}

BOOST_AUTO_TEST_CASE(memory_of_waiting_calls_is_limited) {
  StdioOptions options;
  options.most_waiting_bytes = 1U << 20U;
  std::atomic<bool> may_end = false;
  StdioClient client(server_of([&](const json::object&, Context& context) {
                       while (!may_end && !context.is_cancelled()) std::this_thread::sleep_for(1ms);
                       return text_result("");
                     }),
                     options);
  client.initialize();
  std::string lines;
  for (int id = 1; id <= 20; ++id)
    lines += R"({"jsonrpc": "2.0", "id": )" + std::to_string(id) +
             R"(, "method": "tools/call", "params": {"name": "work", "arguments": {"a": ")" +
             std::string(300'000, 'a') + "\"}}}\n";
  // Four fit, one more is read, and a pipe holds some.
  const std::size_t taken = client.write_some(lines);
  BOOST_TEST(taken > 1'200'000U);
  BOOST_TEST(taken < 1'800'000U);
  may_end = true;
  std::thread rest([&] { client.write_some(std::string_view(lines).substr(taken)); });
  for (int i = 0; i < 20; ++i) BOOST_TEST(client.read_message().has_value());
  rest.join();
}

BOOST_AUTO_TEST_CASE(a_client_that_is_gone_ends_the_server) {
  StdioClient client(server_of([](const json::object&, Context& context) {
    while (!context.is_cancelled()) std::this_thread::sleep_for(1ms);
    return text_result("");
  }));
  client.initialize();
  client.call(1, "work");
  client.close_output();
  BOOST_REQUIRE(client.write_line(ping));
  BOOST_TEST((client.wait_for_end(20s) == StdioEnd::output_failed));
}

BOOST_AUTO_TEST_CASE(an_end_with_unread_answers_does_not_hang) {
  StdioOptions options;
  options.most_unread_bytes = 1'000;
  options.drain = 100ms;
  StdioClient client(server_of([](const json::object&, Context&) {
                       return text_result(std::string(200'000, 'x'));
                     }),
                     options);
  client.initialize();
  for (int id = 1; id <= 8; ++id) client.call(id, "work");
  client.close_input();
  BOOST_TEST((client.wait_for_end(20s) == StdioEnd::input_ended));
}

BOOST_AUTO_TEST_CASE(changes_of_other_threads_are_told_once_for_many) {
  StdioClient client(make_fixture_server());
  client.initialize();
  BOOST_REQUIRE(client.write_line(R"({"jsonrpc": "2.0", "id": 1, "method": "resources/subscribe",)"
                                  R"( "params": {"uri": "test://watched-resource"}})"));
  BOOST_REQUIRE(client.read_response(1));
  for (int i = 0; i < 100'000; ++i)
    client.server.changes->resource_updated("test://watched-resource");
  client.server.changes->resource_updated("test://of-no-interest");
  const auto message = client.read_message();
  BOOST_REQUIRE(message);
  BOOST_TEST(message->at("method") == json::value("notifications/resources/updated"));
  BOOST_REQUIRE(client.write_line(ping));
  int told = 1;
  for (auto next = client.read_message(); next && !next->as_object().contains("id");
       next = client.read_message())
    ++told;
  BOOST_TEST(told < 50'000);
}

BOOST_AUTO_TEST_SUITE_END()
