// The options of `cairn mcp`: writing by query, reading alone, a namespace, the time of a statement.

#include "tests/tools/mcp/memory_fixture.hpp"

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::test {
namespace {

namespace json = boost::json;

struct WritingTools : ToolFixture {
  WritingTools() : ToolFixture(settings()) {}
  static tools::mcp::McpSettings settings() {
    tools::mcp::McpSettings settings;
    settings.allow_writes = true;
    return settings;
  }
  void add_references(int count) {
    run("UNWIND range(1, " + std::to_string(count) +
        ") AS i CALL memory.add({content: 'old', kind: 'reference'}) YIELD id RETURN count(id)");
  }
};

constexpr const char* forms = R"({"elicitation":{}})";

/// Calls that need the user's answer, each with the number that a client without forms would pass.
constexpr std::array<std::pair<const char*, const char*>, 3> confirmed_calls{
    {{"query", R"json({"statement":"MATCH (m:Reference) DETACH DELETE m","confirm":21})json"},
     {"update_memories", R"({"nodeTypes":["reference"],"metadata":{"seen":true},"confirm":21})"},
     {"forget_memories", R"({"nodeTypes":["reference"],"action":"erase","confirm":21})"}}};

constexpr std::array<const char*, 3> refusing_answers{
    R"({"action":"decline"})", R"({"action":"cancel"})",
    R"({"action":"accept","content":{"yes":false}})"};

std::string params_of(std::string_view tool, std::string_view arguments) {
  return R"({"name":")" + std::string(tool) + R"(","arguments":)" + std::string(arguments) + "}";
}

/// The parameters of a call that brings the user's answer.
std::string with_answer(const std::string& params, const json::value& asked,
                        std::string_view answer) {
  return params.substr(0, params.size() - 1) + R"(,"requestState":)" +
         json::serialize(asked.at("result").at("requestState")) +
         R"(,"inputResponses":{"confirm":)" + std::string(answer) + "}}";
}

bool is_declined(const ToolReply& reply) {
  return reply.is_error && reply.has("the user declined") && !reply.has("confirm") &&
         !reply.has("21");
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_writing_query, WritingTools)

BOOST_AUTO_TEST_CASE(its_list_of_tools_is_short_too) {
  BOOST_TEST(json::serialize(client.ask_stateless("tools/list")).size() <= 12'000U);
}

BOOST_AUTO_TEST_CASE(a_query_that_writes_needs_the_number_of_its_changes) {
  const std::string statement = R"json("statement":"CREATE (:A {x: 1})")json";
  BOOST_TEST(call("query", "{" + statement + R"(,"dry_run":true})").has("Would make 3 changes"));
  const ToolReply refused = call("query", "{" + statement + "}");
  BOOST_TEST(refused.is_error);
  BOOST_TEST(refused.has("confirm: 3"), refused.text);
  BOOST_TEST(result("MATCH (n:A) RETURN count(n)") == "0");
  BOOST_TEST(call("query", "{" + statement + R"(,"confirm":3})").has("Made 3 changes"));
  BOOST_TEST(result("MATCH (n:A) RETURN count(n)") == "1");
  BOOST_TEST(query("CREATE INDEX FOR (n:A) ON (n.x)").is_error);
}

BOOST_AUTO_TEST_CASE(a_query_that_erases_what_has_expired_needs_its_number) {
  run("UNWIND range(1, 3) AS i CREATE (:A @ {expires_at: datetime('2000-01-01')})-[:R]->(:B)");
  const std::string statement = R"json("statement":"CALL db.expire()")json";
  BOOST_TEST(call("query", "{" + statement + R"(,"dry_run":true})").has("Would make 6 changes"));
  const ToolReply refused = call("query", "{" + statement + R"(,"confirm":0})");
  BOOST_TEST(refused.is_error);
  BOOST_TEST(refused.has("confirm: 6"), refused.text);
  BOOST_TEST(must(database->statistics()).nodes == 6U);
  BOOST_TEST(call("query", "{" + statement + R"(,"confirm":6})").has("Made 6 changes"));
  BOOST_TEST(must(database->statistics()).nodes == 3U);
}

BOOST_AUTO_TEST_CASE(a_query_in_batches_is_told_to_leave_them_out) {
  const ToolReply refused = query("UNWIND [1] AS i CALL (i) { CREATE (:T) } IN TRANSACTIONS");
  BOOST_TEST(refused.is_error);
  BOOST_TEST(refused.has("in one transaction; leave out IN TRANSACTIONS"), refused.text);
}

// Without a handshake the question is a result, and the answer comes with the request again.
BOOST_AUTO_TEST_CASE(the_user_is_asked_before_a_query_writes) {
  const std::string params =
      R"json({"name":"query","arguments":{"statement":"CREATE (:A {x: 1})"}})json";
  const json::value asked = client.ask_stateless("tools/call", params, R"({"elicitation":{}})");
  BOOST_TEST(json::serialize(asked).find("3 changes") != std::string::npos, json::serialize(asked));
  BOOST_TEST(result("MATCH (n:A) RETURN count(n)") == "0");
  const auto answer = [&](const char* yes) {
    const json::value again = client.ask_stateless("tools/call", params, forms);
    return reply_of(client.ask_stateless(
        "tools/call",
        with_answer(params, again,
                    R"({"action":"accept","content":{"yes":)" + std::string(yes) + "}}"),
        forms));
  };
  BOOST_TEST(answer("false").is_error);
  BOOST_TEST(result("MATCH (n:A) RETURN count(n)") == "0");
  BOOST_TEST(answer("true").has("Made 3 changes"));
  BOOST_TEST(result("MATCH (n:A) RETURN count(n)") == "1");
}

// With one the question is a request of the server, while the call waits.
BOOST_AUTO_TEST_CASE(with_a_handshake_the_user_is_asked_by_a_request) {
  static_cast<void>(client.initialize("2025-11-25", R"({"elicitation": {}})"));
  const auto call_of = [](const std::string& tool, const std::string& arguments) {
    return R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":")" + tool +
           R"(","arguments":)" + arguments + "}}";
  };
  const auto answer = [&](const json::value& question, const char* yes) {
    BOOST_TEST(question.at("method") == json::value("elicitation/create"));
    return reply_of(client.ask(R"({"jsonrpc":"2.0","id":)" + json::serialize(question.at("id")) +
                               R"(,"result":{"action":"accept","content":{"yes":)" + yes + "}}}"));
  };
  const std::string create = call_of("query", R"json({"statement":"CREATE (:A {x: 1})"})json");
  BOOST_TEST(answer(client.ask(create), "false").is_error);
  BOOST_TEST(result("MATCH (n:A) RETURN count(n)") == "0");
  BOOST_TEST(answer(client.ask(create), "true").has("Made 3 changes"));
  BOOST_TEST(result("MATCH (n:A) RETURN count(n)") == "1");
  run("UNWIND range(1, 21) AS i CALL memory.add({content: 'old', kind: 'reference'}) YIELD id "
      "RETURN count(id)");
  const std::string erase =
      call_of("forget_memories", R"({"nodeTypes":["reference"],"action":"erase"})");
  BOOST_TEST(answer(client.ask(erase), "false").is_error);
  BOOST_TEST(result("MATCH (m:Reference) RETURN count(m)") == "21");
  BOOST_TEST(answer(client.ask(erase), "true").has("Erased 21 of 21"));
  BOOST_TEST(result("MATCH (m:Reference) RETURN count(m)") == "0");
}

