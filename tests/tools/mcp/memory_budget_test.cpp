// Answers keep to their budget whatever is stored, state what they take, and give the rest by their cursors.

#include "tests/tools/mcp/memory_fixture.hpp"

#include <array>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::test {
namespace {

namespace json = boost::json;

constexpr std::array formats = {"toon", "json", "markdown"};

/// Texts of every size and script, with what JSON and TOON must escape.
std::string random_text(std::mt19937& random, std::size_t most) {
  constexpr std::array parts = {
      "tea ", "coffee and rain ", "\n",  "|",    "\\",       "\"",        "é",
      "茶",   "\xF0\x9F\x8D\xB5", "<<<", "\x01", "# head\n", "0123456789"};
  std::string text;
  const std::size_t size = random() % most;
  while (text.size() < size) text += parts[random() % parts.size()];
  return text;
}

Map random_record(std::mt19937& random) {
  constexpr std::array<std::size_t, 4> sizes = {20, 400, 4'000, 40'000};
  Map metadata;
  for (std::size_t i = 0; i < random() % 6; ++i)
    metadata.insert_or_assign("key" + std::to_string(random() % 9),
                              random_text(random, 1 + sizes[random() % 3]));
  return {{"content", "tea " + random_text(random, sizes[random() % sizes.size()])},
          {"kind", random() % 3 == 0 ? "task" : "note"},
          {"metadata", std::move(metadata)}};
}

tools::mcp::McpSettings with_all_tools() {
  tools::mcp::McpSettings settings;
  settings.all_tools = true;
  return settings;
}

struct Filled : ToolFixture {
  Filled() : ToolFixture(with_all_tools()) {
    std::mt19937 random(11);
    List records;
    for (int i = 0; i < 60; ++i) records.push_back(random_record(random));
    run("CALL memory.add($records, {mode: 'open'}) YIELD id RETURN count(id)",
        {{"records", records}});
  }

