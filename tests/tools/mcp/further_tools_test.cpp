// What `cairn mcp --tools all` adds: relationships, rules, facets, files, the grammar.

#include "tests/support/temporary_directory.hpp"
#include "tests/tools/mcp/memory_fixture.hpp"

#include <cairn/embedder.hpp>
#include <cairn/language_grammar.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cairn::test {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

tools::mcp::McpSettings all_settings(const fs::path& root = {}) {
  tools::mcp::McpSettings settings;
  settings.all_tools = true;
  settings.root = root;
  return settings;
}

struct FurtherTools : ToolFixture {
  FurtherTools() : ToolFixture(all_settings()) {}
};

std::string tool_names(ToolFixture& fixture) {
  std::string names;
  const json::value listed = fixture.client.ask_stateless("tools/list");
  for (const json::value& tool : listed.at("result").at("tools").as_array())
    names += std::string(tool.at("name").as_string()) + " ";
  return names;
}

void write_file(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_further_tools, FurtherTools)

BOOST_AUTO_TEST_CASE(they_stand_behind_the_eight) {
  BOOST_TEST(tool_names(*this).ends_with(
      "describe_memory query relate tag_rules faceted_search grammar "));
  ToolFixture usual;
  BOOST_TEST(tool_names(usual).ends_with("describe_memory query "));
  ToolFixture with_root(all_settings("/tmp"));
  BOOST_TEST(tool_names(with_root).ends_with("faceted_search ingest grammar "));
}

// Undoing a run takes tags away.
BOOST_AUTO_TEST_CASE(tools_that_take_something_away_say_so) {
  const json::value listed = client.ask_stateless("tools/list");
  for (const json::value& tool : listed.at("result").at("tools").as_array())
    if (tool.at("name") == json::value("tag_rules"))
      BOOST_TEST(tool.at("annotations").at("destructiveHint").as_bool());
}

BOOST_AUTO_TEST_CASE(two_memories_are_related_and_separated) {
  add_some();
  const std::string id = result("MATCH (m:Memory {user: 'bob'}) RETURN id(m)");
  const std::string related = R"({"from":"tea","to":)" + id + R"(,"type":"OPPOSES")";
  BOOST_TEST(
      call("relate", related + R"(,"properties":{"weight":0.5}})").has("Related 1 -[OPPOSES]-> 2"));
  BOOST_TEST(call("relate", related + R"(,"properties":{"weight":0.7}})").has("Related"));
  const std::string all = "MATCH (a)-[r:OPPOSES]->(b) RETURN collect(r.weight)";
  BOOST_TEST(result(all) == "[0.7]");
  BOOST_TEST(call("search_memory", R"({"query":"tea"})").has("OPPOSES"));
  BOOST_TEST(call("relate", related + R"(,"remove":true})").has("No longer related"));
  BOOST_TEST(result(all) == "[]");
  BOOST_TEST(call("relate", related + R"(,"remove":true})").is_error);
  const ToolReply none = call("relate", R"({"from":"none","to":1,"type":"X"})");
  BOOST_TEST(none.text ==
             "`from`: no memory has the external id \"none\"; give an id or an external_id that "
             "search_memory has shown");
}

BOOST_AUTO_TEST_CASE(rules_tag_what_is_there_and_are_undone) {
  add_some();
  BOOST_TEST(
      !call("tag_rules", R"({"action":"put","name":"tea","pattern":"(?i)tea","tags":["hot"]})")
           .is_error);
  BOOST_TEST(call("tag_rules", R"({"action":"list"})").has("(?i)tea"));
  BOOST_TEST(call("tag_rules", R"({"action":"preview"})").has("green tea"));
  const std::string tagged = "MATCH (m:Memory) WHERE 'hot' IN m.tags RETURN count(m)";
  BOOST_TEST(result(tagged) == "0");
  const ToolReply applied = call("tag_rules", R"({"action":"apply","format":"json"})");
  BOOST_TEST(result(tagged) == "2");
  const json::value run = applied.structured.at("results").at(0).at("run");
  BOOST_TEST(call("tag_rules", json::object{{"action", "undo"}, {"run", run}}).has("2"));
  BOOST_TEST(result(tagged) == "0");
  BOOST_TEST(call("tag_rules", R"({"action":"put","name":"x"})").has("needs pattern"));
}