// `confirm` is the model's. It must not answer in the place of a user who can be asked, and must not
// be offered after the user has declined.
BOOST_AUTO_TEST_CASE(a_number_does_not_replace_the_answer_of_the_user) {
  add_references(21);
  for (const auto& [tool, arguments] : confirmed_calls) {
    const std::string params = params_of(tool, arguments);
    for (const char* answer : refusing_answers) {
      const json::value asked = client.ask_stateless("tools/call", params, forms);
      BOOST_TEST_REQUIRE(asked.at("result").at("resultType") == json::value("input_required"));
      const ToolReply refused =
          reply_of(client.ask_stateless("tools/call", with_answer(params, asked, answer), forms));
      BOOST_TEST(is_declined(refused), tool << answer << ": " << refused.text);
    }
  }
  BOOST_TEST(result("MATCH (m:Reference) WHERE m.seen IS NULL RETURN count(m)") == "21");
}

BOOST_AUTO_TEST_CASE(nor_does_it_with_a_handshake) {
  add_references(21);
  static_cast<void>(client.initialize("2025-11-25", forms));
  for (const auto& [tool, arguments] : confirmed_calls)
    for (const char* answer : refusing_answers) {
      const json::value asked =
          client.ask(R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":)" +
                     params_of(tool, arguments) + "}");
      BOOST_TEST_REQUIRE(asked.as_object().contains("method"), json::serialize(asked));
      const ToolReply refused =
          reply_of(client.ask(R"({"jsonrpc":"2.0","id":)" + json::serialize(asked.at("id")) +
                              R"(,"result":)" + answer + "}"));
      BOOST_TEST(is_declined(refused), tool << answer << ": " << refused.text);
    }
  BOOST_TEST(result("MATCH (m:Reference) WHERE m.seen IS NULL RETURN count(m)") == "21");
}

