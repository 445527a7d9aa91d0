#include "tests/query/memory/support.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/memory/records.hpp>

#include <boost/test/unit_test.hpp>

namespace cairn::memory {
namespace {

const StructuredId agent = agent_id("assistant");

// Every record that a function makes fits its kind in strict mode.
void check_fits(NewRecord record) {
  const auto checked = Schema().check(record.kind, record.metadata, SchemaMode::strict);
  BOOST_TEST(checked.has_value(), record.kind << ": " << (checked ? "" : checked.error().message));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(records)

// M2.19, M2.20, M2.21, M2.22, M4.5, M4.6
BOOST_AUTO_TEST_CASE(what_the_functions_make_fits_its_kind) {
  check_fits(message("Hi", "user", user_id("u"), agent, chat_id("c"), {"t", 0, {}}));
  check_fits(thought("Hm", agent, {{"relatedTo", "m1"}}));
  check_fits(reflection("Hm", agent));
  check_fits(cognitive_process("Hm", "musing", agent));
  check_fits(document("Text", "file", agent, {{"fileSize", 10}}));
  check_fits(task("Do it", "it", "pending", "low", agent, {{"assignedTo", to_value(agent)}}));
  check_fits(episode("[self] q", 0.5, "r", {"dark-romance", "stil"}));
  check_fits(insight("So it is", {"e1", "e2"}, {"ethr"}));
  check_fits(note("Remember"));
}

BOOST_AUTO_TEST_CASE(schema_version_is_filled_in) {
  BOOST_TEST(thought("Hm", agent).metadata.at("schemaVersion").as_string() == "1.0.0");
  BOOST_TEST(note("Hm", {{"schemaVersion", "2.0.0"}}).metadata.at("schemaVersion").as_string() ==
             "2.0.0");
}

// M2.14: typed parameters win
BOOST_AUTO_TEST_CASE(typed_parameters_win_over_more_fields) {
  const NewRecord record = message("Hi", "user", user_id("u"), agent, chat_id("c"), {"t", 0, {}},
                                   {{"role", "system"}, {"mood", "good"}});
  BOOST_TEST(record.metadata.at("role").as_string() == "user");
  BOOST_TEST(record.metadata.at("mood").as_string() == "good");
}

// M2.10, M2.25
BOOST_AUTO_TEST_CASE(a_process_type_is_its_kind_where_it_has_one) {
  BOOST_TEST(cognitive_process("", "evaluation", agent).kind == "evaluation");
  BOOST_TEST(cognitive_process("", "insight", agent).kind == "cognitive");
  BOOST_TEST(cognitive_process("", "insight", agent).metadata.at("processType").as_string() ==
             "insight");
}

BOOST_AUTO_TEST_CASE(an_episode_is_searched_by_query_and_reflection) {
  BOOST_TEST(episode("q", 0.5, "r").content == "q\n\nr");
  BOOST_TEST(episode("q", 0.5, "").content == "q");
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

using test::must;
using test::result_of;

std::string found(Memory& memory, std::string query, std::string where, Parameters parameters) {
  RecallRequest request;
  request.query = std::move(query);
  request.min_score = -1;
  request.scope.where = std::move(where);
  request.scope.parameters = std::move(parameters);
  std::vector<std::string> contents;
  for (const Hit& hit : must(memory.recall(request)).hits)
    contents.push_back(record_of(hit).content);
  return joined(contents);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(remember, MemoryFixture)

// M0.3, M0.4, M0.5: chunks and nodes in one commit, session and metadata inherited as copies
BOOST_AUTO_TEST_CASE(a_long_text_is_stored_with_chunks_and_nodes) {
  RememberOptions options;
  options.session = "s1";
  options.chunks = {10, 2};
  options.nodes = {{"entity", "Ada", {{"name", "Ada"}, {"lang", "fr"}}, {}, {}}};
  const std::uint64_t commits = must(database->statistics()).commits;
  const auto stored =
      must(memory.remember("Ada drinks tea. Bob does not.", {{"lang", "en"}, {"x", 1}}, options));
  // The indexes of vectors and of contents are commits of their own, the first time.
  BOOST_TEST(must(database->statistics()).commits == commits + 3);
  BOOST_TEST(stored.chunks.size() > 2U);
  BOOST_TEST(get(stored.chunks[1]).field("lang").as_string() == "en");
  BOOST_TEST((get(stored.chunks[1]).field("chunk_index") == Value(1)));
  BOOST_TEST(get(stored.nodes.at(0)).field("lang").as_string() == "fr");
  BOOST_TEST((get(stored.nodes[0]).field("x") == Value(1)));
  SearchRequest session;
  session.session = "s1";
  BOOST_TEST(must(memory.search(session)).total == 2 + stored.chunks.size());
  Update update;
  update.changes = {{"x", 2}};
  must(memory.update(stored.id, update));
  BOOST_TEST((get(stored.chunks[0]).field("x") == Value(2)));
  BOOST_TEST((get(stored.nodes[0]).field("x") == Value(1)));
  BOOST_TEST(result_of(*database, "MATCH (:Note)-[:MENTIONS]->(e:Entity) RETURN e.name") ==
             "'Ada'");
  BOOST_TEST(result_of(*database,
                       "MATCH p = (:Note)-[:HAS_CHUNK]->({chunk_index: 0})-[:NEXT*]->(c) "
                       "RETURN count(c)") == std::to_string(stored.chunks.size() - 1));
  BOOST_TEST(result_of(*database, "MATCH (n:Note) RETURN n.embedding") == "null");
}

BOOST_AUTO_TEST_CASE(a_short_text_is_one_record) {
  const auto stored = must(memory.remember("Ada drinks tea"));
  BOOST_TEST(stored.chunks.empty());
  BOOST_TEST(found(memory, "who drinks tea", "", {}) == "Ada drinks tea");
  RememberOptions options;
  options.chunks = {10, 10};
  BOOST_TEST(!memory.remember("x", {}, options));
}

// M0.74
BOOST_AUTO_TEST_CASE(use_case_2_projects_and_layers) {
  must(memory.remember("API uses REST", {{"project", "alpha"}, {"layer", "backend"}}));
  must(memory.remember("UI uses React", {{"project", "alpha"}, {"layer", "frontend"}}));
  must(memory.remember("Jobs run at night", {{"project", "beta"}, {"layer", "backend"}}));
  SearchRequest request;
  request.where = "m.project = 'alpha'";
  BOOST_TEST(must(memory.search(request)).total == 2U);
  request.where = "m.layer = 'backend'";
  BOOST_TEST(must(memory.search(request)).total == 2U);
}

// M0.75: a fixed clock, the last seven days, of one type
BOOST_AUTO_TEST_CASE(use_case_3_recent_deployments) {
  must(memory.remember("new", {{"timestamp", "2026-02-10T00:00:00Z"}, {"type", "deployment"}}));
  must(memory.remember("old", {{"timestamp", "2026-02-01T00:00:00Z"}, {"type", "deployment"}}));
  must(memory.remember("else", {{"timestamp", "2026-02-13T00:00:00Z"}, {"type", "bug"}}));
  SearchRequest request;
  request.filter = Filter::all_of({Filter::where("timestamp", FilterOperator::since, "7d"),
                                   Filter::where("type", FilterOperator::equals, "deployment")});
  BOOST_TEST(joined(contents_of(must(memory.search(request)))) == "new");
}

// M0.76, M0.77
BOOST_AUTO_TEST_CASE(use_cases_4_and_5_tags_booleans_and_a_field_named_value) {
  must(memory.remember("quicksort", {{"tags", list_of({"algorithm", "sorting"})},
                                     {"language", "python"},
                                     {"difficulty", "medium"}}));
  must(memory.remember("dijkstra", {{"tags", list_of({"algorithm", "graph"})}}));
  must(memory.remember(
      "latency", {{"agentRole", "monitor"}, {"resolved", false}, {"value", 200}, {"unit", "ms"}}));
  must(memory.remember("solved", {{"agentRole", "monitor"}, {"resolved", true}}));
  const auto matching = [&](const char* where) {
    SearchRequest request;
    request.where = where;
    request.sort_by = "language";
    return joined(contents_of(must(memory.search(request))));
  };
  BOOST_TEST(matching("'algorithm' IN m.tags") == "quicksort, dijkstra");
  BOOST_TEST(matching("'algorithm' IN m.tags AND 'graph' IN m.tags") == "dijkstra");
  BOOST_TEST(matching("m.agentRole = 'monitor' AND m.resolved = false") == "latency");
  BOOST_TEST(matching("m.value = 200 AND m.unit = 'ms'") == "latency");
}

// M0.80: two memories, a search with a filter
BOOST_AUTO_TEST_CASE(a_filtered_recall_finds_the_one_and_not_the_other) {
  must(memory.remember("Alice prefers TypeScript", {{"userId", "alice"}}));
  must(memory.remember("Bob prefers Python", {{"userId", "bob"}}));
  BOOST_TEST(found(memory, "which language is preferred", "m.userId = $user",
                   {{"user", "alice"}}) == "Alice prefers TypeScript");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::memory
