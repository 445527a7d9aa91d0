// The tools by HTTP with tokens of the database: who is let in, what a role may do, which namespaces are seen.

#include "tools/mcp/memory/token_login.hpp"

#include "tests/tools/mcp/http_client.hpp"
#include "tests/tools/mcp/memory_fixture.hpp"
#include "tools/mcp/protocol/http_server.hpp"

#include <cairn/tokens.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace cairn::test {
namespace {

namespace json = boost::json;

/// A client with a token.
class TokenClient {
 public:
  TokenClient(std::uint16_t port, const std::string& secret) : client_(port) {
    client_.always_send("Authorization: Bearer " + secret);
  }

  HttpAnswer list() { return client_.post_stateless("tools/list", "", "{}"); }
  std::string tools() {
    std::string names;
    const json::value listed = list().messages().at(0);
    for (const json::value& tool : listed.at("result").at("tools").as_array())
      names += std::string(tool.at("name").as_string()) + " ";
    return names;
  }
  ToolReply call(const std::string& tool, const std::string& arguments) {
    return ToolFixture::reply_of(
        client_
            .post_stateless("tools/call", tool,
                            R"({"name":")" + tool + R"(","arguments":)" + arguments + "}")
            .messages()
            .at(0));
  }
  ToolReply query(const std::string& statement, const std::string& more = "") {
    return call("query", R"({"statement":")" + statement + "\"" + more + "}");
  }
  HttpClient& raw() { return client_; }

 private:
  HttpClient client_;
};

struct TokenServers {
  std::string token(const std::string& name, Role role, const std::string& home = "",
                    std::vector<std::string> others = {}) {
    return must(create_token(*database, {name, role, home, std::move(others)}));
  }
  void serve(tools::mcp::McpSettings settings = {}, std::optional<std::string> name_space = {}) {
    server.emplace(
        tools::mcp::token_login(*database, std::move(settings), std::move(name_space), "1.0"));
  }
  TokenClient client(const std::string& secret) { return {server->port(), secret}; }

  TemporaryDatabase database;
  std::optional<tools::mcp::HttpServer> server;
};

constexpr const char* handshake =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}})";
constexpr const char* list_line = R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_token_login, TokenServers)

BOOST_AUTO_TEST_CASE(without_a_token_of_the_database_nobody_is_let_in) {
  const std::string secret = token("agent", Role::admin);
  serve();
  for (const std::string& header :
       {std::string("X: 1"), std::string("Authorization: Bearer"), "Authorization: Basic " + secret,
        "Authorization: Bearer " + secret + "x",
        std::string("Authorization: Bearer cairn_wrong")}) {
    HttpClient client(server->port());
    const HttpAnswer answer = client.post(handshake, {header});
    BOOST_TEST(answer.status == 401U, header);
    BOOST_TEST(answer.headers.at("www-authenticate") == "Bearer");
    BOOST_TEST((answer.body.find("cairn token create") != std::string::npos), answer.body);
    BOOST_TEST((answer.body.find(secret) == std::string::npos));
  }
  BOOST_TEST(client(secret).list().status == 200U);
}

BOOST_AUTO_TEST_CASE(the_role_of_a_token_decides_its_tools) {
  serve();
  const std::string reading = "search_memory list_memories search_documents describe_memory query ";
  BOOST_TEST(client(token("r", Role::read)).tools() == reading);
  BOOST_TEST(client(token("w", Role::write)).tools() ==
             "store_memory search_memory list_memories update_memories search_documents "
             "describe_memory query ");
  const std::string all =
      "store_memory search_memory list_memories update_memories forget_memories "
      "search_documents describe_memory query ";
  BOOST_TEST(client(token("f", Role::forget)).tools() == all);
  BOOST_TEST(client(token("a", Role::admin)).tools() == all);
}