constexpr const char* agreement = R"({"action":"accept","content":{"yes":true}})";

// An answer is to one question. Whoever sends it again asks for what was not agreed to.
BOOST_AUTO_TEST_CASE(an_agreement_is_used_once) {
  const std::string count = "MATCH (m:Reference) RETURN count(m)";
  const std::string params =
      params_of("forget_memories", R"({"nodeTypes":["reference"],"action":"erase"})");
  add_references(21);
  const json::value asked = client.ask_stateless("tools/call", params, forms);
  const std::string agreed = with_answer(params, asked, agreement);
  BOOST_TEST(reply_of(client.ask_stateless("tools/call", agreed, forms)).has("Erased 21 of 21"));
  add_references(21);
  BOOST_TEST(code_of(client.ask_stateless("tools/call", agreed, forms)) == -32602);
  BOOST_TEST(result(count) == "21");
  // What was declined is not asked about again, but cannot be turned into an agreement either.
  const json::value second = client.ask_stateless("tools/call", params, forms);
  BOOST_TEST(is_declined(reply_of(client.ask_stateless(
      "tools/call", with_answer(params, second, refusing_answers[0]), forms))));
  BOOST_TEST(code_of(client.ask_stateless("tools/call", with_answer(params, second, agreement),
                                          forms)) == -32602);
  BOOST_TEST(result(count) == "21");
}

// An agreement is to these records, not to as many others.
BOOST_AUTO_TEST_CASE(other_records_need_another_agreement) {
  for (const auto& [tool, arguments] : {confirmed_calls[1], confirmed_calls[2]}) {
    run("MATCH (m:Reference) DETACH DELETE m");
    add_references(21);
    const std::string params = params_of(tool, arguments);
    const json::value asked = client.ask_stateless("tools/call", params, forms);
    run("MATCH (m:Reference) WITH m LIMIT 1 DETACH DELETE m");
    add_references(1);
    const json::value again =
        client.ask_stateless("tools/call", with_answer(params, asked, agreement), forms);
    BOOST_TEST_REQUIRE(again.at("result").at("resultType") == json::value("input_required"), tool);
    BOOST_TEST(result("MATCH (m:Reference) WHERE m.seen IS NULL RETURN count(m)") == "21");
    const ToolReply done =
        reply_of(client.ask_stateless("tools/call", with_answer(params, again, agreement), forms));
    BOOST_TEST(!done.is_error, tool << done.text);
    BOOST_TEST(result("MATCH (m:Reference) WHERE m.seen IS NULL RETURN count(m)") == "0");
  }
}

BOOST_AUTO_TEST_CASE(so_do_they_with_a_handshake) {
  add_references(21);
  static_cast<void>(client.initialize("2025-11-25", forms));
  const auto answer = [&](const json::value& question) {
    return client.ask(R"({"jsonrpc":"2.0","id":)" + json::serialize(question.at("id")) +
                      R"(,"result":)" + agreement + "}");
  };
  const json::value asked = client.ask(
      R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":)" +
      params_of("forget_memories", R"({"nodeTypes":["reference"],"action":"erase"})") + "}");
  run("MATCH (m:Reference) WITH m LIMIT 1 DETACH DELETE m");
  add_references(2);
  const json::value again = answer(asked);
  BOOST_TEST_REQUIRE(again.as_object().contains("method"), json::serialize(again));
  BOOST_TEST(json::serialize(again).find("erase 22 memories") != std::string::npos);
  BOOST_TEST(result("MATCH (m:Reference) RETURN count(m)") == "22");
  BOOST_TEST(reply_of(answer(again)).has("Erased 22 of 22"));
}

