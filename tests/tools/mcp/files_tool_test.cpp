// The tool `memory` of `cairn mcp --compat memory-tool`: its commands, their answers, paths that are refused.

#include "tests/engine/scrub/file_scan.hpp"
#include "tests/tools/mcp/memory_fixture.hpp"

#include <cairn/scrub.hpp>

#include <cstddef>
#include <string>

namespace cairn::test {
namespace {

namespace json = boost::json;

struct FileTools : ToolFixture {
  FileTools() : ToolFixture(settings()) {}
  static tools::mcp::McpSettings settings() {
    tools::mcp::McpSettings settings;
    settings.tools = tools::mcp::ToolSet::files;
    return settings;
  }

  ToolReply run_command(const json::object& arguments) { return call("memory", arguments); }
  std::string view(const std::string& path) {
    return run_command({{"command", "view"}, {"path", path}}).text;
  }
  std::string create(const std::string& path, const std::string& text) {
    return run_command({{"command", "create"}, {"path", path}, {"file_text", text}}).text;
  }
  std::string replace(const std::string& path, const std::string& from, const std::string& to) {
    return run_command(
               {{"command", "str_replace"}, {"path", path}, {"old_str", from}, {"new_str", to}})
        .text;
  }
  std::string insert(const std::string& path, int line, const std::string& text) {
    return run_command({{"command", "insert"},
                        {"path", path},
                        {"insert_line", line},
                        {"insert_text", text}})
        .text;
  }
  std::string erase(const std::string& path) {
    return run_command({{"command", "delete"}, {"path", path}}).text;
  }
  std::string rename(const std::string& from, const std::string& to) {
    return run_command({{"command", "rename"}, {"old_path", from}, {"new_path", to}}).text;
  }
};

const std::string shown = "Here's the content of ";
const std::string listed =
    "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items "
    "and node_modules:\n";

}  // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_files_tool, FileTools)

BOOST_AUTO_TEST_CASE(it_is_the_only_tool) {
  const json::value response = client.ask_stateless("tools/list");
  const json::array& tools = response.at("result").at("tools").as_array();
  BOOST_REQUIRE_EQUAL(tools.size(), 1U);
  BOOST_TEST(tools[0].at("outputSchema").at("required") ==
             json::value({"success", "message", "tokens"}));
  BOOST_TEST(tools[0].as_object().contains("annotations"));
  BOOST_TEST(tools[0].at("description").as_string().find("Example") != json::string::npos);
}

// 24 MiB of texts, and room for 8: a listing holds some texts at a time, and other commands on directories none.
BOOST_AUTO_TEST_CASE(a_directory_may_have_more_text_than_a_statement_has_memory) {
  run("UNWIND range(10, 33) AS i CREATE (:Memory:Document {file_path: '/memories/big/' + i, "
      "content: "
      "$text, created_at: '2026-01-01T00:00:00Z'})",
      {{"text", std::string(std::size_t{1} << 20, 'x')}});
  StatementOptions small;
  small.memory_bytes = std::size_t{8} << 20;
  const auto run_small = [&](const std::string& command) {
    return result_of(*database, "CALL memory.file(" + command + ")", {}, small);
  };
  const std::string all = run_small("{command: 'view', path: '/memories'}");
  BOOST_TEST(all.find("24M\\t/memories/big/") != std::string::npos, all);
  BOOST_TEST(all.find("1M\\t/memories/big/33") != std::string::npos, all);
  const std::string moved =
      run_small("{command: 'rename', old_path: '/memories/big', new_path: '/memories/other'}");
  BOOST_TEST(moved.find("Successfully renamed") != std::string::npos, moved);
  const std::string gone = run_small("{command: 'delete', path: '/memories/other'}");
  BOOST_TEST(gone.find("Successfully deleted") != std::string::npos, gone);
}

BOOST_AUTO_TEST_CASE(an_answer_has_its_text_in_both_forms) {
  create("/memories/a.txt", "one");
  const ToolReply reply = run_command({{"command", "view"}, {"path", "/memories/a.txt"}});
  BOOST_TEST(reply.structured.at("success").as_bool());
  BOOST_TEST(reply.structured.at("message").as_string() == reply.text);
  BOOST_TEST(reply.structured.at("tokens").to_number<std::size_t>() ==
             tools::mcp::estimate_tokens(reply.text));
  // An error is its text alone.
  const ToolReply refused = run_command({{"command", "view"}, {"path", "/memories/none"}});
  BOOST_TEST(refused.is_error);
  BOOST_TEST(refused.structured.empty());
}

BOOST_AUTO_TEST_CASE(files_are_made_and_seen_by_their_lines) {
  BOOST_TEST(create("/memories/a.txt", "one\ntwo\n\tthree") ==
             "File created successfully at: /memories/a.txt");
  BOOST_TEST(view("/memories/a.txt") == shown + "/memories/a.txt with line numbers:\n" +
                                            "     1\tone\n     2\ttwo\n     3\t\tthree");
  const json::object part{
      {"command", "view"}, {"path", "/memories/a.txt"}, {"view_range", {2, -1}}};
  BOOST_TEST(run_command(part).text ==
             shown + "/memories/a.txt with line numbers:\n     2\ttwo\n     3\t\tthree");
  BOOST_TEST(create("/memories/a.txt", "x") == "File /memories/a.txt already exists");
  BOOST_TEST(create("/memories/a.txt/b", "x") == "The path /memories/a.txt is not a directory");
  BOOST_TEST(view("/memories/none") ==
             "The path /memories/none does not exist. Please provide a valid path.");
}

BOOST_AUTO_TEST_CASE(directories_are_listed_two_levels_deep) {
  BOOST_TEST(view("/memories") == listed + "0B\t/memories");
  create("/memories/b/c/d.txt", std::string(1'536, 'x'));
  create("/memories/b/.hidden", "x");
  create("/memories/a.txt", "");
  BOOST_TEST(view("/memories") == listed +
                                      "1.5K\t/memories\n0B\t/memories/a.txt\n1.5K\t/memories/b/\n"
                                      "1.5K\t/memories/b/c/");
  BOOST_TEST(view("/memories/b/c").ends_with("\n1.5K\t/memories/b/c\n1.5K\t/memories/b/c/d.txt"));
}

BOOST_AUTO_TEST_CASE(a_text_that_is_there_once_is_replaced) {
  create("/memories/a", "1\n2\n3 old\n4\n5\n6");
  BOOST_TEST(replace("/memories/a", "old", "new\nline") ==
             "The memory file has been edited. Here is the snippet showing the change (with line "
             "numbers):\n     1\t1\n     2\t2\n     3\t3 new\n     4\tline\n     5\t4");
  BOOST_TEST(replace("/memories/a", "none", "x") ==
             "No replacement was performed, old_str `none` did not appear verbatim in "
             "/memories/a.");
  create("/memories/b", "x\ny\nx");
  BOOST_TEST(replace("/memories/b", "x", "z") ==
             "No replacement was performed. Multiple occurrences of old_str `x` in lines: 1, 3. "
             "Please ensure it is unique");
  BOOST_TEST(replace("/memories", "x", "z") == "The path /memories is not a file.");
  BOOST_TEST(view("/memories/b").ends_with("1\tx\n     2\ty\n     3\tx"));
}

BOOST_AUTO_TEST_CASE(a_text_is_inserted_behind_a_line) {
  create("/memories/a", "1\n2");
  BOOST_TEST(insert("/memories/a", 1, "between\n") == "The file /memories/a has been edited.");
  BOOST_TEST(insert("/memories/a", 0, "first") == "The file /memories/a has been edited.");
  BOOST_TEST(view("/memories/a").ends_with("1\tfirst\n     2\t1\n     3\tbetween\n     4\t2"));
  BOOST_TEST(insert("/memories/a", 5, "x") ==
             "Invalid `insert_line` parameter: 5. It should be within the range of lines of the "
             "file: [0, 4]");
}

BOOST_AUTO_TEST_CASE(files_and_directories_are_renamed_and_deleted) {
  create("/memories/d/a", "a");
  create("/memories/d/e/b", "b");
  create("/memories/other", "x");
  BOOST_TEST(rename("/memories/d", "/memories/other") ==
             "The destination /memories/other already exists");
  BOOST_TEST(rename("/memories/d", "/memories/d/f") == "Cannot rename /memories/d into itself");
  BOOST_TEST(rename("/memories/none", "/memories/x") == "The path /memories/none does not exist");
  BOOST_TEST(rename("/memories/d", "/memories/new") ==
             "Successfully renamed /memories/d to /memories/new");
  BOOST_TEST(view("/memories/new/e/b").ends_with("1\tb"));
  BOOST_TEST(view("/memories/d") ==
             "The path /memories/d does not exist. Please provide a valid path.");
  BOOST_TEST(erase("/memories") == "Cannot delete the /memories directory itself");
  BOOST_TEST(erase("/memories/new") == "Successfully deleted /memories/new");
  BOOST_TEST(erase("/memories/new") == "The path /memories/new does not exist");
  BOOST_TEST(view("/memories") == listed + "1B\t/memories\n1B\t/memories/other");
}

BOOST_AUTO_TEST_CASE(no_path_leaves_the_directory) {
  create("/memories/a", "x");
  for (const char* path : {"/etc/passwd", "memories/a", "/memoriesa", "/memories/../etc/passwd",
                           "/memories/b/../../a", "/memories/a\n", "", "../memories/a"}) {
    const ToolReply made = run_command({{"command", "create"}, {"path", path}, {"file_text", "x"}});
    BOOST_TEST(made.is_error, path);
    BOOST_TEST(made.has("Path"), made.text);
    BOOST_TEST(run_command({{"command", "view"}, {"path", path}}).is_error, path);
    BOOST_TEST(run_command({{"command", "rename"}, {"old_path", "/memories/a"}, {"new_path", path}})
                   .is_error,
               path);
  }
  BOOST_TEST(view("/memories/b/.././a/").ends_with("1\tx"));
  BOOST_TEST(result("MATCH (m:Memory) RETURN count(*)") == "1");
}

BOOST_AUTO_TEST_CASE(a_file_is_a_record_that_is_searched_and_keeps_its_id) {
  create("/memories/a", "Ada drinks tea");
  const std::string id = result("MATCH (m:Memory) RETURN id(m)");
  replace("/memories/a", "tea", "coffee");
  rename("/memories/a", "/memories/b");
  BOOST_TEST(result("MATCH (m:Memory) RETURN id(m)") == id);
  BOOST_TEST(result("CALL memory.recall({query: 'coffee'}) YIELD record "
                    "RETURN record.metadata.file_path + record.content")
                 .find("/memories/bAda drinks coffee") != std::string::npos);
  erase("/memories/b");
  BOOST_TEST(result("CALL memory.restore({id: " + id + "}) YIELD restored RETURN restored") == "1");
  BOOST_TEST(view("/memories/b").ends_with("1\tAda drinks coffee"));
}

// A file that was deleted and restored is older than the one made at its path meanwhile.
BOOST_AUTO_TEST_CASE(of_files_with_one_path_the_newest_counts) {
  create("/memories/d/a", "the old text");
  const std::string old = result("MATCH (m:Memory) RETURN id(m)");
  const auto restore = [&] {
    BOOST_TEST(result("CALL memory.restore({id: " + old + "}) YIELD restored RETURN restored") ==
               "1");
  };
  erase("/memories/d/a");
  create("/memories/d/a", "new");
  restore();
  // The old one is changed last, and it still is the old one.
  run("CALL memory.update({id: " + old + ", changes: {tags: ['x']}})");

  const std::string note =
      "\n(1 older file has this path too: searches find it, and delete and rename take it along)";
  BOOST_TEST(view("/memories/d/a").ends_with("1\tnew" + note));
  BOOST_TEST(view("/memories/d").ends_with("\n3B\t/memories/d\n3B\t/memories/d/a"));
  BOOST_TEST(replace("/memories/d/a", "old", "x") ==
             "No replacement was performed, old_str `old` did not appear verbatim in "
             "/memories/d/a.");
  insert("/memories/d/a", 0, "first");
  BOOST_TEST(rename("/memories/d/a", "/memories/d/b") ==
             "Successfully renamed /memories/d/a to /memories/d/b, and 1 older file of this path");
  BOOST_TEST(view("/memories/d/a").find("does not exist") != std::string::npos);
  BOOST_TEST(view("/memories/d/b").ends_with("1\tfirst\n     2\tnew" + note));
  rename("/memories/d", "/memories/e");
  BOOST_TEST(view("/memories/e/b").ends_with("1\tfirst\n     2\tnew" + note));
  BOOST_TEST(erase("/memories/e/b") ==
             "Successfully deleted /memories/e/b, and 1 older file of this path");
  BOOST_TEST(view("/memories/e/b").find("does not exist") != std::string::npos);
  // After that, the old one can be had alone.
  restore();
  BOOST_TEST(view("/memories/e/b").ends_with("1\tthe old text"));
  BOOST_TEST(erase("/memories/e/b") == "Successfully deleted /memories/e/b");
}

// Commands could not change it, and it would keep those of the caller out.
BOOST_AUTO_TEST_CASE(a_newer_file_of_another_namespace_does_not_take_the_place_of_an_own_one) {
  StatementOptions both;
  both.name_space = "acme";
  both.also_read = {""};
  const auto answer = [&](const std::string& command, const StatementOptions& options) {
    auto rows =
        execute(*database, "CALL memory.file({path: '/memories/a', " + command + "})", {}, options);
    const auto all = rows ? rows->all() : rows.error();
    return all ? all->at(0).at(0).as_string() : all.error().message;
  };
  answer("command: 'create', file_text: 'own'", both);
  answer("command: 'create', file_text: 'shared'", {});
  BOOST_TEST(answer("command: 'view'", both).ends_with("1\town"));
  BOOST_TEST(answer("command: 'insert', insert_line: 0, insert_text: 'x'", both) ==
             "The file /memories/a has been edited.");
  BOOST_TEST(answer("command: 'delete'", both) == "Successfully deleted /memories/a");
  BOOST_TEST(answer("command: 'view'", both).ends_with("1\tshared"));
}

// A path may have collected many versions. Commands need only the text of the newest.
BOOST_AUTO_TEST_CASE(the_texts_of_older_files_are_not_read) {
  run("UNWIND range(1, 20) AS i CALL memory.add({kind: 'document', content: $text, metadata: "
      "{file_path: '/memories/a'}}) YIELD id RETURN count(id)",
      {{"text", std::string(500'000, 'x')}});
  run("CALL memory.add({kind: 'document', content: 'new', metadata: {file_path: '/memories/a'}})");
  StatementOptions little;
  little.memory_bytes = std::size_t{4} << 20;
  const auto answer = [&](const std::string& command) {
    auto rows =
        execute(*database, "CALL memory.file({path: '/memories/a', " + command + "})", {}, little);
    const auto all = rows ? rows->all() : rows.error();
    return all ? all->at(0).at(0).as_string() : all.error().message;
  };
  const std::string shown = answer("command: 'view'");
  BOOST_TEST(shown.find("1\tnew\n(20 older files have this path too") != std::string::npos, shown);
  BOOST_TEST(answer("command: 'insert', insert_line: 0, insert_text: 'x'") ==
             "The file /memories/a has been edited.");
  BOOST_TEST(answer("command: 'delete'") ==
             "Successfully deleted /memories/a, and 20 older files of this path");
}

BOOST_AUTO_TEST_CASE(a_view_does_not_offer_to_delete_what_may_only_be_read) {
  for (const char* text : {"old", "new"})
    run("CALL memory.add({kind: 'document', content: $text, metadata: {file_path: '/memories/a'}})",
        {{"text", text}});
  const auto view_of = [&](const std::string& name_space) {
    StatementOptions options;
    options.name_space = name_space;
    if (!name_space.empty()) options.also_read = {""};
    auto rows = must(execute(*database, "CALL memory.file({command: 'view', path: '/memories/a'})",
                             {}, options));
    return must(rows.all()).at(0).at(0).as_string();
  };
  const std::string note = "\n(1 older file has this path too: searches find it";
  BOOST_TEST(view_of("").ends_with(note + ", and delete and rename take it along)"));
  BOOST_TEST(view_of("acme").ends_with("1\tnew" + note + ")"), view_of("acme"));
}

BOOST_AUTO_TEST_CASE(a_view_keeps_to_its_budget_and_names_the_rest) {
  std::string text;
  for (int i = 1; i <= 3'000; ++i) text += "line " + std::to_string(i) + " of a long file\n";
  create("/memories/long", text);
  const std::string first = view("/memories/long");
  BOOST_TEST(tools::mcp::estimate_tokens(first) <= 2'000U);
  const std::size_t hint = first.rfind("view_range [");
  BOOST_REQUIRE(hint != std::string::npos);
  const int next = std::stoi(first.substr(hint + 12));
  BOOST_TEST(first.find("\tline " + std::to_string(next - 1) + " of") != std::string::npos);
  BOOST_TEST(first.find("\tline " + std::to_string(next) + " of") == std::string::npos);
  const json::object rest{{"command", "view"},
                          {"path", "/memories/long"},
                          {"view_range", {next, 3'001}},
                          {"max_tokens", 50'000}};
  BOOST_TEST(run_command(rest).has("\tline " + std::to_string(next) + " of"));
  BOOST_TEST(run_command(rest).text.ends_with("  3001\t"));
  create("/memories/wide", std::string(100'000, 'x'));
  const std::string wide = view("/memories/wide");
  BOOST_TEST(tools::mcp::estimate_tokens(wide) <= 2'000U);
  BOOST_TEST(wide.find("line 1 is cut, at 7") != std::string::npos, wide.substr(wide.size() - 90));
  // In the structured form quotes have escapes.
  std::string quoted;
  for (int i = 0; i < 1'000; ++i) quoted += std::string(20, '"') + '\n';
  create("/memories/quoted", quoted);
  BOOST_TEST(run_command({{"command", "view"}, {"path", "/memories/quoted"}}).tokens() <= 2'000U);
  create("/memories/control", std::string(100'000, '\x1f'));
  BOOST_TEST(run_command({{"command", "view"}, {"path", "/memories/control"}}).tokens() <= 2'000U);
}

BOOST_AUTO_TEST_CASE(many_files_are_listed_within_the_budget) {
  for (int i = 0; i < 300; ++i)
    create("/memories/" + std::string(60, 'f') + std::to_string(i), "x");
  const std::string all = view("/memories");
  BOOST_TEST(tools::mcp::estimate_tokens(all) <= 2'000U);
  BOOST_TEST(all.find(" more entries: view a directory") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(texts_that_were_replaced_are_in_the_history_alone) {
  create("/memories/a", "first");
  replace("/memories/a", "first", "second");
  insert("/memories/a", 1, "third");
  BOOST_TEST(result("MATCH (m:Memory) WITH id(m) AS id CALL memory.history({id: id}) YIELD event, "
                    "detail WHERE event = 'replaced' RETURN collect(detail.content)") ==
             "['first', 'second']");
  BOOST_TEST(result("CALL memory.search() YIELD records RETURN keys(records[0].metadata)")
                 .find("earlier") == std::string::npos);
  BOOST_TEST(result("CALL memory.recall({query: 'first', strategy: 'text'}) YIELD id RETURN "
                    "count(id)") == "0");
  for (int i = 0; i < 60; ++i) insert("/memories/a", 0, std::string(1'000, 'x'));
  const int texts = std::stoi(result("MATCH (m:Memory) RETURN size(m.earlier_texts)"));
  BOOST_TEST(texts >= 4);
  BOOST_TEST(texts < 10);
}

BOOST_AUTO_TEST_CASE(a_directory_stays_when_its_files_are_gone) {
  create("/memories/d/e/f", "x");
  erase("/memories/d/e/f");
  BOOST_TEST(view("/memories").ends_with("0B\t/memories/d/\n0B\t/memories/d/e/"));
  BOOST_TEST(create("/memories/d/e", "x") == "File /memories/d/e already exists");
  BOOST_TEST(rename("/memories/d", "/memories/n") ==
             "Successfully renamed /memories/d to /memories/n");
  BOOST_TEST(view("/memories").ends_with("0B\t/memories/n/\n0B\t/memories/n/e/"));
  BOOST_TEST(erase("/memories/n") == "Successfully deleted /memories/n");
  BOOST_TEST(view("/memories").ends_with("0B\t/memories"));
}

BOOST_AUTO_TEST_CASE(the_language_has_the_same_commands) {
  const auto answer = [&](const std::string& procedure, const std::string& command) {
    auto rows = execute(*database, "CALL memory." + procedure + "({" + command + "})");
    const auto all = rows ? rows->all() : rows.error();
    return all ? all->at(0).at(0).as_string() : all.error().message;
  };
  const std::string made = "command: 'create', path: '/memories/a', file_text: 'x'";
  BOOST_TEST(answer("file", made) == "File created successfully at: /memories/a");
  BOOST_TEST(answer("file", "command: 'view', path: '/memories/a'") == view("/memories/a"));
  BOOST_TEST(answer("view_file", "path: '/memories/a'") == view("/memories/a"));
  BOOST_TEST(answer("file", made) == create("/memories/a", "x"));
  BOOST_TEST(answer("view_file", "command: 'delete', path: '/memories/a'") ==
             "memory.view_file() only views, got the command \"delete\"; memory.file() has the "
             "other commands");
  BOOST_TEST(answer("file", "command: 'view', pth: '/memories/a'") ==
             "memory.file() has no option `pth`; did you mean `path`?");
}

BOOST_AUTO_TEST_CASE(a_command_names_what_it_needs) {
  BOOST_TEST(run_command({{"command", "create"}, {"path", "/memories/a"}}).has("needs file_text"));
  BOOST_TEST(run_command({{"command", "move"}}).is_error);
  BOOST_TEST(
      run_command({{"command", "rename"}, {"old_path", "/memories/a"}}).has("needs new_path"));
}

BOOST_AUTO_TEST_CASE(a_deep_path_of_another_program_is_listed_as_deep_as_any) {
  std::string path = "/memories/";
  for (int i = 0; i < 100'000; ++i) path += "a/";
  must(execute(*database,
               "CALL memory.add({content: 'x', kind: 'document', metadata: {file_path: $path}}) "
               "YIELD id RETURN id",
               {{"path", path + "f"}}));
  BOOST_TEST(view("/memories").find("/memories/a/a/") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_scrub_leaves_nothing_of_a_file_that_was_erased) {
  const std::vector<std::string> markers = {"zq7310", "zq7311", "zq7312"};
  create("/memories/zq7310.md", "a line about zq7311\n");
  replace("/memories/zq7310.md", "zq7311", "zq7312");
  must(database->checkpoint());
  run_all(*database, {"MATCH (n) DETACH DELETE n"});
  database.close();
  BOOST_TEST(find_in_files(database.path(), markers).size() == markers.size());
  database.reopen();
  must(database->scrub());
  database.close();
  for (const auto& [text, places] : find_in_files(database.path(), markers))
    BOOST_ERROR(text << " is in " << places.front());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(files_of_a_server_that_reads_are_not_written) {
  tools::mcp::McpSettings settings = FileTools::settings();
  settings.read_only = true;
  ToolFixture fixture(settings);
  const ToolReply refused =
      fixture.call("memory", R"({"command":"create","path":"/memories/a","file_text":"x"})");
  BOOST_TEST(refused.is_error);
  BOOST_TEST(refused.has("needs the role write"), refused.text);
}

BOOST_AUTO_TEST_CASE(a_file_is_deleted_by_the_role_that_hides_records) {
  tools::mcp::McpSettings settings = FileTools::settings();
  settings.role = Role::write;
  ToolFixture fixture(settings);
  fixture.call("memory", R"({"command":"create","path":"/memories/a","file_text":"x"})");
  const ToolReply refused = fixture.call("memory", R"({"command":"delete","path":"/memories/a"})");
  BOOST_TEST(refused.text ==
             "the command delete needs the role forget; use a token or a server with that role");
  BOOST_TEST(fixture.call("memory", R"({"command":"view","path":"/memories/a"})").has("1\tx"));
}

}  // namespace cairn::test
