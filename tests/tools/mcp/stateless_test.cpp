// Requests that say themselves who asks: revision 2026-07-28.

#include "tests/tools/mcp/fixture_server.hpp"
#include "tests/tools/mcp/machine_client.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace cairn::test;
using namespace cairn::tools::mcp;

namespace {

json::value discover_with(MachineClient& client, std::string_view meta) {
  return client.ask(
      R"({"jsonrpc": "2.0", "id": 9, "method": "server/discover", "params": {"_meta": )" +
      std::string(meta) + "}}");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mcp_stateless)

BOOST_AUTO_TEST_CASE(discovery_needs_no_handshake) {
  MachineClient client(make_fixture_server());
  const json::value response = client.ask_stateless("server/discover");
  const json::object& result = response.at("result").as_object();
  BOOST_TEST(result.at("supportedVersions") == json::parse(R"(["2026-07-28"])"));
  BOOST_TEST(result.at("resultType") == json::value("complete"));
  BOOST_TEST(result.at("cacheScope") == json::value("private"));
  BOOST_TEST(result.at("ttlMs").as_uint64() == 300'000U);
  BOOST_TEST(result.at("instructions") == json::value("Call any tool."));
  BOOST_TEST(result.at("capabilities").at("resources").at("subscribe") == json::value(true));
  BOOST_TEST(result.at("_meta").at("io.modelcontextprotocol/serverInfo").at("version") ==
             json::value("1.0"));
}

BOOST_AUTO_TEST_CASE(another_version_is_refused_with_the_supported_list) {
  MachineClient client(make_fixture_server());
  for (const char* version : {"2025-11-25", "2027-01-01", "v999.0.0", ""}) {
    const json::value response = discover_with(
        client, R"({"io.modelcontextprotocol/protocolVersion": ")" + std::string(version) +
                    R"(", "io.modelcontextprotocol/clientCapabilities": {}})");
    BOOST_TEST(code_of(response) == -32022);
    BOOST_TEST(response.at("error").at("data").at("supported") == json::parse(R"(["2026-07-28"])"));
    BOOST_TEST(response.at("error").at("data").at("requested") == json::value(version));
    BOOST_TEST(response.at("id") == json::value(9));
  }
}

BOOST_AUTO_TEST_CASE(what_the_envelope_lacks_is_named) {
  MachineClient client(make_fixture_server());
  const std::string version = R"("io.modelcontextprotocol/protocolVersion": "2026-07-28")";
  const std::string capabilities = R"("io.modelcontextprotocol/clientCapabilities": {})";
  for (const std::string& meta :
       {"{}" + std::string(), "{" + capabilities + "}", "{" + version + "}",
        R"({"io.modelcontextprotocol/protocolVersion": 1, )" + capabilities + "}",
        "{" + version + R"(, "io.modelcontextprotocol/clientCapabilities": []})",
        "{" + version + ", " + capabilities + R"(, "io.modelcontextprotocol/clientInfo": "me"})",
        "{" + version + ", " + capabilities + R"(, "io.modelcontextprotocol/logLevel": "loud"})"}) {
    const json::value response = discover_with(client, meta);
    BOOST_TEST(code_of(response) == -32602);
    BOOST_TEST(json::serialize(response).find("io.modelcontextprotocol/") != std::string::npos);
  }
  BOOST_TEST(code_of(discover_with(client, "{" + version + ", " + capabilities + "}")) == 0);
}

BOOST_AUTO_TEST_CASE(methods_of_the_handshake_are_unknown) {
  MachineClient client(make_fixture_server());
  for (const char* method : {"initialize", "ping", "logging/setLevel", "resources/subscribe",
                             "resources/unsubscribe", "unknown/method"})
    BOOST_TEST(code_of(client.ask_stateless(method)) == -32601);
}

BOOST_AUTO_TEST_CASE(both_eras_go_over_one_connection) {
  MachineClient client(make_fixture_server());
  BOOST_TEST(code_of(client.ask_stateless("server/discover")) == 0);
  static_cast<void>(client.initialize("2025-06-18"));
  const json::value old = client.ask(R"({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})");
  BOOST_TEST(!old.at("result").as_object().contains("resultType"));
  const json::value fresh = client.ask_stateless("tools/list");
  BOOST_TEST(fresh.at("result").at("resultType") == json::value("complete"));
}

BOOST_AUTO_TEST_CASE(lists_and_resources_say_how_long_they_hold) {
  MachineClient client(make_fixture_server());
  for (const char* method :
       {"tools/list", "prompts/list", "resources/list", "resources/templates/list"}) {
    const json::value response = client.ask_stateless(method);
    BOOST_TEST(response.at("result").at("ttlMs").as_uint64() == 300'000U);
    BOOST_TEST(response.at("result").at("cacheScope") == json::value("private"));
  }
  const json::value read =
      client.ask_stateless("resources/read", R"({"uri": "test://static-text"})");
  BOOST_TEST(read.at("result").at("ttlMs").as_uint64() == 0U);
  const json::value called = client.ask_stateless("tools/call", R"({"name": "test_simple_text"})");
  BOOST_TEST(!called.at("result").as_object().contains("ttlMs"));
  BOOST_TEST(called.at("result").at("resultType") == json::value("complete"));
}

BOOST_AUTO_TEST_CASE(a_missing_resource_is_numbered_by_the_era) {
  MachineClient client(make_fixture_server());
  const json::value fresh = client.ask_stateless("resources/read", R"({"uri": "test://none"})");
  BOOST_TEST(code_of(fresh) == -32602);
  BOOST_TEST(fresh.at("error").at("data").at("uri") == json::value("test://none"));
  static_cast<void>(client.initialize());
  BOOST_TEST(code_of(client.ask(R"({"jsonrpc": "2.0", "id": 1, "method": "resources/read",
    "params": {"uri": "test://none"}})")) == -32002);
}

BOOST_AUTO_TEST_CASE(logs_are_sent_to_requests_that_ask_for_them) {
  MachineClient client(make_fixture_server());
  static_cast<void>(client.ask_stateless("tools/call", R"({"name": "test_logging_tool"})"));
  const auto messages = client.send(R"({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params":
    {"name": "test_logging_tool", "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
     "io.modelcontextprotocol/clientCapabilities": {}, "io.modelcontextprotocol/logLevel": "debug"}}})");
  BOOST_TEST(messages.size() == 4U);
}

BOOST_AUTO_TEST_CASE(a_handler_sees_who_asks) {
  ServerDefinition server;
  Tool tool;
  tool.name = "who";
  tool.input_schema = {{"type", "object"}};
  tool.call = [](const json::object&, Context& context) {
    return text_result(context.client_name() + " " + context.client_version() + " " +
                       context.revision());
  };
  server.tools.push_back(std::move(tool));
  MachineClient client(std::move(server));
  const json::value response = client.ask_stateless("tools/call", R"({"name": "who", "_meta":
    {"io.modelcontextprotocol/clientInfo": {"name": "ada", "version": "1"}}})");
  BOOST_TEST(text_of(response) == "ada 1 2026-07-28");
  static_cast<void>(client.initialize("2025-03-26"));
  BOOST_TEST(text_of(client.ask(R"({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
    "params": {"name": "who"}})")) == "tester 7 2025-03-26");
}

BOOST_AUTO_TEST_SUITE_END()
