// A tenant does not learn of another one by MCP: all tools, resources, prompts and completions answer as in a database
// without the other's records.

#include "tests/tools/mcp/tenants_world.hpp"

#include <array>
#include <set>
#include <utility>

namespace cairn::test {
namespace {

namespace json = boost::json;
using tools::mcp::ToolSet;
using Calls = std::vector<std::pair<std::string, std::string>>;

const Calls tool_calls = {
    {"describe_memory", "{}"},
    {"describe_memory", R"j({"field":"user"})j"},
    {"describe_memory", R"j({"field":"globex1_kez"})j"},
    {"describe_memory", R"j({"nested":true,"sessionId":"s1"})j"},
    {"search_memory", R"j({"query":"green tea"})j"},
    {"search_memory", R"j({"query":"green tea","mode":"semantic"})j"},
    {"search_memory", R"j({"query":"green tea globex1","mode":"keyword","explore":false})j"},
    {"search_memory", R"j({"query":"tea","mode":"hybrid","facets":["user","tags"]})j"},
    {"search_memory", R"j({"query":"green tea","expand":"session","context":2})j"},
    {"search_memory", R"j({"page":1,"page_size":2})j"},
    {"search_memory", R"j({"tags":["globex1"]})j"},
    {"list_memories", "{}"},
    {"list_memories", R"j({"of":"tasks"})j"},
    {"list_memories", R"j({"sessionId":"s1","sortBy":"importanse"})j"},
    {"search_documents", R"j({"text":"torn log"})j"},
    {"search_documents", R"j({"text":"log","directories":["/src"]})j"},
    {"query", R"j({"statement":"MATCH (n:Persom) RETURN n.agee"})j"},
    {"query", R"j({"statement":"EXPLAIN MATCH (n:Person) WHERE n.age = 3 RETURN n"})j"},
    {"query", R"j({"statement":"CREATE (:Made)","dry_run":true})j"},
    {"query", R"j({"statement":"SHOW NAMESPACES"})j"},
    {"store_memory", R"j({"content":"I like tea","external_id":"mine","sessionId":"s1"})j"},
    {"store_memory", R"j({"content":"again","external_id":"tea"})j"},
    {"update_memories", R"j({"external_id":"mine","metadata":{"a":1}})j"},
    {"update_memories", R"j({"nodeTypes":["note"],"metadata":{"a":1},"dry_run":true})j"},
    {"update_memories", R"j({"external_id":"nothing","metadata":{"a":1}})j"},
    {"forget_memories", R"j({"external_ids":["mine"]})j"},
    {"forget_memories", R"j({"external_ids":["mine"],"action":"restore"})j"},
    {"forget_memories", R"j({"nodeTypes":["note"],"dry_run":true})j"},
    {"forget_memories", R"j({"external_ids":["mine"],"action":"erase"})j"},
    {"search_memory", R"j({"query":"I like tea"})j"},
    {"store_memory", R"j({"content":"one more tea","external_id":"more"})j"},
    {"relate", R"j({"from":"tea","to":"more","type":"NEAR_TO","properties":{"weight":0.5}})j"},
    {"relate", R"j({"from":"more","to":"tea","type":"SPIED_BY"})j"},
    {"relate", R"j({"from":"more","to":"globex1","type":"NEAR_TO"})j"},
    {"relate", R"j({"from":"tea","to":"more","type":"NEAR_TO","remove":true})j"},
    {"tag_rules", R"j({"action":"list"})j"},
    {"tag_rules", R"j({"action":"put","name":"mine","pattern":"green","tags":["seen"]})j"},
    {"tag_rules", R"j({"action":"preview"})j"},
    {"tag_rules", R"j({"action":"apply"})j"},
    {"tag_rules", R"j({"action":"undo","run":1})j"},
    {"tag_rules", R"j({"action":"drop","name":"globex1"})j"},
    {"faceted_search", "{}"},
    {"faceted_search", R"j({"tags":["drink"],"page_size":2})j"},
    {"faceted_search", R"j({"tags":["globex1"]})j"},
    {"grammar", R"j({"form":"gbnf"})j"}};

/// Of `--compat server-memory`.
const Calls graph_calls = {
    {"read_graph", "{}"},
    {"create_entities",
     R"j({"entities":[{"name":"Ada","entityType":"person","observations":["drinks tea"]},
        {"name":"Bob","entityType":"person","observations":["a spy"]}]})j"},
    {"create_entities",
     R"j({"entities":[{"name":"Eve","entityType":"person","observations":[]}]})j"},
    {"create_relations", R"j({"relations":[{"from":"Ada","to":"Eve","relationType":"KNOWS"}]})j"},
    {"add_observations",
     R"j({"observations":[{"entityName":"Ada","contents":["drinks tea","is kind"]}]})j"},
    {"add_observations", R"j({"observations":[{"entityName":"Mallory","contents":["x"]}]})j"},
    {"search_nodes", R"j({"query":"tea"})j"},
    {"search_nodes", R"j({"query":"Mallory"})j"},
    {"open_nodes", R"j({"names":["Ada","Mallory"]})j"},
    {"delete_observations", R"j({"deletions":[{"entityName":"Ada","observations":["is kind"]}]})j"},
    {"delete_relations", R"j({"relations":[{"from":"Ada","to":"Eve","relationType":"KNOWS"}]})j"},
    {"delete_entities", R"j({"entityNames":["Bob","Mallory"]})j"},
    {"read_graph", "{}"}};

