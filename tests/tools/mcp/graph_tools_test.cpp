// The tools of `cairn mcp --compat server-memory`, and the import of its file. Their answers are compared with those of the
// server itself in tests/clients/mcp.

#include "tools/mcp/graph/graph_tools.hpp"

#include "tests/tools/mcp/memory_fixture.hpp"

#include <fstream>
#include <string>

namespace cairn::test {
namespace {

namespace json = boost::json;
using tools::mcp::import_graph;

tools::mcp::McpSettings graph_settings() {
  tools::mcp::McpSettings settings;
  settings.tools = tools::mcp::ToolSet::graph;
  return settings;
}

struct GraphTools : ToolFixture {
  GraphTools() : ToolFixture(graph_settings()) {}

  void add_some() {
    call("create_entities", R"({"entities":[
      {"name":"Ada","entityType":"person","observations":["drinks tea"]},
      {"name":"Bob","entityType":"person","observations":[]}]})");
    call("create_relations", R"({"relations":[
      {"from":"Ada","to":"Bob","relationType":"knows"},{"from":"Bob","to":"Eve","relationType":"knows"}]})");
  }
  std::string graph() { return json::serialize(call("read_graph", "{}").structured); }
  std::string write_file(const std::string& text) const {
    const std::string path = database.path().string() + "/../memory.jsonl";
    std::ofstream(path) << text;
    return path;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_graph_tools, GraphTools)

BOOST_AUTO_TEST_CASE(each_tool_says_what_it_gives_and_has_an_example) {
  const json::value listed = client.ask_stateless("tools/list");
  const json::array& all = listed.at("result").at("tools").as_array();
  BOOST_TEST(all.size() == 9U);
  for (const json::value& tool : all) {
    BOOST_TEST(tool.as_object().contains("outputSchema"));
    BOOST_TEST(tool.as_object().contains("annotations"));
    BOOST_TEST(tool.at("description").as_string().find("Example") != json::string::npos,
               tool.at("name").as_string());
  }
}

BOOST_AUTO_TEST_CASE(what_is_wrong_within_a_list_is_named) {
  const ToolReply reply = call("create_entities", R"({"entities":[{"name":"Ada"}]})");
  BOOST_TEST(reply.is_error);
  BOOST_TEST(reply.text == "entities[0].entityType must be a string");
  BOOST_TEST(call("open_nodes", R"({"names":["Ada",1]})").text ==
             "names must be a list of strings");
  BOOST_TEST(graph() == R"({"entities":[],"relations":[]})");
}

BOOST_AUTO_TEST_CASE(a_call_that_fails_writes_nothing) {
  add_some();
  const std::string before = graph();
  const ToolReply reply = call("add_observations", R"({"observations":[
      {"entityName":"Ada","contents":["new"]},{"entityName":"Eve","contents":["new"]}]})");
  BOOST_TEST(reply.text == "Entity with name Eve not found");
  BOOST_TEST(graph() == before);
}

BOOST_AUTO_TEST_CASE(a_deleted_entity_is_hidden_and_comes_back_with_its_relations) {
  add_some();
  const std::string before = graph();
  const std::string id = result("MATCH (e:Entity {name: 'Bob'}) RETURN id(e)");
  call("delete_entities", R"({"entityNames":["Bob"]})");
  BOOST_TEST(
      graph() ==
      R"({"entities":[{"name":"Ada","entityType":"person","observations":["drinks tea"]}],"relations":[]})");
  run("CALL memory.restore({id: " + id + "}) YIELD restored RETURN restored");
  BOOST_TEST(graph() == before);
}

BOOST_AUTO_TEST_CASE(relations_of_a_name_go_to_its_entity_when_it_is_made) {
  add_some();
  const std::string found = "MATCH (:Entity {name: 'Bob'})-[:knows]->(e) RETURN labels(e)";
  BOOST_TEST(result(found) == "['MissingEntity']");
  call("create_entities", R"({"entities":[{"name":"Eve","entityType":"","observations":[]}]})");
  BOOST_TEST(result(found) == "['Entity', 'Memory']");
  BOOST_TEST(result("MATCH (m:MissingEntity) RETURN count(*)") == "0");
}