BOOST_AUTO_TEST_CASE(a_token_reads_the_shared_namespaces_it_was_given) {
  serve();
  const auto made = [&](const char* name, const char* home, std::vector<std::string> also_read) {
    NewToken wanted{name, Role::write, home};
    wanted.also_read = std::move(also_read);
    return must(create_token(*database, wanted));
  };
  TokenClient team = client(made("team", "shared", {}));
  TokenClient other = client(made("other", "globex", {}));
  TokenClient agent = client(made("agent", "acme", {"shared"}));
  BOOST_TEST(!team.call("store_memory", R"({"content":"tea for all","external_id":"t"})").is_error);
  BOOST_TEST(!other.call("store_memory", R"({"content":"tea of others"})").is_error);
  BOOST_TEST(!agent.call("store_memory", R"({"content":"tea of mine"})").is_error);
  const ToolReply found = agent.call("search_memory", R"({"query":"tea"})");
  BOOST_TEST(found.has("tea for all"), found.text);
  BOOST_TEST(found.has("tea of mine"), found.text);
  BOOST_TEST(!found.has("others"), found.text);
  const ToolReply refused =
      agent.call("update_memories", R"({"external_id":"t","metadata":{"a":1}})");
  BOOST_TEST(refused.is_error);
  BOOST_TEST(refused.has("namespace \"shared\""), refused.text);
  const ToolReply authors = agent.query("MATCH (m:Memory) RETURN m@author ORDER BY m@author");
  BOOST_TEST(authors.has("agent"), authors.text);
  BOOST_TEST(authors.has("team"), authors.text);
}

BOOST_AUTO_TEST_CASE(a_server_that_only_reads_does_so_for_every_role) {
  tools::mcp::McpSettings settings;
  settings.read_only = settings.allow_writes = true;
  serve(settings);
  TokenClient admin = client(token("a", Role::admin));
  BOOST_TEST(admin.tools() ==
             "search_memory list_memories search_documents describe_memory query ");
  BOOST_TEST(admin.query("CREATE (:A)").is_error);
}

BOOST_AUTO_TEST_CASE(a_query_keeps_to_the_role) {
  tools::mcp::McpSettings settings;
  settings.allow_writes = true;
  serve(settings);
  TokenClient reads = client(token("r", Role::read));
  TokenClient writes = client(token("w", Role::write));
  TokenClient forgets = client(token("f", Role::forget));
  const ToolReply refused = reads.query("CREATE (:A)");
  BOOST_TEST(refused.has("needs the role write"), refused.text);
  BOOST_TEST(refused.has("--role write"), refused.text);
  BOOST_TEST(!writes.query("CREATE (:A)", R"(,"confirm":2)").is_error);
  BOOST_TEST(writes.query("MATCH (n:A) DELETE n", R"(,"confirm":1)").has("needs the role forget"));
  BOOST_TEST(result_of(*database, "MATCH (n:A) RETURN count(n)") == "1");
  BOOST_TEST(!forgets.query("MATCH (n:A) DELETE n", R"(,"confirm":1)").is_error);
  BOOST_TEST(result_of(*database, "MATCH (n:A) RETURN count(n)") == "0");
}

BOOST_AUTO_TEST_CASE(a_token_sees_its_home_alone) {
  serve();
  client(token("default", Role::write))
      .call("store_memory", R"({"content":"the secret of others"})");
  TokenClient acme = client(token("acme", Role::write, "acme"));
  BOOST_TEST(!acme.call("store_memory", R"({"content":"of acme"})").is_error);
  BOOST_TEST(result_of(*database, "MATCH (n:Memory) RETURN count(n)") == "1");
  const ToolReply found = acme.call("search_memory", R"({"query":"secret of acme"})");
  BOOST_TEST(found.has("of acme"), found.text);
  BOOST_TEST(!found.has("others"), found.text);
  client(token("hidden", Role::write, "hidden")).call("store_memory", R"({"content":"x"})");
  BOOST_TEST(!acme.query("SHOW NAMESPACES").has("hidden"));
  BOOST_TEST(
      client(token("all", Role::read, "acme", {"*"})).query("SHOW NAMESPACES").has("hidden"));
}

BOOST_AUTO_TEST_CASE(a_server_of_a_namespace_serves_who_may_use_it) {
  serve({}, "acme");
  const std::string other = token("other", Role::read, "other");
  const HttpAnswer refused = client(other).list();
  BOOST_TEST(refused.status == 403U);
  BOOST_TEST((refused.body.find("acme") != std::string::npos), refused.body);
  TokenClient given = client(token("given", Role::write, "other", {"acme"}));
  BOOST_TEST(!given.call("store_memory", R"({"content":"x"})").is_error);
  BOOST_TEST(client(token("home", Role::read, "acme")).call("list_memories", "{}").has("1 of 1"));
}