  /// Rules with long patterns, and documents with long texts.
  void add_rules_and_documents() {
    std::mt19937 random(12);
    for (int i = 0; i < 40; ++i) {
      const std::string number = std::to_string(i);
      run("CALL db.rules.put($name, $pattern, ['t" + number + "'], {fields: ['content']})",
          {{"name", "rule" + number}, {"pattern", "tea|" + std::string(300, 'x')}});
      run("CREATE (:Chunk {content: $text, file_path: '/docs/" + number + ".md', file_name: '" +
              number +
              ".md', file_ext: '.md', file_type: 'document', chunk_index: 0, "
              "total_chunks: 1, modified_time: '2026-01-15T10:30:00Z'})",
          {{"text", "tea " + random_text(random, 4'000)}});
    }
    run("CREATE FULLTEXT INDEX chunk_content FOR (c:Chunk) ON EACH [c.content]");
  }
  /// The larger of the texts of a prompt.
  std::size_t tokens_of_prompt(const json::object& params) {
    const json::value reply = client.ask_stateless("prompts/get", json::serialize(params));
    std::size_t most = 0;
    for (const json::value& message : reply.at("result").at("messages").as_array())
      most =
          std::max(most, tools::mcp::estimate_tokens(message.at("content").at("text").as_string()));
    return most;
  }
};

/// Over by what the estimate allows, and not more.
bool keeps_to(const ToolReply& reply, std::size_t budget) {
  return reply.tokens() <= budget + budget / 20;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mcp_tokens)

BOOST_AUTO_TEST_CASE(an_estimate_counts_bytes_of_ascii_and_other_characters) {
  using tools::mcp::estimate_tokens;
  BOOST_TEST(estimate_tokens("") == 0U);
  BOOST_TEST(estimate_tokens("four") == 1U);
  BOOST_TEST(estimate_tokens("five.") == 2U);
  BOOST_TEST(estimate_tokens("茶茶") == 2U);
  BOOST_TEST(estimate_tokens("tea 茶") == 2U);
}

BOOST_AUTO_TEST_CASE(a_cut_splits_no_character) {
  BOOST_TEST(tools::mcp::cut_text("茶茶茶", 9) == "茶茶茶");
  BOOST_TEST(tools::mcp::cut_text("茶茶茶", 5) == "茶...");
  BOOST_TEST(tools::mcp::cut_text("茶", 1) == "...");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(mcp_budget, Filled)

BOOST_AUTO_TEST_CASE(no_answer_is_larger_than_its_budget) {
  BOOST_REQUIRE(result("MATCH (m:Memory) RETURN count(m)") == "60");
  const std::array<std::pair<const char*, const char*>, 8> calls = {
      std::pair("search_memory", R"("query":"tea","limit":50)"),
      std::pair("search_memory", R"("query":"tea","limit":50,"context":2)"),
      std::pair("search_memory", R"("query":"tea","limit":9,"expand":"session")"),
      std::pair("search_memory", R"("limit":100,"facets":["key1","kind","key2"])"),
      std::pair("list_memories", R"("limit":100)"),
      std::pair("describe_memory", R"("nested":true)"),
      std::pair("describe_memory", R"("field":"key1")"),
      std::pair("query", R"("statement":"MATCH (m:Memory) RETURN m, m.content, m.key1")")};
  for (const auto& [tool, arguments] : calls)
    for (const char* format : formats)
      for (const std::size_t budget : {200U, 500U, 2'000U, 9'000U}) {
        const ToolReply reply =
            call(tool, std::string("{") + arguments + R"(,"format":")" + format +
                           R"(","max_tokens":)" + std::to_string(budget) + "}");
        BOOST_TEST(!reply.is_error, reply.text.substr(0, 200));
        BOOST_TEST(keeps_to(reply, budget),
                   tool << " " << format << " " << budget << ": " << reply.tokens() << " tokens");
        const auto stated = static_cast<std::size_t>(reply.structured.at("tokens").as_int64());
        BOOST_TEST(stated <= budget);
        BOOST_TEST(reply.tokens() <= stated + 4,
                   tool << " states " << stated << " and takes " << reply.tokens());
      }
  const ToolReply usual = call("list_memories", R"({"limit":100})");
  BOOST_TEST(keeps_to(usual, 2'000));
}

// The budget is the same for tools that write, and for those that few need.
BOOST_AUTO_TEST_CASE(nor_is_one_of_any_other_tool) {
  add_rules_and_documents();
  run("CALL memory.add({content: 'long', external_id: 'long'})");
  const std::string text(9'000, 'x');
  const std::vector<std::pair<std::string, json::object>> calls = {
      {"store_memory", {{"content", text}}},
      {"store_memory", {{"content", "tea"}, {"metadata", {{"note", text}}}}},
      {"update_memories", {{"external_id", "long"}, {"metadata", {{"note", text}}}}},
      {"update_memories",
       {{"nodeTypes", {"note", "task"}}, {"metadata", {{"a", text}}}, {"dry_run", true}}},
      {"forget_memories", {{"nodeTypes", {"note", "task"}}, {"dry_run", true}}},
      {"search_documents", {{"text", "tea"}, {"limit", 40}}},
      {"relate", {{"from", "long"}, {"to", 1}, {"type", "NEAR"}, {"properties", {{"t", text}}}}},
      {"tag_rules", {{"action", "list"}}},
      {"tag_rules", {{"action", "preview"}}},
      {"tag_rules", {{"action", "count"}}},
      {"faceted_search", {{"tags", {"t1"}}, {"page_size", 50}}},
      {"grammar", {{"form", "ebnf"}}}};
  for (const auto& [tool, arguments] : calls)
    for (const std::size_t budget : {200U, 500U, 2'000U, 9'000U}) {
      json::object given = arguments;
      given["max_tokens"] = budget;
      const ToolReply reply = call(tool, given);
      BOOST_TEST(!reply.is_error, tool << ": " << reply.text.substr(0, 200));
      BOOST_TEST(keeps_to(reply, budget),
                 tool << " " << budget << ": " << reply.tokens() << " tokens");
    }
}

BOOST_AUTO_TEST_CASE(prompts_keep_to_theirs) {
  const json::object question{{"question", "tea"}};
  BOOST_TEST(tokens_of_prompt({{"name", "recall"}, {"arguments", question}}) <= 2'100U);
  run("CALL memory.add([i IN range(1, 90) | {session: 's', content: $text}])",
      {{"text", std::string(3'000, 'y')}});
  const json::object session{{"session", "s"}};
  const std::size_t tokens = tokens_of_prompt({{"name", "consolidate"}, {"arguments", session}});
  BOOST_TEST(tokens <= 10'500U);
  BOOST_TEST(tokens > 2'100U);
  // A prompt takes no cursor, so it names the tool that does.
  const json::value reply = client.ask_stateless(
      "prompts/get",
      json::serialize(json::object{{"name", "consolidate"}, {"arguments", session}}));
  const auto& task = reply.at("result").at("messages").at(1).at("content").at("text").as_string();
  BOOST_TEST(task.find("list_memories with sessionId, limit 100 and that cursor") != task.npos,
             std::string(task));
  const std::string stored(
      reply.at("result").at("messages").at(0).at("content").at("text").as_string());
  const std::string mark = "with cursor \"";
  BOOST_TEST_REQUIRE(stored.find(mark) != stored.npos);
  const std::string rest = stored.substr(stored.find(mark) + mark.size());
  const ToolReply more =
      call("list_memories",
           {{"sessionId", "s"}, {"limit", 100}, {"cursor", rest.substr(0, rest.find('"'))}});
  BOOST_TEST(!more.is_error, more.text);
}

BOOST_AUTO_TEST_CASE(cursors_lead_to_every_record_once) {
  for (const char* question : {R"("limit":7)", R"("limit":7,"query":"tea")"}) {
    std::multiset<std::int64_t> seen;
    std::string cursor;
    for (int calls = 0; calls < 200; ++calls) {
      const ToolReply reply = call(
          "search_memory", std::string("{") + question + R"(,"format":"json","max_tokens":1500)" +
                               (cursor.empty() ? "" : R"(,"cursor":")" + cursor + "\"") + "}");
      BOOST_REQUIRE(!reply.is_error);
      if (const auto* results = reply.structured.if_contains("results"))
        for (const json::value& one : results->as_array()) seen.insert(one.at("id").as_int64());
      cursor = reply.cursor();
      if (cursor.empty()) break;
    }
    BOOST_TEST(cursor.empty());
    BOOST_TEST(seen.size() == 60U, question);
    BOOST_TEST(std::set<std::int64_t>(seen.begin(), seen.end()).size() == 60U, question);
  }
}

BOOST_AUTO_TEST_CASE(a_cursor_of_another_request_is_refused) {
  const std::string cursor = call("list_memories", R"({"limit":3})").cursor();
  BOOST_REQUIRE(!cursor.empty());
  BOOST_TEST(!call("list_memories", R"({"limit":3,"max_tokens":400,"cursor":")" + cursor + "\"}")
                  .is_error);
  for (const char* other : {R"({"limit":4,"cursor":")", R"({"limit":3,"cursor":"x)"})
    BOOST_TEST(call("list_memories", other + cursor + "\"}").has("is of another request"));
  BOOST_TEST(call("list_memories", R"({"max_tokens":10})").is_error);
}

BOOST_AUTO_TEST_CASE(a_passage_is_one_result_with_its_ids) {
  run("CALL memory.add([i IN range(1, 9) | {session: 's', content: CASE i WHEN 5 THEN 'a comet' "
      "ELSE 'turn ' + toString(i) END, metadata: {role: CASE i % 2 WHEN 0 THEN 'assistant' ELSE "
      "'user' END, created_at: '2026-02-01T10:0' + toString(i) + ':00Z'}}], {mode: 'open'})");
  const std::string question = R"({"query":"comet","limit":1)";
  const ToolReply around = call("search_memory", question + R"(,"context":1,"format":"json"})");
  const json::array& found = around.structured.at("results").as_array();
  BOOST_TEST_REQUIRE(found.size() == 1U);
  BOOST_TEST(found[0].at("content") ==
             json::value("assistant: turn 4\nuser: a comet\nassistant: turn 6"));
  BOOST_TEST(found[0].at("passage").as_array().size() == 3U);
  BOOST_TEST(found[0].at("passage").at(1) == found[0].at("id"));
  BOOST_TEST(!found[0].as_object().contains("left_out"));
  BOOST_TEST(around.cursor().empty());
  const ToolReply whole = call("search_memory", question + R"(,"expand":"session"})");
  BOOST_TEST(whole.has("> user: turn 1\n> assistant: turn 2"), whole.text);
  BOOST_TEST(whole.has("> user: turn 9"), whole.text);
  const ToolReply few =
      call("search_memory", question + R"(,"expand":"session","max_tokens":400})");
  BOOST_TEST(few.has("a comet"), few.text);
  BOOST_TEST(keeps_to(few, 400));
  BOOST_TEST(call("search_memory", R"({"context":1})").has("need a query"));
  BOOST_TEST(
      call("search_memory", question + R"(,"context":1,"page":2})").has("cannot have pages"));
  BOOST_TEST(call("search_memory", question + R"(,"context":1001})").has("at most 1000"));
  BOOST_TEST(call("search_memory", question + R"(,"expand":"all"})").is_error);
}

// What a passage has depends on the budget, so the next results are those of the same budget.
BOOST_AUTO_TEST_CASE(cursors_of_passages_lead_on) {
  run("CALL memory.add([i IN range(1, 40) | {session: 's' + toString(i / 4), content: 'comet ' + "
      "toString(i) + $text}])",
      {{"text", std::string(60, 'y')}});
  const std::string question = R"({"query":"comet","limit":9,"context":1,"format":"json")";
  std::set<std::int64_t> seen;
  std::string cursor;
  for (int calls = 0; calls < 20; ++calls) {
    const ToolReply reply =
        call("search_memory", question + R"(,"max_tokens":900)" +
                                  (cursor.empty() ? "" : R"(,"cursor":")" + cursor + "\"") + "}");
    BOOST_REQUIRE(!reply.is_error);
    BOOST_TEST(keeps_to(reply, 900));
    if (const auto* results = reply.structured.if_contains("results"))
      for (const json::value& one : results->as_array())
        if (const auto* passage = one.as_object().if_contains("passage"))
          for (const json::value& id : passage->as_array())
            BOOST_TEST(seen.insert(id.as_int64()).second);
    if (!reply.cursor().empty())
      BOOST_TEST(call("search_memory",
                      question + R"(,"max_tokens":2000,"cursor":")" + reply.cursor() + "\"}")
                     .has("is of another request"));
    cursor = reply.cursor();
    if (cursor.empty()) break;
  }
  BOOST_TEST(cursor.empty());
  BOOST_TEST(seen.size() > 3U);
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

struct Files : ToolFixture {
  Files() : ToolFixture(settings()) {}
  static tools::mcp::McpSettings settings() {
    tools::mcp::McpSettings settings;
    settings.tools = tools::mcp::ToolSet::files;
    return settings;
  }
  ToolReply create(const std::string& path, const std::string& text) {
    return call("memory", {{"command", "create"}, {"path", path}, {"file_text", text}});
  }
};

std::string repeated(std::string_view part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_file_budget, Files)

BOOST_AUTO_TEST_CASE(no_answer_about_files_is_larger_than_its_budget) {
  const std::string lines = repeated("aa \"\\\t\n", 4'000);
  const std::string wide = repeated("茶\"", 9'000);
  const std::string deep = "/memories/" + repeated("\"n", 500);
  const std::string many = "/memories/many.md";
  const std::vector<json::object> commands = {
      {{"command", "view"}, {"path", many}},
      {{"command", "view"}, {"path", "/memories/wide.md"}},
      {{"command", "view"}, {"path", "/memories"}},
      {{"command", "view"}, {"path", deep}},
      {{"command", "view"}, {"path", deep + "x"}},
      {{"command", "view"}, {"path", "/memories/" + wide}},
      {{"command", "create"}, {"path", deep}, {"file_text", "x"}},
      {{"command", "create"}, {"path", deep + "/x"}, {"file_text", "x"}},
      {{"command", "str_replace"}, {"path", many}, {"old_str", "aa"}, {"new_str", "b"}},
      {{"command", "str_replace"}, {"path", many}, {"old_str", wide}, {"new_str", "b"}},
      {{"command", "str_replace"}, {"path", "/memories/twice.md"}, {"old_str", wide}},
      {{"command", "str_replace"}, {"path", deep + "x"}, {"old_str", "x"}},
      {{"command", "insert"}, {"path", many}, {"insert_line", 2}, {"insert_text", wide}},
      {{"command", "insert"}, {"path", many}, {"insert_line", -7}, {"insert_text", wide}},
      {{"command", "insert"}, {"path", deep}, {"insert_line", 0}, {"insert_text", "x"}},
      {{"command", "delete"}, {"path", deep + "x"}},
      {{"command", "rename"}, {"old_path", deep + "x"}, {"new_path", deep + "y"}},
      {{"command", "rename"}, {"old_path", deep}, {"new_path", deep}},
      {{"command", wide}, {"path", many}}};
  create(many, lines);
  create("/memories/wide.md", wide);
  create("/memories/twice.md", wide + "\n" + wide);
  create(deep, "x");
  const auto check = [&](json::object command, std::size_t budget) {
    command["max_tokens"] = budget;
    const ToolReply reply = call("memory", command);
    BOOST_TEST(keeps_to(reply, budget), command.at("command")
                                            << " " << reply.text.substr(0, 60) << " " << budget
                                            << ": " << reply.tokens() << " tokens");
    return reply;
  };
  for (const std::size_t budget : {200U, 500U, 2'000U, 9'000U}) {
    for (const json::object& command : commands) check(command, budget);
    // The snippet of a change in a long line, and back.
    const auto replace = [&](const char* from, const char* to) {
      const ToolReply done = check({{"command", "str_replace"},
                                    {"path", "/memories/long.md"},
                                    {"old_str", from},
                                    {"new_str", to}},
                                   budget);
      BOOST_TEST(!done.is_error, done.text);
      BOOST_TEST(done.has("…"), done.text);
    };
    create("/memories/long.md", "first\n" + wide + "old" + wide + "\nlast");
    replace("old", "new");
    replace("new", "old");
  }
  const ToolReply usual =
      call("memory", {{"command", "str_replace"}, {"path", many}, {"old_str", "aa"}});
  BOOST_TEST(keeps_to(usual, 2'000), usual.tokens());
  BOOST_TEST(usual.has("in lines: 1, 2, "), usual.text);
  BOOST_TEST(usual.has(" more). Please ensure it is unique"), usual.text);
}

// What fits is as the memory tool of Anthropic's API words it, up to the last byte.
BOOST_AUTO_TEST_CASE(what_fits_is_not_cut) {
  const std::string line(1'000, 'x');
  create("/memories/a.md", line + "\nold\n" + line);
  const auto replace = [&](const std::string& from, const char* to) {
    return call("memory", {{"command", "str_replace"},
                           {"path", "/memories/a.md"},
                           {"old_str", from},
                           {"new_str", to}})
        .text;
  };
  BOOST_TEST(replace("old", "new") ==
             "The memory file has been edited. Here is the snippet showing the change (with line "
             "numbers):\n     1\t" +
                 line + "\n     2\tnew\n     3\t" + line);
  BOOST_TEST(replace(line, "y") ==
             "No replacement was performed. Multiple occurrences of old_str `" + line +
                 "` in lines: 1, 3. Please ensure it is unique");
  BOOST_TEST(replace(line + "z", "y") == "No replacement was performed, old_str `" + line +
                                             "z` did not appear verbatim in /memories/a.md.");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
