// What clients of `cairn mcp` find in their log, from the level on that they set: limits that were reached, and nothing that
// is stored.

#include "tests/tools/mcp/memory_fixture.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace cairn::test {
namespace {

namespace json = boost::json;

constexpr const char* endless =
    R"json({"statement":"UNWIND range(1, 1000000000000) AS i RETURN count(i)"})json";

tools::mcp::McpSettings short_settings() {
  tools::mcp::McpSettings settings;
  settings.timeout = std::chrono::milliseconds(50);
  return settings;
}

/// A client that made the handshake.
struct LoggedTools : ToolFixture {
  explicit LoggedTools(tools::mcp::McpSettings settings = {}) : ToolFixture(std::move(settings)) {
    capabilities = client.initialize().at("result").at("capabilities").as_object();
  }

  void set_level(const std::string& level) {
    const json::value answer =
        client.ask(R"({"jsonrpc":"2.0","id":"l","method":"logging/setLevel","params":{"level":")" +
                   level + "\"}}");
    BOOST_REQUIRE_EQUAL(code_of(answer), 0);
  }
  /// The parameters of what is logged before the answer of a call.
  std::vector<json::value> logs_of(const std::string& tool, const std::string& arguments,
                                   const std::string& meta = "") {
    std::vector<json::value> logs;
    const auto messages =
        client.send(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + tool +
                    R"(","arguments":)" + arguments + meta + "}}");
    BOOST_REQUIRE(!messages.empty());
    BOOST_TEST(messages.back().as_object().contains("result"));
    for (std::size_t i = 0; i + 1 < messages.size(); ++i) {
      BOOST_TEST(messages[i].at("method") == json::value("notifications/message"));
      logs.push_back(messages[i].at("params"));
    }
    return logs;
  }
  /// More than an answer of 300 tokens has room for.
  void add_many() {
    run("CALL memory.add([i IN range(1, 30) | {content: 'a secret of some length, number ' + "
        "toString(i)}])");
  }

  json::object capabilities;
};

struct ShortTools : LoggedTools {
  ShortTools() : LoggedTools(short_settings()) {}
};

json::value warning() {
  return {{"level", "warning"},
          {"logger", "query"},
          {"data", "stopped at a limit, such as that of time, memory or rows"}};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mcp_logging)

BOOST_FIXTURE_TEST_CASE(a_statement_that_was_stopped_is_a_warning, ShortTools) {
  BOOST_TEST(capabilities.contains("logging"));
  // Without a level nothing is sent.
  BOOST_TEST(logs_of("query", endless).empty());
  set_level("warning");
  const auto logs = logs_of("query", endless);
  BOOST_REQUIRE_EQUAL(logs.size(), 1U);
  BOOST_TEST(logs[0] == warning());
  BOOST_TEST(logs_of("query", R"({"statement":"RETURN 1 AS one"})").empty());
  BOOST_TEST(logs_of("query", R"({"statement":"RETURN"})").empty());
  set_level("error");
  BOOST_TEST(logs_of("query", endless).empty());
  set_level("debug");
  BOOST_TEST(logs_of("query", endless).size() == 1U);
}

BOOST_FIXTURE_TEST_CASE(an_answer_that_was_cut_is_told_without_what_is_stored, LoggedTools) {
  add_many();
  set_level("info");
  const auto logs = logs_of("list_memories", R"({"limit":30,"max_tokens":300})");
  BOOST_REQUIRE_EQUAL(logs.size(), 1U);
  BOOST_TEST(logs[0].at("level") == json::value("info"));
  BOOST_TEST(logs[0].at("logger") == json::value("list_memories"));
  const std::string text(logs[0].at("data").as_string());
  BOOST_TEST(text.starts_with("cut to max_tokens 300: "), text);
  BOOST_TEST(text.ends_with(" of 30 results are shown whole"), text);
  BOOST_TEST(text.find("secret") == std::string::npos, text);
  BOOST_TEST(logs_of("list_memories", R"({"limit":2})").empty());
  set_level("warning");
  BOOST_TEST(logs_of("list_memories", R"({"limit":30,"max_tokens":300})").empty());
}

BOOST_FIXTURE_TEST_CASE(a_request_without_handshake_names_its_level, ShortTools) {
  const auto meta = [](const std::string& more) {
    return R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
           R"("io.modelcontextprotocol/clientCapabilities":{})" +
           more + "}";
  };
  const std::string level = R"(,"io.modelcontextprotocol/logLevel":)";
  BOOST_TEST(logs_of("query", endless, meta("")).empty());
  BOOST_TEST(logs_of("query", endless, meta(level + "\"error\"")).empty());
  const auto logs = logs_of("query", endless, meta(level + "\"info\""));
  BOOST_REQUIRE_EQUAL(logs.size(), 1U);
  BOOST_TEST(logs[0] == warning());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