BOOST_AUTO_TEST_CASE(rules_that_tag_many_need_the_number) {
  run("CALL memory.add([i IN range(1, 25) | {content: 'tea ' + toString(i)}])");
  call("tag_rules", R"({"action":"put","name":"tea","pattern":"tea","tags":["hot"]})");
  BOOST_TEST(call("tag_rules", R"({"action":"apply"})").has("confirm: 25"));
  BOOST_TEST(!call("tag_rules", R"({"action":"apply","confirm":25})").is_error);
}

BOOST_AUTO_TEST_CASE(undoing_a_run_that_tagged_many_needs_the_number_too) {
  run("CALL memory.add([i IN range(1, 25) | {content: 'tea ' + toString(i)}])");
  call("tag_rules", R"({"action":"put","name":"tea","pattern":"tea","tags":["hot"]})");
  const ToolReply applied = call("tag_rules", R"({"action":"apply","confirm":25,"format":"json"})");
  json::object undo{{"action", "undo"}, {"run", applied.structured.at("results").at(0).at("run")}};
  const std::string tagged = "MATCH (m:Memory) WHERE 'hot' IN m.tags RETURN count(m)";
  const ToolReply refused = call("tag_rules", undo);
  BOOST_TEST(refused.has("confirm: 25"), refused.text);
  BOOST_TEST(result(tagged) == "25");
  undo["confirm"] = 25;
  BOOST_TEST(!call("tag_rules", undo).is_error);
  BOOST_TEST(result(tagged) == "0");
}

// With a client that can ask, the agreement is to the number of tags.
BOOST_AUTO_TEST_CASE(the_user_is_asked_before_rules_tag_many) {
  run("CALL memory.add([i IN range(1, 25) | {content: 'tea ' + toString(i)}])");
  call("tag_rules", R"({"action":"put","name":"tea","pattern":"tea","tags":["hot"]})");
  const std::string params = R"({"name":"tag_rules","arguments":{"action":"apply"})";
  const auto ask = [&](const json::value* asked) {
    const std::string more =
        asked == nullptr
            ? ""
            : R"(,"requestState":)" + json::serialize(asked->at("result").at("requestState")) +
                  R"(,"inputResponses":{"confirm":{"action":"accept","content":)"
                  R"({"yes":true}}})";
    return client.ask_stateless("tools/call", params + more + "}", R"({"elicitation":{}})");
  };
  const json::value asked = ask(nullptr);
  BOOST_TEST(json::serialize(asked).find("tag 25 memories") != std::string::npos);
  run("CALL memory.add({content: 'other tea'})");
  const json::value again = ask(&asked);
  BOOST_TEST_REQUIRE(again.at("result").at("resultType") == json::value("input_required"));
  const std::string tagged = "MATCH (m:Memory) WHERE 'hot' IN m.tags RETURN count(m)";
  BOOST_TEST(result(tagged) == "0");
  BOOST_TEST(!reply_of(ask(&again)).is_error);
  BOOST_TEST(result(tagged) == "26");
}

BOOST_AUTO_TEST_CASE(facets_stand_before_a_page_of_toon) {
  add_some();
  const ToolReply all = call("faceted_search", R"({"tags":["drink"],"page_size":1})");
  BOOST_TEST(all.has("facet tags: drink 2, taste 1"), all.text);
  BOOST_TEST(all.has("# page=1 total=2 page_size=1 has_more=true total_pages=2"), all.text);
  BOOST_TEST(!call("faceted_search", R"({"include_facets":false})").has("facet "));
  BOOST_TEST(call("faceted_search", R"({"memory_type":"thought"})")
                 .has("memory_type must be one of: note, decision, task, reference"));
}