// What others write does not matter: else a user could hardly agree while many agents write.
BOOST_AUTO_TEST_CASE(an_agreement_outlives_writes_that_do_not_concern_it) {
  const auto expect_done = [&](std::size_t call, const std::string& count) {
    const auto& [tool, arguments] = confirmed_calls[call];
    const std::string params = params_of(tool, arguments);
    const json::value asked = client.ask_stateless("tools/call", params, forms);
    run("CALL memory.add({content: 'of somebody else'})");
    const ToolReply done =
        reply_of(client.ask_stateless("tools/call", with_answer(params, asked, agreement), forms));
    BOOST_TEST(!done.is_error, done.text);
    BOOST_TEST(done.has(count), tool << done.text);
  };
  add_references(21);
  expect_done(1, "21");
  expect_done(0, "Made 21 changes");
  add_references(1'001);
  expect_done(2, "Erased 1001 of 1001");
}

BOOST_AUTO_TEST_CASE(changes_that_are_not_counted_are_asked_for_too) {
  BOOST_TEST(!call("store_memory", R"({"content":"one","external_id":"e"})").is_error);
  for (const char* const statement :
       {"CALL memory.forget({external_id: 'e'}) YIELD matched RETURN matched",
        "CALL memory.update({external_id: 'e', content: 'X'}) YIELD changed RETURN changed"}) {
    const ToolReply refused = query(statement);
    BOOST_TEST(refused.is_error, refused.text);
    BOOST_TEST(refused.has("confirm"), refused.text);
  }
  BOOST_TEST(result("MATCH (m:Memory {content: 'one'}) RETURN count(m)") == "1");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(mcp_settings)

BOOST_AUTO_TEST_CASE(a_long_query_ends) {
  BOOST_TEST(tools::mcp::McpSettings().timeout.count() == 5'000);
  tools::mcp::McpSettings settings;
  settings.timeout = std::chrono::milliseconds(50);
  ToolFixture fixture(settings);
  const ToolReply ended = fixture.query("UNWIND range(1, 1000000000000) AS i RETURN count(i)");
  BOOST_TEST(ended.is_error);
  BOOST_TEST(ended.has("timeout"), ended.text);
}

BOOST_AUTO_TEST_CASE(a_read_only_server_has_no_tool_that_writes) {
  tools::mcp::McpSettings settings;
  settings.read_only = true;
  settings.allow_writes = true;
  ToolFixture fixture(settings);
  const json::value listed = fixture.client.ask_stateless("tools/list");
  const std::string text = json::serialize(listed);
  BOOST_TEST(listed.at("result").at("tools").as_array().size() == 5U);
  for (const char* name : {"store_memory\"", "update_memories\"", "forget_memories\""})
    BOOST_TEST(text.find(std::string("\"name\":\"") + name) == std::string::npos, name);
  BOOST_TEST(fixture.query("CREATE (:A)").is_error);
}

BOOST_AUTO_TEST_CASE(indexes_tell_a_namespace_of_its_own_properties) {
  tools::mcp::McpSettings settings;
  settings.name_space = "acme";
  settings.name_spaces = std::vector<std::string>{"acme"};
  ToolFixture fixture(settings);
  BOOST_TEST(!fixture.call("store_memory", R"({"content":"x","metadata":{"own":1}})").is_error);
  StatementOptions other;
  other.name_space = "other";
  must(execute(*fixture.database, "CREATE (:Memory {secretproject: 1})", {}, other));
  for (const char* statement : {"CALL db.indexes() YIELD name RETURN name", "SHOW INDEXES"}) {
    const ToolReply told = fixture.query(statement);
    BOOST_TEST(told.has("node.own"), told.text);
    BOOST_TEST(!told.has("secretproject"), told.text);
  }
}

BOOST_AUTO_TEST_CASE(a_namespace_sees_itself_alone) {
  tools::mcp::McpSettings settings;
  settings.name_space = "acme";
  settings.name_spaces = {"acme"};
  ToolFixture fixture(settings);
  fixture.run("CALL memory.add({content: 'the secret of others', metadata: {hidden_key: 1}})");
  fixture.call("store_memory", R"({"content":"of acme"})");
  const ToolReply found = fixture.call("search_memory", R"({"query":"secret of acme"})");
  BOOST_TEST(found.has("of acme"), found.text);
  for (
      const auto& [tool, arguments] :
      {std::pair("search_memory", R"({"query":"secret"})"), std::pair("list_memories", "{}"),
       std::pair("describe_memory", "{}"),
       std::pair("query", R"({"statement":"MATCH (n) RETURN n"})"),
       std::pair("query", R"({"statement":"SHOW NAMESPACES"})"),
       std::pair("describe_memory", R"({"field":"hidden_kez"})"),
       std::pair(
           "search_memory",
           R"({"query":"x","facets":["hidden_kez"],"metadataFilters":[{"field":"hidden_kez","operator":"exists"}]})"),
       std::pair(
           "list_memories",
           R"({"sortBy":"hidden_kez","metadataFilters":[{"field":"hidden_kez","operator":"exists"}]})")}) {
    const ToolReply reply = fixture.call(tool, arguments);
    BOOST_TEST(!reply.is_error, reply.text);
    BOOST_TEST(!reply.has("secret of others"), tool << reply.text);
    BOOST_TEST(!reply.has("hidden_key"), tool << reply.text);
  }
  // Its own names are told.
  fixture.call("store_memory", R"({"content":"more of acme","metadata":{"own_key":1}})");
  BOOST_TEST(fixture.call("describe_memory", R"({"field":"own_kez"})")
                 .has("no record has the property own_kez; did you mean own_key?"));
  BOOST_TEST(!fixture.call("describe_memory", R"({"field":"own_key"})").has("no record has"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