/// Of `--compat memory-tool`.
const Calls file_calls = {
    {"memory", R"j({"command":"view","path":"/memories"})j"},
    {"memory", R"j({"command":"view","path":"/memories/secret.txt"})j"},
    {"memory", R"j({"command":"create","path":"/memories/secret.txt","file_text":"mine\ntwo"})j"},
    {"memory",
     R"j({"command":"str_replace","path":"/memories/secret.txt","old_str":"two","new_str":"2"})j"},
    {"memory",
     R"j({"command":"insert","path":"/memories/secret.txt","insert_line":1,"insert_text":"x"})j"},
    {"memory",
     R"j({"command":"rename","old_path":"/memories/secret.txt","new_path":"/memories/spies"})j"},
    {"memory", R"j({"command":"delete","path":"/memories/spies"})j"},
    {"memory", R"j({"command":"view","path":"/memories"})j"}};

/// Searches by the names of the indexes that the first memory and `cairn ingest` make, and by similar names.
constexpr std::array searches_in_indexes_of_calls = {
    "CALL db.index.fulltext.queryNodes('memory_contents', 'green tea')",
    "CALL db.index.fulltext.queryNodes('memory_content', 'green tea')",
    "CALL db.index.fulltext.queryNodes('chunk_content', 'log')",
    "CALL db.index.fulltext.queryRelationships('chunk_content', 'log')",
    "CALL db.index.vector.queryNodes('memory_embedding', 3, [1, 2])",
    "CALL db.index.vector.queryNodes('chunk_embedding', 3, [1, 2])",
    "CALL db.index.vector.queryNodes('chunk_embeddin', 3, [1, 2])",
    "MATCH (m:Memory) SEARCH m IN (FULLTEXT INDEX memory_contents FOR 'tea' LIMIT 3) RETURN m",
    "MATCH (m:Memory) SEARCH m IN (RANKED INDEX memory_contents FOR 'tea' LIMIT 3) RETURN m",
    "MATCH (m:Memory) SEARCH m IN (VECTOR INDEX memory_embeddin FOR [1, 2] LIMIT 3) RETURN m",
    "MATCH (m:Memory) SEARCH m IN (VECTOR INDEX chunk_embedding FOR [1, 2] LIMIT 3) RETURN m",
    "CALL db.recall('green tea')",
    "CALL db.recall('green tea', {index: 'memory_contents'})",
    "CALL db.recall('green tea', {index: 'chunk_content', vector_index: 'chunk_embedding', vector: "
    "[1, 2]})",
    "CALL db.recall.describe({index: 'memory_contents'})",
    "RETURN text.highlights('green tea', 'content:tea', {index: 'memory_contents'})",
    "RETURN text.snippet('A torn log', 'logs', {index: 'chunk_content'})",
    "EXPLAIN MATCH (m:Memory) SEARCH m IN (FULLTEXT INDEX memory_contents FOR 'tea' LIMIT 3) "
    "RETURN m",
    "EXPLAIN MATCH (c:Chunk) SEARCH c IN (VECTOR INDEX chunk_embedding FOR [1, 2] LIMIT 3) RETURN "
    "c",
    "EXPLAIN MATCH (c:Chunk) SEARCH c IN (FULLTEXT INDEX chunk_content FOR 'tea' LIMIT 3) RETURN c",
    "EXPLAIN MATCH (m:Memory) RETURN m ORDER BY vector.similarity.cosine(m.embedding, [1, 2]) DESC "
    "LIMIT 3",
    "CALL db.awaitIndex('memory_contents')"};

