// Clients that begin with `initialize`: revisions, what each of them sees, order of messages.

#include "tests/tools/mcp/fixture_server.hpp"
#include "tests/tools/mcp/machine_client.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace cairn::test;
using namespace cairn::tools::mcp;

namespace {

const json::object& result_in(const json::value& response) {
  return response.at("result").as_object();
}

/// The tool of this name in a listing.
json::object listed_tool(const json::value& response, std::string_view name) {
  for (const json::value& tool : result_in(response).at("tools").as_array())
    if (tool.at("name") == json::value(name)) return tool.as_object();
  BOOST_FAIL("not listed: " + std::string(name));
  return {};
}

const std::string list_tools = R"({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})";

std::string call_line(int id, std::string_view tool) {
  return R"({"jsonrpc": "2.0", "id": )" + std::to_string(id) +
         R"(, "method": "tools/call", "params": {"name": ")" + std::string(tool) + "\"}}";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mcp_handshake)

BOOST_AUTO_TEST_CASE(a_known_revision_is_agreed_on_and_an_unknown_one_answered_by_ours) {
  for (const char* revision : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    MachineClient client(make_fixture_server());
    BOOST_TEST(result_in(client.initialize(revision)).at("protocolVersion") ==
               json::value(revision));
  }
  // The newest one needs no handshake, and so cannot be agreed on by one.
  for (const char* revision : {"2026-07-28", "2023-01-01", "tomorrow"}) {
    MachineClient client(make_fixture_server());
    BOOST_TEST(result_in(client.initialize(revision)).at("protocolVersion") ==
               json::value("2025-11-25"));
  }
}

BOOST_AUTO_TEST_CASE(capabilities_are_those_of_the_definition) {
  MachineClient full(make_fixture_server());
  const json::value response = full.initialize();
  BOOST_TEST(result_in(response).at("capabilities") == json::parse(R"({
    "tools": {"listChanged": true}, "resources": {"listChanged": true, "subscribe": true},
    "prompts": {"listChanged": true}, "completions": {}, "logging": {}})"));
  BOOST_TEST(result_in(response).at("serverInfo").at("name") == json::value("fixture"));
  BOOST_TEST(result_in(response).at("instructions") == json::value("Call any tool."));

  ServerDefinition server;
  server.name = "empty";
  MachineClient empty(std::move(server));
  BOOST_TEST(result_in(empty.initialize()).at("capabilities") == json::value(json::object()));
  BOOST_TEST(code_of(empty.ask(list_tools)) == -32601);
}

BOOST_AUTO_TEST_CASE(a_request_before_the_handshake_is_told_what_to_do) {
  MachineClient client(make_fixture_server());
  const json::value response = client.ask(list_tools);
  BOOST_TEST(code_of(response) == -32602);
  BOOST_TEST(json::serialize(response).find("initialize") != std::string::npos);
  BOOST_TEST(code_of(client.ask(R"({"jsonrpc": "2.0", "id": 1, "method": "ping"})")) == 0);
}

