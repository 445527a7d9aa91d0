// What is no message, what is one at the wrong time, and what is too much: an error each time, and the next message is
// answered.

#include "tests/tools/mcp/fixture_server.hpp"
#include "tests/tools/mcp/machine_client.hpp"
#include "tools/mcp/protocol/message.hpp"

#include <boost/test/unit_test.hpp>

#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace cairn::test;
using namespace cairn::tools::mcp;

namespace {

const std::string ping = R"({"jsonrpc": "2.0", "id": "p", "method": "ping"})";

void check_alive(MachineClient& client) {
  BOOST_TEST(client.ask(ping) == json::parse(R"({"jsonrpc": "2.0", "id": "p", "result": {}})"));
}

std::string call_line(int id, std::string_view tool) {
  return R"({"jsonrpc": "2.0", "id": )" + std::to_string(id) +
         R"(, "method": "tools/call", "params": {"name": ")" + std::string(tool) + "\"}}";
}

std::string cancel_line(std::string_view id) {
  return R"({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": )" +
         std::string(id) + "}}";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mcp_messages)

BOOST_AUTO_TEST_CASE(what_is_no_message_has_an_error) {
  MachineClient client(make_fixture_server());
  const std::string deep(10'000, '[');
  const std::pair<std::string, int> lines[] = {
      {"{", -32700},
      {"hello", -32700},
      {deep, -32700},
      {R"({"jsonrpc": "2.0", "id": 1, "method": "\ud800"})", -32700},
      {"{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"\xff\"}", -32700},
      {"1", -32600},
      {"null", -32600},
      {"{}", -32600},
      {"[]", -32600},
      {"[" + ping + "]", -32600},
      {R"({"jsonrpc": "1.0", "id": 1, "method": "ping"})", -32600},
      {R"({"id": 1, "method": "ping"})", -32600},
      {R"({"jsonrpc": "2.0", "id": 1})", -32600},
      {R"({"jsonrpc": "2.0", "id": 1, "method": 5})", -32600},
      {R"({"jsonrpc": "2.0", "id": null, "method": "ping"})", -32600},
      {R"({"jsonrpc": "2.0", "id": 1.5, "method": "ping"})", -32600},
      {R"({"jsonrpc": "2.0", "id": [], "method": "ping"})", -32600},
      {R"({"jsonrpc": "2.0", "id": 1e300, "method": "ping"})", -32600},
      {R"({"jsonrpc": "2.0", "id": ")" + std::string(257, 'x') + R"(", "method": "ping"})", -32600},
      {R"({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []})", -32602},
  };
  for (const auto& [line, code] : lines) {
    BOOST_TEST_CONTEXT(line.substr(0, 80)) {
      BOOST_TEST(code_of(client.ask(line)) == code);
      check_alive(client);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_error_names_the_place_and_the_fix) {
  MachineClient client(make_fixture_server());
  const auto message = [&](const std::string& line) {
    return std::string(client.ask(line).at("error").at("message").as_string());
  };
  const std::string broken = message(R"({"jsonrpc": "2.0", "id": 1 "method": "ping"})");
  BOOST_TEST(broken.find(" after 27 bytes; send one JSON object a line") != std::string::npos,
             broken);
  const std::string aimless = message(R"({"jsonrpc": "2.0", "id": 1})");
  BOOST_TEST(aimless.find("needs a string `method`") != std::string::npos, aimless);
}

BOOST_AUTO_TEST_CASE(depth_and_values_of_a_message_are_limited) {
  MachineClient client(make_fixture_server());
  const auto nested = [&](std::size_t levels) {
    return client.ask(R"({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": )" +
                      std::string(levels, '[') + std::string(levels, ']') + "}}");
  };
  BOOST_TEST(code_of(nested(158)) == 0);
  BOOST_TEST(code_of(nested(159)) == -32700);
  BOOST_TEST(code_of(nested(10'000)) == -32700);
  const auto many = [&](std::size_t values, std::string_view value) {
    std::string list;
    for (std::size_t i = 0; i < values; ++i) list += value;
    return client.ask(R"({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": [)" + list +
                      "0]}}");
  };
  BOOST_TEST(code_of(many(249'000, "0,")) == 0);
  BOOST_TEST(code_of(many(250'000, "0,")) == -32600);
  // Signs within texts are no values.
  BOOST_TEST(code_of(many(100'000, R"("[,\"{:,",)")) == 0);
  BOOST_TEST(memory_cost(R"(["a,\"b",1])") == 11U + 3U * 64U);
}

BOOST_AUTO_TEST_CASE(a_client_says_little_of_itself) {
  MachineClient client(make_fixture_server());
  BOOST_TEST(code_of(client.ask(R"({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params":
    {"protocolVersion": "2025-11-25", "clientInfo": {"name": ")" +
                                std::string(70'000, 'n') + "\"}}}")) == -32602);
  BOOST_TEST(code_of(client.initialize()) == 0);
}

BOOST_AUTO_TEST_CASE(ids_come_back_as_they_were) {
  MachineClient client(make_fixture_server());
  for (const char* id :
       {"0", "-7", "9223372036854775807", "18446744073709551615", "\"\"", "\"é\\n\""}) {
    const json::value response =
        client.ask(R"({"jsonrpc": "2.0", "id": )" + std::string(id) + R"(, "method": "ping"})");
    BOOST_TEST(response.at("id") == json::parse(id));
  }
  BOOST_TEST(json::serialize(client.ask(R"({"jsonrpc": "2.0", "id": 3.0, "method": "ping"})")) ==
             R"({"jsonrpc":"2.0","id":3,"result":{}})");
}

BOOST_AUTO_TEST_CASE(notifications_have_no_answer_whatever_is_in_them) {
  MachineClient client(make_fixture_server());
  for (const char* line :
       {R"({"jsonrpc": "2.0", "method": "notifications/initialized"})",
        R"({"jsonrpc": "2.0", "method": "notifications/unknown", "params": {"a": 1}})",
        R"({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "test_simple_text"}})",
        R"({"jsonrpc": "2.0", "method": "notifications/cancelled"})",
        R"({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": {}}})",
        R"({"jsonrpc": "2.0", "id": "question-1", "result": {}})",
        R"({"jsonrpc": "2.0", "id": 5, "error": null})", R"({"jsonrpc": "2.0", "result": 1})"})
    BOOST_TEST(client.send(line).empty());
}

BOOST_AUTO_TEST_CASE(an_id_is_used_once_at_a_time) {
  MachineClient client(make_fixture_server());
  static_cast<void>(client.initialize());
  BOOST_TEST(client.hold(call_line(1, "test_simple_text")).empty());
  const auto refused = client.hold(call_line(1, "test_simple_text"));
  BOOST_REQUIRE_EQUAL(refused.size(), 1U);
  BOOST_TEST(code_of(refused[0]) == -32600);
  BOOST_TEST(client.run_held().size() == 1U);
  BOOST_TEST(client.send(call_line(1, "test_simple_text")).size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_cancelled_request_has_no_response) {
  MachineClient client(make_fixture_server());
  static_cast<void>(client.initialize());
  BOOST_TEST(client.hold(call_line(1, "test_simple_text")).empty());
  BOOST_TEST(client.hold(call_line(2, "test_simple_text")).empty());
  BOOST_TEST(client.hold(cancel_line("1")).empty());
  BOOST_TEST(client.hold(cancel_line("77")).empty());
  BOOST_REQUIRE_EQUAL(client.held().size(), 2U);
  BOOST_TEST(client.held()[0].info.stop.stop_requested());
  BOOST_TEST(!client.held()[1].info.stop.stop_requested());
  const auto messages = client.run_held();
  BOOST_REQUIRE_EQUAL(messages.size(), 1U);
  BOOST_TEST(messages[0].at("id") == json::value(2));
}

BOOST_AUTO_TEST_CASE(batches_are_of_one_revision) {
  MachineClient client(make_fixture_server());
  static_cast<void>(client.initialize("2025-03-26"));
  const json::value answer = client.ask("[" + ping + "," + call_line(2, "test_simple_text") +
                                        ", 7, {\"jsonrpc\": \"2.0\", \"method\": \"x\"}]");
  const auto& responses = answer.as_array();
  BOOST_REQUIRE_EQUAL(responses.size(), 3U);
  BOOST_TEST(responses[0].at("id") == json::value("p"));
  BOOST_TEST(code_of(responses[1]) == -32600);
  BOOST_TEST(text_of(responses[2]).starts_with("This is a simple"));
  BOOST_TEST(client.send(R"([{"jsonrpc": "2.0", "method": "x"}])").empty());
  BOOST_TEST(code_of(client.ask("[]")) == -32600);

  std::string large = "[" + ping;
  for (int i = 0; i < 100; ++i) large += "," + ping;
  BOOST_TEST(code_of(client.ask(large + "]")) == -32600);
  const json::value refused =
      client.ask(R"([{"jsonrpc": "2.0", "id": 1, "method": "initialize"}])");
  BOOST_TEST(code_of(refused.at(0)) == -32600);

  for (const char* revision : {"2024-11-05", "2025-06-18", "2025-11-25"}) {
    MachineClient other(make_fixture_server());
    static_cast<void>(other.initialize(revision));
    BOOST_TEST(code_of(other.ask("[" + ping + "]")) == -32600);
  }
}

BOOST_AUTO_TEST_CASE(the_calls_of_a_batch_share_its_memory) {
  MachineClient client(make_fixture_server());
  static_cast<void>(client.initialize("2025-03-26"));
  std::string batch = "[" + call_line(1, "test_simple_text");
  for (int id = 2; id <= 10; ++id) batch += "," + call_line(id, "test_simple_text");
  batch += "]";
  BOOST_TEST(client.hold(batch).empty());
  BOOST_REQUIRE_EQUAL(client.held().size(), 10U);
  std::size_t cost = 0;
  for (const Call& call : client.held()) cost += call.cost;
  BOOST_TEST(cost <= memory_cost(batch));
  BOOST_TEST(cost + 10 > memory_cost(batch));
}

BOOST_AUTO_TEST_CASE(a_cancelled_request_is_left_out_of_its_batch) {
  MachineClient client(make_fixture_server());
  static_cast<void>(client.initialize("2025-03-26"));
  BOOST_TEST(
      client.hold("[" + call_line(1, "test_simple_text") + "," + call_line(2, "test_wait") + "]")
          .empty());
  BOOST_TEST(client.hold(cancel_line("2")).empty());
  const auto messages = client.run_held();
  BOOST_REQUIRE_EQUAL(messages.size(), 1U);
  BOOST_TEST(messages[0].as_array().size() == 1U);
  BOOST_TEST(client.hold("[" + call_line(3, "test_wait") + "]").empty());
  BOOST_TEST(client.hold(cancel_line("3")).empty());
  BOOST_TEST(client.run_held().empty());
}

BOOST_AUTO_TEST_CASE(a_batch_holds_no_request_of_the_other_era) {
  MachineClient client(make_fixture_server());
  static_cast<void>(client.initialize("2025-03-26"));
  const json::value answer =
      client.ask(R"([{"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen",
    "params": {"notifications": {}, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {}}}}])");
  BOOST_TEST(code_of(answer.at(0)) == -32600);
}

BOOST_AUTO_TEST_CASE(lines_end_where_they_end) {
  LineReader reader(8);
  std::string_view bytes = "one\r\n\n  \ntw";
  BOOST_TEST(reader.next(bytes)->text == "one\r");
  BOOST_TEST(!reader.next(bytes));
  BOOST_TEST(bytes.empty());
  bytes = "o\n12345678\n";
  BOOST_TEST(reader.next(bytes)->text == "two");
  BOOST_TEST(reader.next(bytes)->text == "12345678");
  BOOST_TEST(!reader.next(bytes));
  BOOST_TEST(!reader.last());
  bytes = "end";
  BOOST_TEST(!reader.next(bytes));
  BOOST_TEST(reader.last()->text == "end");
  BOOST_TEST(!reader.last());
}

// Compared with a split of the whole text, in pieces of every size.
BOOST_AUTO_TEST_CASE(lines_are_the_same_however_their_bytes_come) {
  std::mt19937 random(3);
  constexpr std::size_t most_bytes = 6;
  constexpr std::string_view letters = "ab \t\r\n\n";
  for (int round = 0; round < 2'000; ++round) {
    std::string text;
    for (std::size_t size = random() % 60; text.size() < size;)
      text += letters[random() % letters.size()];
    std::vector<std::string> expected;
    std::istringstream whole(text);
    for (std::string line; std::getline(whole, line);)
      if (line.size() > most_bytes || line.find_first_not_of(" \t\r") != std::string::npos)
        expected.push_back(line.size() > most_bytes ? "(too long)" : line);
    LineReader reader(most_bytes);
    std::vector<std::string> read;
    const auto note = [&read](const LineReader::Line& line) {
      read.push_back(line.is_too_long ? "(too long)" : line.text);
    };
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t piece = 1 + random() % 9;
      std::string_view bytes = std::string_view(text).substr(at, piece);
      at += piece;
      while (const auto line = reader.next(bytes)) note(*line);
    }
    if (const auto line = reader.last()) note(*line);
    BOOST_REQUIRE_EQUAL_COLLECTIONS(read.begin(), read.end(), expected.begin(), expected.end());
  }
}

BOOST_AUTO_TEST_CASE(a_line_of_a_gigabyte_is_told_of_once_and_not_held) {
  LineReader reader(1'000);
  const std::string megabyte(1U << 20U, 'x');
  for (int i = 0; i < 1'024; ++i) {
    std::string_view bytes = megabyte;
    BOOST_REQUIRE(!reader.next(bytes));
  }
  std::string_view bytes = "x\nnext\n";
  const auto line = reader.next(bytes);
  BOOST_REQUIRE(line);
  BOOST_TEST(line->is_too_long);
  BOOST_TEST(line->text.empty());
  BOOST_TEST(reader.next(bytes)->text == "next");

  Step step;
  Machine::refuse_long_line(1'000, step);
  BOOST_TEST(code_of(step.messages.at(0).message) == -32600);
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_utf8_never_leave) {
  BOOST_TEST(to_line(json::object{{"a", "x\xff\xc3y\xe2\x82\xac"}}) ==
             "{\"a\":\"x\xef\xbf\xbd\xef\xbf\xbdy\xe2\x82\xac\"}");
  BOOST_TEST(to_line(json::object{{"a", "line\nbreak"}}) == R"({"a":"line\nbreak"})");
}

BOOST_AUTO_TEST_SUITE_END()
