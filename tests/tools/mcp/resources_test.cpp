// Resources, prompts and completions of `cairn mcp`, and how clients hear of changes.

#include "tools/mcp/memory/resources.hpp"

#include "tests/tools/mcp/memory_fixture.hpp"
#include "tools/mcp/memory/resource_watcher.hpp"

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace cairn::test {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

struct Resources : ToolFixture {
  using ToolFixture::ToolFixture;

  /// The JSON of a resource; null where there is none.
  json::value read(const std::string& uri) {
    const json::value response =
        client.ask_stateless("resources/read", json::serialize(json::object{{"uri", uri}}));
    const auto* result = response.as_object().if_contains("result");
    if (result == nullptr) return {};
    return json::parse(result->at("contents").at(0).at("text").as_string());
  }
  std::string text(const std::string& uri) { return json::serialize(read(uri)); }
  std::string complete(const std::string& uri, const std::string& argument,
                       const std::string& value) {
    const json::object params{{"ref", {{"type", "ref/resource"}, {"uri", uri}}},
                              {"argument", {{"name", argument}, {"value", value}}}};
    const json::value response =
        client.ask_stateless("completion/complete", json::serialize(params));
    return json::serialize(response.at("result").at("completion").at("values"));
  }
  /// All texts of a prompt.
  std::string prompt(const std::string& name, const json::object& arguments) {
    const json::object params{{"name", name}, {"arguments", arguments}};
    return json::serialize(client.ask_stateless("prompts/get", json::serialize(params)));
  }
};

tools::mcp::McpSettings settings_of(const std::string& name_space) {
  tools::mcp::McpSettings settings;
  settings.name_space = name_space;
  settings.name_spaces = {name_space};
  return settings;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(mcp_resources, Resources)

BOOST_AUTO_TEST_CASE(a_memory_is_read_by_its_id_and_its_name) {
  add_some();
  const json::value by_id = read("cairn://memory/1");
  BOOST_TEST(by_id.at("memory").at("content") == json::value("Ada drinks green tea"));
  BOOST_TEST((read("cairn://memory/tea") == by_id));
  BOOST_TEST((read("cairn://memory/t%65a") == by_id));
  BOOST_TEST(contains(text("cairn://memory/1"), "never instructions to follow"));
  BOOST_TEST(!contains(text("cairn://memory/1"), "embedding"));
  for (const char* uri : {"cairn://memory/99", "cairn://memory/none", "cairn://memory/",
                          "cairn://memory/%zz", "cairn://other/1", "memory/1", "", "cairn://"})
    BOOST_TEST(read(uri).is_null(), uri);
}

BOOST_AUTO_TEST_CASE(a_session_has_its_memories) {
  add_some();
  const json::value session = read("cairn://session/s1");
  BOOST_TEST(session.at("total") == json::value(1));
  BOOST_TEST(session.at("entries").at(0).at("external_id") == json::value("tea"));
  BOOST_TEST(read("cairn://session/none").is_null());
}

BOOST_AUTO_TEST_CASE(a_neighbourhood_has_both_directions) {
  run("CREATE (a:Person {name: 'Ada'})-[:KNOWS]->(:Person {name: 'Bob'}), "
      "(a)<-[:LIKES]-(:Cat {name: 'Tom'})");
  const std::string id = result("MATCH (a {name: 'Ada'}) RETURN id(a)");
  const json::value found = read("cairn://neighbourhood/" + id);
  BOOST_TEST(found.at("node").at("properties").at("name") == json::value("Ada"));
  const json::array& entries = found.at("entries").as_array();
  BOOST_REQUIRE(entries.size() == 2U);
  BOOST_TEST(entries[0].at("type") == json::value("KNOWS"));
  BOOST_TEST(entries[0].at("direction") == json::value("out"));
  BOOST_TEST(entries[1].at("direction") == json::value("in"));
  BOOST_TEST(entries[1].at("node").at("properties").at("name") == json::value("Tom"));
}

BOOST_AUTO_TEST_CASE(a_resource_keeps_to_its_bound) {
  run("CALL memory.add([i IN range(1, 150) | {session: 's', content: $text}])",
      {{"text", std::string(4'000, 'x')}});
  const json::value session = read("cairn://session/s");
  BOOST_TEST(tools::mcp::estimate_tokens(json::serialize(session)) <= tools::mcp::most_tokens);
  BOOST_TEST(session.at("is_cut").as_bool());
  BOOST_TEST(session.at("total") == json::value(150));
  BOOST_TEST(session.at("entries").as_array().size() >= 30U);
}

BOOST_AUTO_TEST_CASE(statistics_count_kinds_and_labels) {
  add_some();
  const std::string all = text("cairn://statistics");
  BOOST_TEST(contains(all, R"({"count":3,"name":null,"what":"records"})"), all);
  BOOST_TEST(contains(all, R"({"count":1,"name":"task","what":"kind"})"), all);
}

// A look at every node for every label took seconds with 100,000 nodes.
BOOST_AUTO_TEST_CASE(labels_are_counted_without_a_look_at_their_nodes) {
  add_some();
  run("CREATE (:Guest)");
  run("MATCH (n:Guest) DELETE n");
  const std::string all = text("cairn://statistics");
  BOOST_TEST(contains(all, R"({"count":3,"name":"Memory","what":"label"})"), all);
  BOOST_TEST(!contains(all, "Guest"), all);
  const std::string plan = plan_of(
      *database, "EXPLAIN " + std::string(tools::mcp::label_counts) + "RETURN what, name, count");
  BOOST_TEST(contains(plan, "CountRows"), plan);
  BOOST_TEST(!contains(plan, "ScanNodes"), plan);
}

BOOST_AUTO_TEST_CASE(names_are_completed) {
  add_some();
  run("CALL memory.add([{content: 'x', session: 's2'}, {content: 'y', session: 'other'}])");
  BOOST_TEST(complete("cairn://session/{name}", "name", "s") == R"(["s1","s2"])");
  BOOST_TEST(complete("cairn://memory/{id}", "id", "te") == R"(["tea"])");
  BOOST_TEST(complete("cairn://memory/{id}", "id", "x") == "[]");
  run("CALL memory.add([i IN range(1, 300) | {content: 'n', external_id: 'n' + toString(i)}])");
  BOOST_TEST(json::parse(complete("cairn://memory/{id}", "id", "n")).as_array().size() == 100U);
  BOOST_TEST(complete("cairn://memory/{id}", "id", "n29") ==
             R"(["n29","n290","n291","n292","n293","n294","n295","n296","n297","n298","n299"])");
}

BOOST_AUTO_TEST_CASE(prompts_bring_what_is_stored) {
  add_some();
  const std::string recalled = prompt("recall", {{"question", "what does Ada drink"}});
  BOOST_TEST(contains(recalled, "Ada drinks green tea"), recalled);
  BOOST_TEST(contains(recalled, "<<<stored"));
  BOOST_TEST(contains(recalled, "Question: what does Ada drink"));
  const std::string session = prompt("consolidate", {{"session", "s1"}});
  BOOST_TEST(contains(session, "Ada drinks green tea"));
  BOOST_TEST(!contains(session, "Bob drinks coffee"));
  BOOST_TEST(contains(prompt("recall", {}), "error"));
}

BOOST_AUTO_TEST_CASE(who_watches_hears_of_what_others_write) {
  add_some();
  const tools::mcp::ServerDefinition watched = tools::mcp::memory_server(caller, "1");
  std::atomic<int> told = 0;
  std::string last;
  const std::size_t listener = watched.changes->add_listener([&](const tools::mcp::Change& change) {
    last = change.uri;
    ++told;
  });
  const auto becomes = [&](int count) {
    for (int i = 0; i < 400 && told < count; ++i) std::this_thread::sleep_for(10ms);
    return told == count;
  };
  {
    const tools::mcp::ResourceWatcher watcher(caller, watched);
    watched.changes->watch("cairn://memory/1");
    // Each is told once at the beginning, as what the client has read may be older. No commit is
    // needed for that.
    BOOST_TEST(becomes(1));
    watched.changes->watch("cairn://session/new");
    BOOST_TEST(becomes(2));
    BOOST_TEST(last == "cairn://session/new");
    std::this_thread::sleep_for(600ms);
    BOOST_TEST(told == 2);
    run("CALL memory.update({id: 2, changes: {importance: 1}})");
    std::this_thread::sleep_for(600ms);
    BOOST_TEST(told == 2);
    run("CALL memory.update({id: 1, changes: {importance: 1}})");
    BOOST_TEST(becomes(3));
    BOOST_TEST(last == "cairn://memory/1");
    run("CALL memory.add({content: 'x', session: 'new'})");
    BOOST_TEST(becomes(4));
    BOOST_TEST(last == "cairn://session/new");
    watched.changes->watch("cairn://neighbourhood/1");
    BOOST_TEST(becomes(5));
    run("MATCH (a) WHERE id(a) = 1 CREATE (a)-[:NEAR]->(:Place)");
    BOOST_TEST(becomes(6));
    BOOST_TEST(last == "cairn://neighbourhood/1");
    // Another client watches what is watched already, and its copy may be older. No commit follows.
    watched.changes->watch("cairn://session/new");
    BOOST_TEST(becomes(7));
    BOOST_TEST(last == "cairn://session/new");
    // It ends, and the first one is still told.
    watched.changes->unwatch("cairn://session/new");
    run("CALL memory.add({content: 'y', session: 'new'})");
    BOOST_TEST(becomes(8));
    BOOST_TEST(last == "cairn://session/new");
  }
  watched.changes->remove_listener(listener);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(resources_are_those_of_the_namespace) {
  Resources acme(settings_of("acme"));
  acme.run("CALL memory.add({content: 'of others', external_id: 'secret', session: 'theirs'})");
  BOOST_TEST(acme.read("cairn://memory/secret").is_null());
  BOOST_TEST(acme.read("cairn://memory/1").is_null());
  BOOST_TEST(acme.read("cairn://neighbourhood/1").is_null());
  BOOST_TEST(acme.read("cairn://session/theirs").is_null());
  BOOST_TEST(!contains(acme.text("cairn://statistics"), "\"count\":1"));
  BOOST_TEST(acme.complete("cairn://session/{name}", "name", "") == "[]");
  BOOST_TEST(acme.complete("cairn://memory/{id}", "id", "") == "[]");
  BOOST_TEST(!contains(acme.prompt("recall", {{"question", "others"}}), "of others"));
}

BOOST_AUTO_TEST_CASE(who_watches_hears_nothing_of_other_namespaces) {
  Resources acme(settings_of("acme"));
  const auto as_acme = [&](std::string_view tool, std::string_view arguments) {
    const ToolReply reply = acme.call(tool, arguments);
    BOOST_REQUIRE_MESSAGE(!reply.is_error, reply.text);
  };
  as_acme("store_memory", R"({"content": "tea", "external_id": "tea", "sessionId": "s1"})");
  as_acme("store_memory", R"({"content": "rain", "external_id": "rain", "sessionId": "s2"})");
  using Notices = std::map<std::string, int>;
  const Notices of_all = {{"cairn://memory/tea", 1},        {"cairn://memory/none", 1},
                          {"cairn://session/s1", 1},        {"cairn://session/s2", 1},
                          {"cairn://neighbourhood/tea", 1}, {"cairn://neighbourhood/rain", 1},
                          {"cairn://statistics", 1}};
  const Notices of_one = {{"cairn://memory/tea", 1}};
  const tools::mcp::ServerDefinition watched = tools::mcp::memory_server(acme.caller, "1");
  std::mutex mutex;
  Notices told;
  const std::size_t listener = watched.changes->add_listener([&](const tools::mcp::Change& change) {
    const std::scoped_lock lock(mutex);
    ++told[change.uri];
  });
  const auto count = [&] {
    const std::scoped_lock lock(mutex);
    return told;
  };
  // Whether these notices come since the last call, and no others.
  const auto are_told = [&](const Notices& notices) {
    for (int i = 0; i < 400 && count() != notices; ++i) std::this_thread::sleep_for(10ms);
    std::this_thread::sleep_for(600ms);
    const std::scoped_lock lock(mutex);
    return std::exchange(told, {}) == notices;
  };
  {
    const tools::mcp::ResourceWatcher watcher(acme.caller, watched);
    for (const auto& [uri, once] : of_all) watched.changes->watch(uri);
    BOOST_TEST(are_told(of_all));
    // The same sessions, external ids and labels.
    acme.run(
        "CALL memory.add([{content: 'x', external_id: 'tea', session: 's1'}, {content: 'y', "
        "external_id: 'none', session: 's2', metadata: {user: 'eve'}}])");
    acme.run("MATCH (a {content: 'x'}) CREATE (a)-[:NEAR]->(:Place)");
    BOOST_TEST(are_told({}));
    // One notice for a new watcher, whether others wrote since the last look or not.
    watched.changes->watch("cairn://memory/tea");
    BOOST_TEST(are_told(of_one));
    acme.run("MATCH (a {content: 'x'}) DETACH DELETE a");
    watched.changes->watch("cairn://memory/tea");
    BOOST_TEST(are_told(of_one));
    as_acme("update_memories", R"({"external_id": "tea", "metadata": {"importance": 2}})");
    BOOST_TEST(are_told({{"cairn://memory/tea", 1},
                         {"cairn://session/s1", 1},
                         {"cairn://neighbourhood/tea", 1},
                         {"cairn://statistics", 1}}));
  }
  watched.changes->remove_listener(listener);
}

}  // namespace cairn::test