/// Every tool that the server lists must be called.
void compare_tools(Tenants& tenants, const Calls& calls) {
  tenants.compare_reply("tools/list", "{}");
  std::set<std::string> called;
  for (const auto& [tool, arguments] : calls) {
    called.insert(tool);
    tenants.compare_tool(tool, arguments);
  }
  const json::value listed = tenants.with_others.client.ask_stateless("tools/list");
  for (const json::value& tool : listed.at("result").at("tools").as_array())
    BOOST_TEST(called.contains(std::string(tool.at("name").as_string())),
               json::serialize(tool.at("name")) << " has no call in the test of tenants");
}

std::string ref(const std::string& uri, const std::string& argument, const std::string& value) {
  return json::serialize(json::object{{"ref", {{"type", "ref/resource"}, {"uri", uri}}},
                                      {"argument", {{"name", argument}, {"value", value}}}});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tenants_by_tools)

BOOST_FIXTURE_TEST_CASE(tools_answer_as_without_the_others, Tenants) {
  compare_tools(*this, tool_calls);
}

// The first record of any namespace makes indexes for the whole database. Ids of records differ.
BOOST_AUTO_TEST_CASE(a_tenant_without_records_learns_of_no_others) {
  Tenants tenants(ToolSet::memory, Start::empty);
  const std::set<std::string> reading = {"describe_memory", "search_memory", "list_memories",
                                         "search_documents", "faceted_search"};
  for (const char* statement :
       {"SHOW INDEXES", "SHOW VECTOR INDEXES", "CALL db.indexes()", "CALL memory.describe()",
        "CALL memory.search()", "CALL memory.recall({query: 'green tea'})",
        "CALL memory.recall({query: 'green tea', strategy: 'text', context: 1})"})
    tenants.compare(statement);
  for (const char* statement : searches_in_indexes_of_calls) tenants.compare(statement);
  for (const auto& [tool, arguments] : tool_calls)
    if (reading.contains(tool)) tenants.compare_tool(tool, arguments);
  for (World* world : {&tenants.with_others, &tenants.without_others})
    world->add("acme", {"CREATE (:Chunk {content: 'a log'})", "MATCH (c:Chunk) DELETE c",
                        "CALL memory.add({content: 'x'}) YIELD id RETURN count(id)",
                        "MATCH (m:Memory) DETACH DELETE m"});
  tenants.compare("SHOW INDEXES");
  for (World* world : {&tenants.with_others, &tenants.without_others})
    world->add("acme", {"CALL memory.add({content: 'x'}) YIELD id RETURN count(id)",
                        "CREATE (:Memory:Chunk {content: 'a part of a long memory'})"});
  for (const std::string_view statement : searches_in_indexes_of_calls)
    if (statement.find("chunk") != statement.npos) tenants.compare(std::string(statement));
  tenants.compare("SHOW INDEXES");
  tenants.compare_tool("describe_memory", "{}");
  // Its own record shows it.
  BOOST_TEST(tenants.with_others.answer("SHOW INDEXES").find("memory_contents") !=
             std::string::npos);
}

