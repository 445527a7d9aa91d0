// Changes, told to clients of both eras that asked for them, and to no others.

#include "tests/tools/mcp/fixture_server.hpp"
#include "tests/tools/mcp/machine_client.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace cairn::test;
using namespace cairn::tools::mcp;

namespace {

const Change tools_change{Change::Kind::tools, {}};
const Change prompts_change{Change::Kind::prompts, {}};
const Change watched_change{Change::Kind::resource, "test://watched-resource"};

json::value subscription(MachineClient& client, std::string_view verb, std::string_view uri) {
  return client.ask(R"({"jsonrpc": "2.0", "id": 1, "method": "resources/)" + std::string(verb) +
                    R"(", "params": {"uri": )" + std::string(uri) + "}}");
}

/// What comes in answer to a listening request.
json::value listen_for(MachineClient& client, std::string_view id, std::string_view wishes) {
  return client.ask(R"({"jsonrpc": "2.0", "id": )" + std::string(id) +
                    R"(, "method": "subscriptions/listen", "params": {"notifications": )" +
                    std::string(wishes) +
                    R"(, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                        "io.modelcontextprotocol/clientCapabilities": {}}}})");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mcp_subscriptions)

BOOST_AUTO_TEST_CASE(a_client_with_handshake_gets_what_it_subscribed_to) {
  MachineClient client(make_fixture_server());
  BOOST_TEST(client.change(tools_change).empty());
  static_cast<void>(client.initialize());
  BOOST_TEST(client.change(tools_change).size() == 1U);
  BOOST_TEST(client.change(watched_change).empty());
  BOOST_TEST(code_of(subscription(client, "subscribe", "\"test://watched-resource\"")) == 0);
  BOOST_TEST(client.server.changes->watched().size() == 1U);
  const auto told = client.change(watched_change);
  BOOST_REQUIRE_EQUAL(told.size(), 1U);
  BOOST_TEST(json::serialize(told[0]) ==
             R"({"jsonrpc":"2.0","method":"notifications/resources/updated",)"
             R"("params":{"uri":"test://watched-resource"}})");
  BOOST_TEST(code_of(subscription(client, "unsubscribe", "\"test://watched-resource\"")) == 0);
  BOOST_TEST(client.change(watched_change).empty());
  BOOST_TEST(client.server.changes->watched().empty());
}

BOOST_AUTO_TEST_CASE(a_listening_request_is_acknowledged_and_tags_what_it_gets) {
  MachineClient client(make_fixture_server());
  const json::value acknowledged =
      listen_for(client, "\"ear\"",
                 R"({"toolsListChanged": true, "promptsListChanged": false,
          "resourceSubscriptions": ["test://watched-resource"], "unknown": 1})");
  BOOST_TEST(acknowledged.at("method") == json::value("notifications/subscriptions/acknowledged"));
  BOOST_TEST(acknowledged.at("params") == json::parse(R"({
    "_meta": {"io.modelcontextprotocol/subscriptionId": "ear"},
    "notifications": {"toolsListChanged": true, "resourceSubscriptions": ["test://watched-resource"]}})"));
  BOOST_TEST(client.change(prompts_change).empty());
  const auto told = client.change(tools_change);
  BOOST_REQUIRE_EQUAL(told.size(), 1U);
  BOOST_TEST(told[0].at("params").at("_meta").at("io.modelcontextprotocol/subscriptionId") ==
             json::value("ear"));
  BOOST_TEST(client.change(watched_change).size() == 1U);

  // The id is taken as long as it listens.
  BOOST_TEST(code_of(listen_for(client, "\"ear\"", "{}")) == -32600);
  BOOST_TEST(client
                 .send(R"({"jsonrpc": "2.0", "method": "notifications/cancelled",
    "params": {"requestId": "ear"}})")
                 .empty());
  BOOST_TEST(client.change(tools_change).empty());
  BOOST_TEST(client.server.changes->watched().empty());
}

BOOST_AUTO_TEST_CASE(the_end_of_the_server_ends_listening_requests) {
  MachineClient client(make_fixture_server());
  static_cast<void>(listen_for(client, "4", R"({"toolsListChanged": true})"));
  Step step;
  client.machine.close(step);
  BOOST_REQUIRE_EQUAL(step.messages.size(), 1U);
  const json::value& message = step.messages[0].message;
  BOOST_TEST(message.at("id") == json::value(4));
  BOOST_TEST(message.at("result").at("resultType") == json::value("complete"));
  BOOST_TEST(message.at("result").at("_meta").at("io.modelcontextprotocol/subscriptionId") ==
             json::value(4));
}

BOOST_AUTO_TEST_CASE(wishes_of_another_shape_are_refused) {
  MachineClient client(make_fixture_server());
  for (const char* wishes :
       {"null", "[]", R"({"toolsListChanged": 1})", R"({"resourceSubscriptions": "test://a"})",
        R"({"resourceSubscriptions": [1]})"})
    BOOST_TEST(code_of(listen_for(client, "1", wishes)) == -32602);
  static_cast<void>(client.initialize());
  for (const char* uri : {"null", "5", "[]"})
    BOOST_TEST(code_of(subscription(client, "subscribe", uri)) == -32602);
}

BOOST_AUTO_TEST_CASE(subscriptions_are_limited) {
  MachineClient client(make_fixture_server());
  static_cast<void>(client.initialize());
  BOOST_TEST(code_of(subscription(client, "subscribe", "\"" + std::string(2'049, 'u') + "\"")) ==
             -32602);
  for (int i = 0; i < 1'024; ++i)
    BOOST_REQUIRE(code_of(subscription(client, "subscribe", "\"" + std::to_string(i) + "\"")) == 0);
  BOOST_TEST(code_of(subscription(client, "subscribe", "\"one more\"")) == -32602);
  BOOST_TEST(code_of(listen_for(client, "1", R"({"resourceSubscriptions": ["test://a"]})")) ==
             -32602);
  BOOST_TEST(client.server.changes->watched().size() == 1'024U);
  for (int i = 0; i < 64; ++i)
    BOOST_REQUIRE(code_of(listen_for(client, std::to_string(i), "{}")) == 0);
  BOOST_TEST(code_of(listen_for(client, "64", "{}")) == -32603);
}

BOOST_AUTO_TEST_CASE(a_server_that_never_changes_promises_nothing) {
  ServerDefinition server = make_fixture_server();
  server.changes = nullptr;
  MachineClient client(server);
  const json::value acknowledged = listen_for(
      client, "\"ear\"", R"({"toolsListChanged": true, "resourceSubscriptions": ["test://a"]})");
  BOOST_TEST(acknowledged.at("params").at("notifications") == json::value(json::object()));
  static_cast<void>(client.initialize());
  BOOST_TEST(code_of(subscription(client, "subscribe", "\"test://a\"")) == -32601);
}

BOOST_AUTO_TEST_SUITE_END()
