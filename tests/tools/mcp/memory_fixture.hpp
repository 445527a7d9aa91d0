#pragma once
// The tools of `cairn mcp` over a temporary database, through the protocol machine.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"
#include "tests/tools/mcp/machine_client.hpp"
#include "tools/mcp/caller/token_budget.hpp"
#include "tools/mcp/memory/tools.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::test {

/// What a tool answered.
struct ToolReply {
  std::string text;
  boost::json::object structured;
  bool is_error = false;

  [[nodiscard]] bool has(std::string_view part) const { return text.find(part) != text.npos; }
  [[nodiscard]] std::string cursor() const {
    const auto* found = structured.if_contains("cursor");
    return found == nullptr ? std::string() : std::string(found->as_string());
  }
  /// What a client would put before the model: one of the two forms.
  [[nodiscard]] std::size_t tokens() const {
    const std::string as_json = structured.empty() ? "" : boost::json::serialize(structured);
    return std::max(tools::mcp::estimate_tokens(text), tools::mcp::estimate_tokens(as_json));
  }
};

struct ToolFixture {
  explicit ToolFixture(tools::mcp::McpSettings settings = {})
      : caller(*database, std::move(settings)), client(tools::mcp::memory_server(caller, "1.0")) {}

  ToolReply call(std::string_view tool, std::string_view arguments,
                 std::string_view capabilities = "{}") {
    const std::string params =
        R"({"name":")" + std::string(tool) + R"(","arguments":)" + std::string(arguments) + "}";
    return reply_of(client.ask_stateless("tools/call", params, capabilities));
  }
  ToolReply call(std::string_view tool, const boost::json::object& arguments) {
    return call(tool, boost::json::serialize(arguments));
  }
  ToolReply query(std::string_view statement) {
    return call("query", boost::json::object{{"statement", statement}});
  }
  static ToolReply reply_of(const boost::json::value& response) {
    ToolReply reply;
    const auto* result = response.as_object().if_contains("result");
    if (result == nullptr) return {boost::json::serialize(response), {}, true};
    const boost::json::object& object = result->as_object();
    if (const auto* error = object.if_contains("isError")) reply.is_error = error->as_bool();
    if (const auto* content = object.if_contains("content"))
      reply.text = content->as_array().at(0).as_object().at("text").as_string();
    if (const auto* structured = object.if_contains("structuredContent"))
      reply.structured = structured->as_object();
    return reply;
  }
  std::string result(std::string_view statement) { return result_of(*database, statement); }
  void run(std::string_view statement, const Parameters& parameters = {}) {
    must(must(execute(*database, statement, parameters)).all());
  }
  /// Two notes and a task.
  void add_some() {
    run("CALL memory.add([{content: 'Ada drinks green tea', external_id: 'tea', session: 's1', "
        "metadata: {user: 'ada', importance: 8, tags: ['drink', 'taste']}}, "
        "{content: 'Bob drinks coffee', metadata: {user: 'bob', importance: 3, tags: ['drink']}}, "
        "{kind: 'task', content: 'buy tea', metadata: {title: 'shopping', status: 'pending', "
        "priority: 'low', agentId: {namespace: 'agent', type: 'agent', id: 'a'}}}])");
  }

  TemporaryDatabase database;
  tools::mcp::MemoryCaller caller;
  MachineClient client;
};

}  // namespace cairn::test