BOOST_AUTO_TEST_CASE(the_grammar_comes_by_its_cursor) {
  std::string whole;
  json::object arguments{{"form", "ebnf"}, {"max_tokens", 2'000}};
  for (int i = 0; i < 10; ++i) {
    const ToolReply part = call("grammar", arguments);
    BOOST_TEST(part.tokens() <= 2'000U);
    whole += std::string(part.structured.at("grammar").as_string());
    if (part.cursor().empty()) break;
    arguments["cursor"] = part.cursor();
  }
  BOOST_TEST((whole == must(language_grammar("ebnf"))));
  BOOST_TEST(call("grammar", R"({"max_tokens":50000})").has("root ::="));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(files_are_read_beneath_the_root_alone) {
  const TemporaryDirectory directory;
  const fs::path root = directory.path() / "root";
  write_file(root / "docs" / "log.md", "how a log is repaired");
  write_file(directory.path() / "outside" / "secret.md", "a secret");
  fs::create_symlink(directory.path() / "outside", root / "link");
  ToolFixture fixture(all_settings(root));
  const ToolReply read = fixture.call("ingest", R"({"path":"docs","tags":["manual"]})");
  BOOST_TEST(read.has("1 files added"), read.text);
  BOOST_TEST(
      fixture.call("search_documents", R"({"text":"log","tags":["manual"]})").has("repaired"));
  for (const char* path : {"..", "../outside", "link", "/etc", "docs/../../outside"}) {
    const ToolReply refused = fixture.call("ingest", json::object{{"path", path}});
    BOOST_TEST(refused.is_error, path);
    BOOST_TEST(refused.has("not within the directory"), refused.text);
  }
  BOOST_TEST(fixture.call("ingest", R"({"path":"none"})").has("there is no directory none"));
  BOOST_TEST(fixture.result("MATCH (d:Document) RETURN count(d)") == "1");
}

// Files may be gone because a disk is not mounted.
BOOST_AUTO_TEST_CASE(many_documents_whose_files_are_gone_are_not_erased_unasked) {
  const TemporaryDirectory directory;
  const fs::path root = directory.path();
  for (int i = 0; i < 21; ++i)
    write_file(root / "docs" / (std::to_string(i) + ".md"), "text " + std::to_string(i));
  write_file(root / "more" / "a.md", "more");
  ToolFixture fixture(all_settings(root));
  BOOST_TEST(fixture.call("ingest", R"({"path":"."})").has("22 files added"));
  const std::string count = "MATCH (d:Document) RETURN count(d)";
  fs::remove_all(root / "docs");
  write_file(root / "more" / "b.md", "another");
  const ToolReply refused = fixture.call("ingest", R"({"path":"."})");
  BOOST_TEST(refused.is_error);
  BOOST_TEST(refused.has("confirm: 21"), refused.text);
  BOOST_TEST(fixture.result(count) == "22");
  // The user is asked where the client can, about these documents alone.
  const std::string params = R"({"name":"ingest","arguments":{"path":"."})";
  const char* forms = R"({"elicitation":{}})";
  const json::value asked = fixture.client.ask_stateless("tools/call", params + "}", forms);
  BOOST_TEST(json::serialize(asked).find("erase 21 documents") != std::string::npos);
  write_file(root / "docs" / "0.md", "text 0");
  fs::remove(root / "more" / "a.md");
  const json::value again = fixture.client.ask_stateless(
      "tools/call",
      params + R"(,"requestState":)" + json::serialize(asked.at("result").at("requestState")) +
          R"(,"inputResponses":{"confirm":{"action":"accept","content":{"yes":true}}}})",
      forms);
  BOOST_TEST_REQUIRE(again.at("result").at("resultType") == json::value("input_required"));
  BOOST_TEST(fixture.result(count) == "22");
  const ToolReply done = fixture.call("ingest", R"({"path":".","confirm":21})");
  BOOST_TEST(done.has("1 files added, 0 replaced, 1 unchanged, 21 removed"), done.text);
  BOOST_TEST(fixture.result(count) == "2");
  fs::remove(root / "more" / "b.md");
  BOOST_TEST(fixture.call("ingest", R"({"path":"."})").has("1 removed"));
}

BOOST_AUTO_TEST_CASE(files_are_read_by_the_embedder_of_the_settings) {
  const TemporaryDirectory directory;
  write_file(directory.path() / "log.md", "how a log is repaired");
  tools::mcp::McpSettings settings = all_settings(directory.path());
  settings.embedder = make_hashing_embedder(32);
  ToolFixture fixture(std::move(settings));
  BOOST_TEST(fixture.call("ingest", R"({"path":"."})").has("1 files added"));
  BOOST_TEST(fixture.result("MATCH (c:Chunk) RETURN size(c.embedding)") == "32");
}

BOOST_AUTO_TEST_CASE(an_ingest_that_is_cancelled_stops_between_files) {
  const TemporaryDirectory directory;
  for (int i = 0; i < 5; ++i)
    write_file(directory.path() / (std::to_string(i) + ".md"), "text " + std::to_string(i));
  ToolFixture fixture(all_settings(directory.path()));
  const tools::mcp::ServerDefinition server = tools::mcp::memory_server(fixture.caller, "1");
  const auto tool = std::ranges::find(server.tools, std::string("ingest"), &tools::mcp::Tool::name);
  std::stop_source stop;
  tools::mcp::RequestInfo info;
  info.stop = stop.get_token();
  double seen = 0;
  info.on_progress = [&](const tools::mcp::ProgressReport& report) {
    seen = report.done;
    BOOST_TEST(report.total.value_or(0) == 5);
    if (seen == 2) stop.request_stop();
  };
  tools::mcp::Context context(info);
  const auto answer = tool->call(json::object{{"path", "."}}, context);
  const auto& stopped = std::get<tools::mcp::ToolResult>(answer);
  BOOST_TEST(stopped.is_error);
  BOOST_TEST(json::serialize(stopped.content).find("stopped after 2 of 5 files") !=
             std::string::npos);
  BOOST_TEST(seen == 2);
  BOOST_TEST(fixture.result("MATCH (d:Document) RETURN count(d)") == "2");
}

BOOST_AUTO_TEST_CASE(a_long_query_says_how_far_it_is_and_is_cancelled) {
  ToolFixture fixture;
  const tools::mcp::ServerDefinition server = tools::mcp::memory_server(fixture.caller, "1");
  const auto tool = std::ranges::find(server.tools, std::string("query"), &tools::mcp::Tool::name);
  std::stop_source stop;
  tools::mcp::RequestInfo info;
  info.stop = stop.get_token();
  int reports = 0;
  info.on_progress = [&](const tools::mcp::ProgressReport& report) {
    BOOST_TEST(report.total.value_or(0) == 5);
    if (++reports == 2) stop.request_stop();
  };
  tools::mcp::Context context(info);
  const auto begin = std::chrono::steady_clock::now();
  const auto answer = tool->call(
      json::object{{"statement",
                    "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN sum(a * b)"}},
      context);
  BOOST_TEST(std::get<tools::mcp::ToolResult>(answer).is_error);
  BOOST_TEST(reports == 2);
  BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds(4)));
}

// The scrub waits for the snapshot, which could still read what was erased.
BOOST_AUTO_TEST_CASE(a_scrub_says_how_long_it_takes) {
  ToolFixture fixture;
  fixture.add_some();
  const tools::mcp::ServerDefinition server = tools::mcp::memory_server(fixture.caller, "1");
  const auto tool =
      std::ranges::find(server.tools, std::string("forget_memories"), &tools::mcp::Tool::name);
  std::optional<Snapshot> snapshot = must(fixture.database->snapshot());
  tools::mcp::RequestInfo info;
  std::vector<tools::mcp::ProgressReport> reports;
  info.on_progress = [&](const tools::mcp::ProgressReport& report) {
    reports.push_back(report);
    if (reports.size() == 2) snapshot.reset();
  };
  tools::mcp::Context context(info);
  const json::object arguments{
      {"external_ids", json::array{"tea"}}, {"action", "erase"}, {"scrub", true}};
  const auto answer = tool->call(arguments, context);
  const auto& done = std::get<tools::mcp::ToolResult>(answer);
  BOOST_TEST(!done.is_error, json::serialize(done.content));
  BOOST_REQUIRE(reports.size() >= 2U);
  BOOST_TEST(reports[0].done > 0);
  BOOST_TEST(reports[1].done > reports[0].done);
  BOOST_TEST(!reports[0].total);
  BOOST_TEST(reports[0].message == "seconds");
}

}  // namespace cairn::test