BOOST_AUTO_TEST_CASE(a_second_handshake_is_refused) {
  MachineClient client(make_fixture_server());
  static_cast<void>(client.initialize());
  BOOST_TEST(code_of(client.ask(R"({"jsonrpc": "2.0", "id": 5, "method": "initialize",
    "params": {"protocolVersion": "2025-11-25"}})")) == -32600);
}

BOOST_AUTO_TEST_CASE(each_revision_lists_what_it_has) {
  MachineClient first(make_fixture_server());
  static_cast<void>(first.initialize("2024-11-05"));
  json::object tool = listed_tool(first.ask(list_tools), "count_words");
  BOOST_TEST(!tool.contains("title"));
  BOOST_TEST(!tool.contains("outputSchema"));
  BOOST_TEST(!tool.contains("annotations"));

  MachineClient second(make_fixture_server());
  static_cast<void>(second.initialize("2025-03-26"));
  tool = listed_tool(second.ask(list_tools), "count_words");
  BOOST_TEST(!tool.contains("outputSchema"));
  BOOST_TEST(tool.at("annotations") == json::parse(R"({"readOnlyHint": true})"));

  MachineClient newest(make_fixture_server());
  static_cast<void>(newest.initialize("2025-11-25"));
  const json::value listed = newest.ask(list_tools);
  tool = listed_tool(listed, "count_words");
  BOOST_TEST(tool.at("title") == json::value("Count words"));
  BOOST_TEST(tool.contains("outputSchema"));
  // What came with 2026-07-28 would be unknown to it.
  BOOST_TEST(!result_in(listed).contains("ttlMs"));
  BOOST_TEST(!result_in(listed).contains("resultType"));
}

BOOST_AUTO_TEST_CASE(a_schema_is_listed_unchanged) {
  const ServerDefinition server = make_fixture_server();
  MachineClient client(server);
  static_cast<void>(client.initialize());
  const json::value listed = client.ask(list_tools);
  for (const Tool& tool : server.tools)
    BOOST_TEST(json::serialize(listed_tool(listed, tool.name).at("inputSchema")) ==
               json::serialize(tool.input_schema));
}

BOOST_AUTO_TEST_CASE(pages_follow_each_other_in_the_order_of_the_definition) {
  ServerDefinition server = make_fixture_server();
  server.page_size = 7;
  const std::size_t tools = server.tools.size();
  MachineClient client(server);
  static_cast<void>(client.initialize());
  std::vector<std::string> names;
  std::string cursor;
  do {
    const json::value response = client.ask(
        R"({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {)" + cursor + "}}");
    const auto& page = result_in(response).at("tools").as_array();
    BOOST_REQUIRE_LE(page.size(), 7U);
    for (const json::value& tool : page) names.emplace_back(tool.at("name").as_string());
    const json::value* next = result_in(response).if_contains("nextCursor");
    cursor = next == nullptr ? "" : R"("cursor": )" + json::serialize(*next);
  } while (!cursor.empty());
  BOOST_REQUIRE_EQUAL(names.size(), tools);
  for (std::size_t i = 0; i < tools; ++i) BOOST_TEST(names[i] == server.tools[i].name);

  for (const char* bad : {"\"x\"", "\"99999\"", "\"-1\"", "\"7 \"", "7", "{}", "\"\""})
    BOOST_TEST(code_of(client.ask(R"({"jsonrpc": "2.0", "id": 1, "method": "tools/list",
      "params": {"cursor": )" + std::string(bad) +
                                  "}}")) == -32602);
}

BOOST_AUTO_TEST_CASE(results_have_the_form_of_the_revision) {
  const std::string count = R"({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": {"name": "count_words", "arguments": {"text": "four"}}})";
  MachineClient newest(make_fixture_server());
  static_cast<void>(newest.initialize());
  json::value response = newest.ask(count);
  BOOST_TEST(result_in(response) ==
             json::parse(R"({"content": [{"type": "text", "text": "{\"count\":4}"}],
    "structuredContent": {"count": 4}})")
                 .as_object());

  MachineClient old(make_fixture_server());
  static_cast<void>(old.initialize("2024-11-05"));
  BOOST_TEST(!result_in(old.ask(count)).contains("structuredContent"));
  BOOST_TEST(text_of(old.ask(call_line(2, "test_audio_content"))) == "[audio, audio/wav]");
  BOOST_TEST(text_of(old.ask(call_line(3, "test_resource_link"))) ==
             "static text: test://static-text");
}

BOOST_AUTO_TEST_CASE(methods_of_the_other_era_are_unknown) {
  MachineClient client(make_fixture_server());
  static_cast<void>(client.initialize());
  for (const char* method : {"server/discover", "subscriptions/listen", "tools/run", ""})
    BOOST_TEST(code_of(client.ask(R"({"jsonrpc": "2.0", "id": 1, "method": ")" +
                                  std::string(method) + "\"}")) == -32601);
}

BOOST_AUTO_TEST_CASE(logs_begin_at_the_level_that_the_client_sets) {
  MachineClient client(make_fixture_server());
  static_cast<void>(client.initialize());
  BOOST_TEST(client.send(call_line(1, "test_logging_tool")).size() == 1U);
  const auto set = [&](const char* level) {
    return client.ask(
        R"({"jsonrpc": "2.0", "id": 2, "method": "logging/setLevel", "params": {"level": ")" +
        std::string(level) + "\"}}");
  };
  BOOST_TEST(code_of(set("loud")) == -32602);
  BOOST_TEST(code_of(set("info")) == 0);
  const auto messages = client.send(call_line(3, "test_logging_tool"));
  BOOST_REQUIRE_EQUAL(messages.size(), 4U);
  BOOST_TEST(messages[0] == json::parse(R"({"jsonrpc": "2.0", "method": "notifications/message",
    "params": {"level": "info", "data": "Tool execution started"}})"));
  BOOST_TEST(code_of(set("warning")) == 0);
  BOOST_TEST(client.send(call_line(4, "test_logging_tool")).size() == 1U);
}

BOOST_AUTO_TEST_CASE(progress_comes_before_the_response_with_the_clients_token) {
  MachineClient client(make_fixture_server());
  static_cast<void>(client.initialize());
  const auto messages = client.send(R"({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": {"name": "test_tool_with_progress", "_meta": {"progressToken": 7}}})");
  BOOST_REQUIRE_EQUAL(messages.size(), 4U);
  BOOST_TEST(json::serialize(messages[1]) ==
             R"({"jsonrpc":"2.0","method":"notifications/progress","params":)"
             R"({"progressToken":7,"progress":50,"total":100,"message":"at work"}})");
  BOOST_TEST(messages[3].at("id") == json::value(1));
}

BOOST_AUTO_TEST_SUITE_END()
