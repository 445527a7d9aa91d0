// Heads of requests by HTTP, before a message is read, and headers that must agree with it.

#include "tools/mcp/protocol/http_check.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace cairn::tools::mcp;

namespace {

HttpHead good_head() {
  HttpHead head;
  head.method = "POST";
  head.target = "/mcp";
  head.host = "127.0.0.1:8080";
  head.content_type = "application/json; charset=utf-8";
  head.accept = "application/json, text/event-stream";
  return head;
}

unsigned status_for(const HttpHead& head, const HttpRules& rules = {}) {
  const auto refusal = check_head(head, rules);
  return refusal ? refusal->status : 200;
}

json::value stateless_message(std::string_view method, std::string_view params) {
  json::object object = json::parse(params).as_object();
  object["_meta"] = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                     {"io.modelcontextprotocol/clientCapabilities", json::object()}};
  return json::object{
      {"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", std::move(object)}};
}

std::int64_t code_for(const HttpHead& head, const json::value& message) {
  BOOST_TEST(is_stateless_post(head, message));
  const auto refusal = check_stateless(head, message);
  if (!refusal) return 0;
  BOOST_TEST(refusal->status == 400U);
  return static_cast<std::int64_t>(refusal->error.code);
}

HttpHead head_for(const char* method, std::optional<std::string> name = std::nullopt) {
  HttpHead head = good_head();
  head.protocol_version = "2026-07-28";
  head.mcp_method = method;
  head.mcp_name = std::move(name);
  return head;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mcp_http_check)

BOOST_AUTO_TEST_CASE(only_names_of_this_machine_are_served) {
  for (const char* host : {"localhost", "LOCALHOST:1", "127.0.0.1", "[::1]", "[::1]:80"}) {
    HttpHead head = good_head();
    head.host = host;
    BOOST_TEST(status_for(head) == 200U);
  }
  for (const char* host :
       {"", "evil.example.com", "localhost.evil.com", "127.0.0.1.evil.com:80", "evil.com:127.0.0.1",
        "[::2]", "::1", "localhost:80:x.evil.com", "localhost:evil.com"}) {
    HttpHead head = good_head();
    head.host = host;
    BOOST_TEST(status_for(head) == 403U);
  }
  HttpHead head = good_head();
  head.host = "memory.lan:8080";
  BOOST_TEST(status_for(head) == 403U);
  HttpRules rules;
  rules.hosts = {"memory.lan"};
  BOOST_TEST(status_for(head, rules) == 200U);
}

BOOST_AUTO_TEST_CASE(pages_of_other_origins_are_refused) {
  for (const char* origin : {"http://localhost:3000", "https://127.0.0.1", "http://[::1]:80"}) {
    HttpHead head = good_head();
    head.origin = origin;
    BOOST_TEST(status_for(head) == 200U);
  }
  for (const char* origin :
       {"", "null", "http://evil.example.com", "https://localhost.evil.com", "file://localhost",
        "localhost", "http://evil.com/localhost", "http://localhost:80:x.evil.com",
        "http://localhost:80@evil.com", "http://[::1]:80:x.evil.com", "http://localhost:x"}) {
    HttpHead head = good_head();
    head.origin = origin;
    BOOST_TEST(status_for(head) == 403U);
  }
}

BOOST_AUTO_TEST_CASE(a_token_is_asked_for_where_there_is_one) {
  HttpRules rules;
  rules.token = "secret";
  HttpHead head = good_head();
  for (const char* wrong : {"", "secret", "Basic secret", "Bearer", "Bearer ", "Bearer secre",
                            "Bearer secret1", "Bearer Secret"}) {
    head.authorization = wrong;
    BOOST_TEST(status_for(head, rules) == 401U);
  }
  for (const char* right : {"Bearer secret", "bearer  secret"}) {
    head.authorization = right;
    BOOST_TEST(status_for(head, rules) == 200U);
  }
}

