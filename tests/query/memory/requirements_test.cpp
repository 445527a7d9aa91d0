// Rows of the requirements that no unit stands for alone: what several calls together promise.

#include "tests/query/memory/support.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::memory {
namespace {

using test::must;
using test::result_of;

struct RequirementsFixture {
  test::TemporaryDatabase database;
  Memory memory = open_with_words(*database);

  NodeId add(NewRecord record) { return must(memory.add(record)).ids.at(0); }
  std::string found(const RecallRequest& request) {
    std::vector<std::string> contents;
    for (const Hit& hit : must(memory.recall(request)).hits)
      contents.push_back(record_of(hit).content);
    return joined(contents);
  }
  std::string listed(const SearchRequest& request) {
    return joined(contents_of(must(memory.search(request))));
  }
};

RecallRequest asking(std::string query, double min_score = -1) {
  RecallRequest request = similarity_request(std::move(query));
  request.min_score = min_score;
  return request;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(requirements_of_memory, RequirementsFixture)

// M0.1, M0.67: one kind of metadata and index for records, chunks, relationships and sessions
BOOST_AUTO_TEST_CASE(metadata_of_all_four_kinds_is_filtered_alike) {
  RememberOptions options;
  options.session = "s1";
  options.chunks = {10, 2};
  must(memory.remember("red green blue red green", {{"m", map_of({{"x", 1}})}}, options));
  test::run_all(*database, {"MATCH (s:Session {id: 's1'}) SET s.m = {x: 1}",
                            "MATCH (:Note)-[r:HAS_CHUNK]->({chunk_index: 0}) SET r.m = {x: 1}"});
  for (const char* pattern :
       {"(n:Note)", "(n:Chunk {chunk_index: 0})", "(n:Session)", "()-[n:HAS_CHUNK]->()"}) {
    const std::string text = std::string("MATCH ") + pattern + " WHERE filter.equals(n.m.x, 1)";
    BOOST_TEST(result_of(*database, text + " RETURN count(n)") == "1", text);
    BOOST_TEST(test::plan_of(*database, "EXPLAIN " + text + " RETURN n").find("m.x equals 1") !=
                   std::string::npos,
               text);
  }
}

// M2.4: versions of the schema are in the order of versions, and what is none has no place in it
BOOST_AUTO_TEST_CASE(schema_versions_are_filtered_as_versions) {
  for (const char* version : {"1.9.0", "1.10.0", "2.0.0-rc.1"})
    add({"note", std::string("red ") + version, {{"schemaVersion", version}}});
  test::run_all(*database,
                {"CREATE (:Memory:Note {content: 'red banana', schemaVersion: 'banana'})"});
  SearchRequest later;
  later.filter = Filter::where("schemaVersion", FilterOperator::greater_than, "1.9.0");
  later.sort_by = "content";
  BOOST_TEST(listed(later) == "red 1.10.0, red 2.0.0-rc.1");
  later.filter = Filter::where("schemaVersion", FilterOperator::between, List{"1.9.0", "1.10.0"});
  BOOST_TEST(listed(later) == "red 1.10.0, red 1.9.0");
  SearchRequest all;
  all.sort_by = "schemaVersion";
  BOOST_TEST(listed(all) == "red 1.9.0, red 1.10.0, red 2.0.0-rc.1, red banana");
  all.descending = true;
  BOOST_TEST(listed(all) == "red 2.0.0-rc.1, red 1.10.0, red 1.9.0, red banana");
}

// M0.7, R.12: session, kinds (any of them), types of relationships and a least score, all at once
BOOST_AUTO_TEST_CASE(the_four_older_filters_go_with_conditions) {
  const auto store = [&](const char* kind, const char* content, const char* session, int n) {
    return add({kind, content, {{"n", n}}, {}, session});
  };
  store("note", "red", "s1", 1);
  store("task", "red red", "s1", 1);
  store("insight", "red red red", "s1", 1);
  store("note", "red green", "s2", 1);
  store("note", "green", "s1", 1);
  store("note", "red red red red", "s1", 2);
  RecallRequest request = asking("red", 0.7);
  request.scope.session = "s1";
  request.scope.kinds = {"note", "task"};
  request.scope.filter = Filter::where("n", FilterOperator::equals, 1);
  BOOST_TEST(found(request) == "red, red red");
  request.scope.kinds = {};
  BOOST_TEST(found(request) == "red, red red, red red red");
  test::run_all(*database, {"MATCH (a {content: 'red'}), (b {content: 'green'}) "
                            "CREATE (a)-[:LIKES]->(b), (a)-[:OTHER]->(b)"});
  request.include_relationships = true;
  request.relationship_types = {"LIKES"};
  BOOST_TEST(must(memory.recall(request)).hits.at(0).relationships.size() == 1U);
}

// M0.85, C.7, M4.26: what is left out changes nothing
BOOST_AUTO_TEST_CASE(filters_that_say_nothing_change_nothing) {
  add(note("red"));
  add(note("green", {{"tags", list_of({"t"})}}));
  RecallRequest request = asking("red");
  const std::string plain = found(request);
  request.scope.filter = Filter::all_of({});
  request.scope.kinds = {};
  request.ranking = similarity_ranking({{"absent", 0.5}});
  BOOST_TEST(found(request) == plain);
  BOOST_TEST(must(memory.search({})).total == 2U);
  BOOST_TEST(must(memory.list_insights({})).total == 0U);
}

// M2.23, M2.27, M2.29: what is added is found by the criteria of its kind
BOOST_AUTO_TEST_CASE(each_kind_is_added_and_found) {
  const StructuredId agent = agent_id("a");
  add(message("red", "user", user_id("u"), agent, chat_id("c"), {"t", 0, {}},
              {{"messageType", "greeting"},
               {"importance", "high"},
               {"attachments", List{map_of({{"type", "image"}})}},
               {"extra", 1}}));
  add(document("green", "web", agent,
               {{"title", "T"}, {"contentType", "text/html"}, {"url", "http://x"}}));
  add(task("blue", "Fix", "pending", "high", agent,
           {{"assignedTo", to_value(agent_id("b"))}, {"dueDate", "2026-03-01"}}));
  MessageCriteria messages;
  messages.user = user_id("u");
  messages.message_type = "greeting";
  BOOST_TEST((must(memory.search_messages(messages)).records.at(0).field("extra") == Value(1)));
  DocumentCriteria documents;
  documents.source = "web";
  documents.title = "T";
  BOOST_TEST(must(memory.search_documents(documents)).records.at(0).content == "green");
  TaskCriteria tasks;
  tasks.assigned_to = agent_id("b");
  tasks.status = "pending";
  BOOST_TEST(must(memory.search_tasks(tasks)).records.at(0).content == "blue");
  tasks.status = "completed";
  BOOST_TEST(must(memory.search_tasks(tasks)).total == 0U);
}

// M2.34: every call says what is wrong as a value
BOOST_AUTO_TEST_CASE(mistakes_are_values_with_a_code) {
  SearchRequest request;
  request.where = "m.a = ";
  BOOST_TEST((memory.search(request).error().code == ErrorCode::parse_error));
  BOOST_TEST((memory.add({"", "x", {}, {}, {}}).error().code == ErrorCode::invalid_argument));
  BOOST_TEST((memory.undo_tag_run(NodeId{99}).error().code == ErrorCode::not_found));
  add({"note", "x", {}, "e", {}});
  BOOST_TEST((memory.add({"note", "y", {}, "e", {}}).error().code == ErrorCode::already_exists));
  TagRule rule{"r", "(", {"t"}, {"content"}, {}};
  BOOST_TEST((memory.put_tag_rule(rule).error().code == ErrorCode::invalid_argument));
}

// M3.41, C.8: boosts choose among the pool, whose size is the caller's
BOOST_AUTO_TEST_CASE(the_pool_says_which_hits_a_boost_can_raise) {
  add(note("red"));
  add(note("red green"));
  add(note("red green blue", {{"top", true}}));
  RecallRequest request = asking("red");
  request.limit = 1;
  request.ranking = similarity_ranking({{"top", 5}});
  request.ranking.oversample = 1;
  BOOST_TEST(found(request) == "red");
  request.ranking.oversample = 3;
  BOOST_TEST(found(request) == "red green blue");
}

// M4.1, M4.15, R.8: exact, newest first, then by id, the same each time
BOOST_AUTO_TEST_CASE(lists_are_exact_and_always_in_one_order) {
  for (const char* content : {"one", "two", "three"})
    add(insight(content, {}, {"t"}, {{"memory_strength", 0.5}, {"memory_sector", "semantic"}}));
  add(insight("newer", {}, {"t"}, {{"created_at", "2026-02-20T00:00:00Z"}}));
  InsightList list;
  list.tags = {"t"};
  for (int round = 0; round < 3; ++round)
    BOOST_TEST(joined(contents_of(must(memory.list_insights(list)))) == "newer, one, two, three");
  const Record record = must(memory.list_insights(list)).records.at(1);
  BOOST_TEST(record.id.value > 0U);
  BOOST_TEST(record.field("tags").to_text() == "['t']");
  BOOST_TEST((record.field("memory_strength") == Value(0.5)));
  BOOST_TEST(record.field("memory_sector").as_string() == "semantic");
  BOOST_TEST(record.field("created_at").string() != nullptr);
}

// M4.4, M4.9: episodes take any metadata, and need no tags
BOOST_AUTO_TEST_CASE(episodes_are_open_and_tags_are_not_needed) {
  add(episode("q", 0.5, "", {}, {{"anything", map_of({{"deep", list_of({1, 2})}})}}));
  const Page page = must(memory.list_episodes({}));
  BOOST_REQUIRE(page.total == 1U);
  BOOST_TEST(page.records[0].field("anything.deep").to_text() == "[1, 2]");
}

// M4.20, M4.21, M4.23, M4.24, M4.26: tags, dates and kinds before the search, hidden ones never
BOOST_AUTO_TEST_CASE(hybrid_recall_filters_before_it_searches) {
  const auto store = [&](NewRecord record, const char* time) {
    record.metadata["created_at"] = time;
    return add(std::move(record));
  };
  for (int i = 0; i < 30; ++i) store(insight("red", {}, {"other"}), "2026-01-05T00:00:00Z");
  store(insight("red green", {}, {"t"}), "2026-01-05T00:00:00Z");
  store(episode("red green blue", 0, "", {"t"}), "2026-01-06T00:00:00Z");
  store(insight("green", {}, {"t"}), "2026-01-20T00:00:00Z");
  const NodeId hidden = store(episode("red red green", 0, "", {"t"}), "2026-01-06T00:00:00Z");
  must(memory.remove(hidden));
  RecallRequest request = asking("red");
  request.strategy = Strategy::hybrid;
  request.ranking = rrf_ranking();
  request.limit = 2;
  request.scope.filter =
      Filter::all_of({Filter::where("tags", FilterOperator::contains_all, list_of({"t"})),
                      Filter::where("created_at", FilterOperator::since, "2026-01-05"),
                      Filter::where("created_at", FilterOperator::until, "2026-01-10")});
  BOOST_TEST(found(request) == "red green, red green blue");
  request.scope.kinds = {"episode"};
  BOOST_TEST(found(request) == "red green blue");
  request.scope.kinds = {"insight"};
  BOOST_TEST(found(request) == "red green");
}

// M4.36: rules need no model
BOOST_AUTO_TEST_CASE(tagging_asks_no_model) {
  class Failing : public Embedder {
   public:
    [[nodiscard]] std::string model() const override { return "words"; }
    [[nodiscard]] std::size_t dimension() const override { return 3; }
    [[nodiscard]] Result<std::vector<Vector>> embed(
        std::span<const std::string_view>) const override {
      return Error{ErrorCode::unsupported, "no model", {}};
    }
  };
  add(note("red"));
  MemoryOptions options = at(test_now);
  options.embedder = std::make_shared<Failing>();
  Memory offline = must(Memory::open(*database, options));
  must(offline.put_tag_rule({"r", "^red", {"colour"}, {"content"}, {}}));
  BOOST_TEST(must(offline.apply_tag_rules()).changes.size() == 1U);
  BOOST_TEST(must(offline.add(note("x"))).warnings.size() == 1U);
}

// R.3: a negative operator is about records that have the field
BOOST_AUTO_TEST_CASE(missing_fields_pass_only_what_says_so) {
  add(note("has", {{"f", 1}}));
  add(note("other", {{"f", 2}}));
  add(note("lacks"));
  SearchRequest request;
  request.sort_by = "f";
  request.filter = Filter::where("f", FilterOperator::not_equals, 1);
  BOOST_TEST(listed(request) == "other");
  request.filter = Filter::where("f", FilterOperator::not_equals_or_missing, 1);
  BOOST_TEST(listed(request) == "other, lacks");
  request.filter = {};
  request.where = "NOT (m.f = 1)";
  BOOST_TEST(listed(request) == "other");
}

// R.9, C.4: kind is the one reserved word; the others are fields of their kind
BOOST_AUTO_TEST_CASE(overloaded_words_are_plain_fields) {
  add({"episode",
       "a",
       {{"category", "x"}, {"source", 1}, {"priority", "y"}, {"type", "z"}},
       {},
       {}});
  SearchRequest request;
  request.filter = Filter::all_of({Filter::where("category", FilterOperator::equals, "x"),
                                   Filter::where("source", FilterOperator::equals, 1),
                                   Filter::where("priority", FilterOperator::equals, "y"),
                                   Filter::where("type", FilterOperator::equals, "z")});
  BOOST_TEST(must(memory.search(request)).total == 1U);
  BOOST_TEST(!memory.add(note("x", {{"kind", "task"}})));
}

// R.10: a level and a number are two things
BOOST_AUTO_TEST_CASE(importance_is_never_converted) {
  add(note("level", {{"importance", "high"}}));
  add(note("number", {{"importance", 8}}));
  SearchRequest request;
  request.filter = Filter::where("importance", FilterOperator::greater_than, 7);
  BOOST_TEST(listed(request) == "number");
  request.filter = Filter::where("importance", FilterOperator::equals, "high");
  BOOST_TEST(listed(request) == "level");
  BOOST_TEST(importance_of_level("high").value() == 0.75);
}

// R.11: an identity is no plain text
BOOST_AUTO_TEST_CASE(plain_texts_match_identities_by_a_call_only) {
  add(note("structured", {{"userId", to_value(user_id("ada"))}}));
  add(note("plain", {{"userId", "ada"}}));
  SearchRequest request;
  request.filter = Filter::where("userId", FilterOperator::equals, "ada");
  BOOST_TEST(listed(request) == "plain");
  BOOST_TEST(has_plain_id(user_id("ada"), "ada"));
  BOOST_TEST(!has_plain_id(user_id("ada"), "user:user:ada"));
}

// R.17: the same record in the three modes
BOOST_AUTO_TEST_CASE(a_schema_refuses_warns_or_stores) {
  const NewRecord odd{"task", "x", {{"status", "unheard of"}}, {}, {}};
  const auto open = [&](SchemaMode mode) {
    MemoryOptions options = at(test_now, mode);
    options.embedder = std::make_shared<WordEmbedder>();
    return must(Memory::open(*database, options));
  };
  BOOST_TEST(!open(SchemaMode::strict).add(odd));
  BOOST_TEST(!must(open(SchemaMode::warn).add(odd)).warnings.empty());
  BOOST_TEST(must(open(SchemaMode::open).add(odd)).warnings.empty());
}

// C.10, C.14: soft deletion, and upkeep over what is there, tried without writing first
BOOST_AUTO_TEST_CASE(upkeep_is_tried_first_and_leaves_hidden_records_alone) {
  add(note("red", {{"project", "x"}}));
  const NodeId hidden = add(note("green", {{"project", "x"}}));
  must(memory.remove(hidden));
  SearchRequest selection;
  selection.filter = Filter::where("project", FilterOperator::equals, "x");
  Update update;
  update.changes = {{"project", "y"}};
  BOOST_TEST(must(memory.update_all(selection, update, {.dry_run = true})).changed.size() == 1U);
  BOOST_TEST(must(memory.search(selection)).total == 1U);
  BOOST_TEST(must(memory.update_all(selection, update)).changed.size() == 1U);
  BOOST_TEST(must(memory.search(selection)).total == 0U);
  must(memory.restore(hidden));
  BOOST_TEST(must(memory.search(selection)).total == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::memory