BOOST_AUTO_TEST_CASE(a_revoked_token_stops_working_at_once) {
  const std::string secret = token("agent", Role::write);
  serve();
  TokenClient agent = client(secret);
  const HttpAnswer begun = agent.raw().post(handshake);
  const std::string session = "Mcp-Session-Id: " + begun.headers.at("mcp-session-id");
  BOOST_TEST(agent.raw().post(list_line, {session}).status == 200U);
  BOOST_TEST(must(revoke_token(*database, "agent")));
  BOOST_TEST(agent.raw().post(list_line, {session}).status == 401U);
  // Another of the same name has the role that it was made with, and no session of the old one.
  TokenClient next = client(token("agent", Role::read));
  BOOST_TEST(next.raw().post(list_line, {session}).status == 404U);
  BOOST_TEST((next.tools().find("store_memory") == std::string::npos));
}

BOOST_AUTO_TEST_CASE(a_session_is_of_the_token_that_began_it) {
  serve();
  TokenClient mine = client(token("mine", Role::admin));
  TokenClient other = client(token("other", Role::read));
  const std::string session =
      "Mcp-Session-Id: " + mine.raw().post(handshake).headers.at("mcp-session-id");
  BOOST_TEST(other.raw().post(list_line, {session}).status == 404U);
  BOOST_TEST(mine.raw().post(list_line, {session}).status == 200U);
}

BOOST_AUTO_TEST_CASE(many_sessions_of_one_token_end_none_of_others) {
  const std::string busy = token("busy", Role::read);
  const std::string quiet = token("quiet", Role::read);
  tools::mcp::HttpOptions options;
  options.most_sessions = 3;
  server.emplace(tools::mcp::token_login(*database, {}, {}, "1.0"), options);
  TokenClient first = client(quiet);
  TokenClient second = client(busy);
  const auto open = [](TokenClient& one) {
    return "Mcp-Session-Id: " + one.raw().post(handshake).headers.at("mcp-session-id");
  };
  const std::string kept = open(first);
  std::vector<std::string> opened;
  for (int i = 0; i < 6; ++i) opened.push_back(open(second));
  BOOST_TEST(first.raw().post(list_line, {kept}).status == 200U);
  BOOST_TEST(second.raw().post(list_line, {opened[0]}).status == 404U);
  // A third token takes from the one that has most.
  TokenClient third = client(token("third", Role::read));
  const std::string new_one = open(third);
  BOOST_TEST(first.raw().post(list_line, {kept}).status == 200U);
  BOOST_TEST(third.raw().post(list_line, {new_one}).status == 200U);
  BOOST_TEST(second.raw().post(list_line, {opened[4]}).status == 404U);
  BOOST_TEST(second.raw().post(list_line, {opened[5]}).status == 200U);
}

BOOST_AUTO_TEST_CASE(a_listening_client_hears_of_its_own_namespace) {
  const std::string acme = token("acme", Role::write, "acme");
  const std::string other = token("other", Role::write, "other");
  serve();
  TokenClient listening = client(acme);
  listening.raw().send_stateless(
      "subscriptions/listen", "",
      R"({"notifications":{"resourceSubscriptions":["cairn://statistics"]}})");
  BOOST_REQUIRE(listening.raw().read_until("subscriptions/acknowledged"));
  constexpr std::string_view notice = "notifications/resources/updated";
  BOOST_REQUIRE(listening.raw().read_until(notice));  // who begins to listen gets one
  client(other).call("store_memory", R"({"content":"of others"})");
  std::this_thread::sleep_for(
      std::chrono::milliseconds(600));  // more than two looks of the watcher
  BOOST_TEST(listening.raw().count(notice) == 1U);
  client(acme).call("store_memory", R"({"content":"tea"})");
  for (int i = 0; i < 400 && listening.raw().count(notice) < 2; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  BOOST_TEST(listening.raw().count(notice) == 2U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