BOOST_AUTO_TEST_CASE(messages_are_posted_as_json_to_one_path) {
  HttpHead head = good_head();
  head.method = "GET";
  BOOST_TEST(status_for(head) == 405U);
  head = good_head();
  head.target = "/mcp/other";
  BOOST_TEST(status_for(head) == 404U);
  head.target = "/mcp?a=b";
  BOOST_TEST(status_for(head) == 200U);
  for (const char* type : {"", "text/plain", "application/jsonx"}) {
    head = good_head();
    head.content_type = type;
    BOOST_TEST(status_for(head) == 415U);
  }
  for (const char* accept : {"", "application/json", "text/event-stream", "text/html"}) {
    head = good_head();
    head.accept = accept;
    BOOST_TEST(status_for(head) == 406U);
  }
  for (const char* accept : {"*/*", "text/event-stream;q=0.5 , Application/JSON"}) {
    head = good_head();
    head.accept = accept;
    BOOST_TEST(status_for(head) == 200U);
  }
}

BOOST_AUTO_TEST_CASE(headers_must_agree_with_the_message) {
  const json::value list = stateless_message("tools/list", "{}");
  const json::value call = stateless_message("tools/call", R"({"name": "söme"})");
  BOOST_TEST(code_for(head_for("tools/list"), list) == 0);
  BOOST_TEST(code_for(head_for(" tools/list "), list) == 0);
  BOOST_TEST(code_for(head_for("TOOLS/LIST"), list) == -32020);
  BOOST_TEST(code_for(head_for("prompts/list"), list) == -32020);
  BOOST_TEST(code_for(head_for("tools/call", " söme\t"), call) == 0);
  BOOST_TEST(code_for(head_for("tools/call", "=?base64?c8O2bWU=?="), call) == 0);
  BOOST_TEST(code_for(head_for("tools/call", "=?base64?c8O2bWU?="), call) == -32020);
  BOOST_TEST(code_for(head_for("tools/call", "other"), call) == -32020);
  BOOST_TEST(code_for(head_for("tools/call"), call) == -32020);
  BOOST_TEST(code_for(head_for("resources/read", "a://b"),
                      stateless_message("resources/read", R"({"uri": "a://b"})")) == 0);

  HttpHead head = head_for("tools/list");
  head.protocol_version = "2025-11-25";
  BOOST_TEST(code_for(head, list) == -32020);
  head.protocol_version.reset();
  BOOST_TEST(code_for(head, list) == -32020);
  head = head_for("tools/list");
  head.mcp_method.reset();
  BOOST_TEST(code_for(head, list) == -32020);
}

BOOST_AUTO_TEST_CASE(a_header_of_the_new_revision_needs_its_envelope) {
  const HttpHead head = head_for("tools/list");
  BOOST_TEST(
      code_for(head, json::parse(R"({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})")) ==
      -32602);
  BOOST_TEST(code_for(head, json::parse("[]")) == -32600);
  BOOST_TEST(
      code_for(head, json::parse(R"({"jsonrpc": "2.0", "method": "notifications/cancelled"})")) ==
      0);
  BOOST_TEST(!is_stateless_post(
      good_head(), json::parse(R"({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})")));
}

BOOST_AUTO_TEST_CASE(errors_have_the_status_that_the_revision_gives_them) {
  const auto status = [](int code, bool is_stateless) {
    return status_of(json::object{{"error", {{"code", code}}}}, is_stateless);
  };
  BOOST_TEST(status(-32601, true) == 404U);
  BOOST_TEST(status(-32601, false) == 200U);
  BOOST_TEST(status(-32021, true) == 400U);
  BOOST_TEST(status(-32022, true) == 400U);
  BOOST_TEST(status(-32602, true) == 200U);
  BOOST_TEST(status(-32700, false) == 400U);
  BOOST_TEST(status_of(json::object{{"result", 1}}, true) == 200U);
}

BOOST_AUTO_TEST_SUITE_END()