BOOST_AUTO_TEST_CASE(entities_of_other_tools_are_read_whatever_they_hold) {
  run("CALL memory.add([{kind: 'entity', content: 'x', metadata: {name: 5, observations: 7}}, "
      "{kind: 'entity', content: 'y', metadata: {name: 'odd', entityType: [1], observations: [1, "
      "'tea', {a: "
      "2}]}}, {kind: 'entity', content: 'no name'}])");
  BOOST_TEST(call("search_nodes", R"({"query":"TEA"})").has("\"name\": \"odd\""));
  BOOST_TEST(call("search_nodes", R"({"query":"7"})").has("\"name\": \"5\""));
  BOOST_TEST(!call("read_graph", "{}").has("no name"));
}

BOOST_AUTO_TEST_CASE(a_graph_that_is_too_long_is_refused_whole) {
  json::array observations;
  for (int i = 0; i < 30; ++i)
    observations.emplace_back(std::string(8'000, 'x') + std::to_string(i));
  call("create_entities",
       json::object{{"entities",
                     json::array{json::object{
                         {"name", "long"}, {"entityType", "t"}, {"observations", observations}}}}});
  const ToolReply refused = call("read_graph", "{}");
  BOOST_TEST(refused.is_error);
  BOOST_TEST(refused.has("open_nodes by name"), refused.text);
}

BOOST_AUTO_TEST_CASE(a_file_is_imported_once_and_whole) {
  const std::string file = write_file(
      "{\"type\":\"entity\",\"name\":\"Ada\",\"entityType\":\"person\",\"observations\":[\"a\"]}"
      "\n\n"
      "{\"type\":\"other\"}\n"
      "{\"type\":\"relation\",\"from\":\"Ada\",\"to\":\"Bob\",\"relationType\":\"knows\"}");
  const auto done = must(import_graph(caller, file));
  BOOST_TEST(done.entities == 1U);
  BOOST_TEST(done.relations == 1U);
  BOOST_TEST(must(import_graph(caller, file)).was_done_before);
  call("delete_entities", R"({"entityNames":["Ada"]})");
  BOOST_TEST(must(import_graph(caller, file)).was_done_before);
  BOOST_TEST(graph() == R"({"entities":[],"relations":[]})");
}

BOOST_AUTO_TEST_CASE(a_file_with_a_wrong_line_is_not_imported) {
  const std::string good =
      "{\"type\":\"entity\",\"name\":\"Ada\",\"entityType\":\"person\",\"observations\":[]}\n";
  const auto cut = import_graph(caller, write_file(good + "{\"type\":\"ent"));
  BOOST_TEST(cut.error().message.starts_with("line 2 of "), cut.error().message);
  const auto lacking = import_graph(caller, write_file(good + "{\"type\":\"entity\"}"));
  BOOST_TEST(lacking.error().message.ends_with(": entity.name must be a string"));
  BOOST_TEST(!import_graph(caller, "/none/memory.jsonl"));
  BOOST_TEST(graph() == R"({"entities":[],"relations":[]})");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(a_role_has_the_graph_tools_that_it_may_use) {
  const auto names = [](Role role) {
    tools::mcp::McpSettings settings = graph_settings();
    settings.role = role;
    ToolFixture fixture(settings);
    const json::value listed = fixture.client.ask_stateless("tools/list");
    return listed.at("result").at("tools").as_array().size();
  };
  BOOST_TEST(names(Role::read) == 3U);
  BOOST_TEST(names(Role::write) == 7U);
  BOOST_TEST(names(Role::forget) == 9U);
}

}  // namespace cairn::test