// The others have files, and so an index of their passages.
BOOST_AUTO_TEST_CASE(a_tenant_without_files_finds_its_own_documents) {
  Tenants tenants(ToolSet::memory, Start::empty);
  const auto finds_the_document = [](World& world) {
    const std::string found = world.reply(
        "tools/call", R"j({"name":"search_documents","arguments":{"text":"torn log"}})j");
    BOOST_TEST(found.find("Found 1 chunk") != std::string::npos, found);
    BOOST_TEST(found.find("How a torn log is cut") != std::string::npos, found);
  };
  for (World* world : {&tenants.with_others, &tenants.without_others}) {
    world->add("acme", {"CALL memory.add({kind: 'document', content: 'How a torn log is cut'}) "
                        "YIELD id RETURN count(id)"});
    finds_the_document(*world);
    // A node that only looks like a passage of a file hides no document.
    world->add("acme", {"CREATE (:Chunk {content: 'a plain node'})"});
    finds_the_document(*world);
  }
}

// Two calls would tell by the numbers of their commits how often the others write.
BOOST_FIXTURE_TEST_CASE(a_receipt_has_no_number_of_all_namespaces, Tenants) {
  const auto receipt = [](World& world) {
    const std::regex id(R"("databaseId":"[^"]*")");
    return std::regex_replace(
        world.reply("tools/call", R"j({"name":"forget_memories","arguments":{"external_ids":["tea"],
                                  "action":"erase","scrub":true}})j"),
        id, "");
  };
  const std::string found = receipt(with_others);
  BOOST_TEST(found == receipt(without_others));
  BOOST_TEST(found.find("No file of the database has them any more\"") != std::string::npos, found);
  BOOST_TEST(found.find("\"receipt\"") != std::string::npos, found);
}

BOOST_AUTO_TEST_CASE(the_tools_of_a_graph_do_too) {
  Tenants tenants(ToolSet::graph);
  tenants.with_others.add("globex",
                          {"CALL memory.add([{kind: 'entity', content: 'Mallory', metadata: {name: "
                           "'Mallory', entityType: 'spy', observations: ['globex knows tea']}}])"});
  compare_tools(tenants, graph_calls);
}

BOOST_AUTO_TEST_CASE(the_tool_of_files_does_too) {
  Tenants tenants(ToolSet::files);
  tenants.with_others.add("globex", {"CALL memory.file({command: 'create', path: "
                                     "'/memories/secret.txt', file_text: 'of globex'})"});
  compare_tools(tenants, file_calls);
}

// What is read by id is asked for every id that either database has.
BOOST_FIXTURE_TEST_CASE(resources_answer_as_without_the_others, Tenants) {
  compare_reply("resources/list", "{}");
  compare_reply("resources/templates/list", "{}");
  std::vector<std::string> uris = {"cairn://statistics",     "cairn://memory/tea",
                                   "cairn://memory/globex",  "cairn://session/s1",
                                   "cairn://session/globex", "cairn://session/none"};
  for (const char* name_space : {"", "acme", "shared", "globex"}) {
    auto ids = must(execute(*with_others.database, "MATCH (n) RETURN id(n) ORDER BY id(n)", {},
                            of_tenant(name_space)));
    for (const auto& row : must(ids.all()))
      for (const char* kind : {"memory", "neighbourhood"})
        uris.push_back(std::string("cairn://") + kind + "/" + row[0].to_text());
  }
  BOOST_TEST(uris.size() > 1'000U);
  for (const std::string& uri : uris)
    compare_reply("resources/read", json::serialize(json::object{{"uri", uri}}));
}

BOOST_FIXTURE_TEST_CASE(prompts_and_completions_answer_as_without_the_others, Tenants) {
  compare_reply("prompts/list", "{}");
  compare_reply("prompts/get", R"j({"name":"recall","arguments":{"question":"green tea"}})j");
  compare_reply("prompts/get", R"j({"name":"recall","arguments":{"question":"spies"}})j");
  compare_reply("prompts/get", R"j({"name":"consolidate","arguments":{"session":"s1"}})j");
  for (const std::string value : {"", "s", "t", "g", "1"}) {
    compare_reply("completion/complete", ref("cairn://session/{name}", "name", value));
    compare_reply("completion/complete", ref("cairn://memory/{id}", "id", value));
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
