#include "tests/query/memory/support.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/memory/memory.hpp>

#include <boost/test/unit_test.hpp>

namespace cairn::memory {
namespace {

using test::must;

const StructuredId agent = agent_id("assistant");

std::string where_text(Memory& memory, std::string where, Parameters parameters = {}) {
  SearchRequest request;
  request.where = std::move(where);
  request.parameters = std::move(parameters);
  request.sort_by = "updated_at";
  return joined(contents_of(must(memory.search(request))));
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(memory_records, MemoryFixture)

// M0.3: visible after commit; M2.36
BOOST_AUTO_TEST_CASE(a_message_comes_back_as_it_was_stored) {
  const NodeId id = add(message("Hello, how can I help you today?", "assistant",
                                user_id("john-doe"), agent, chat_id("general"), {"thread_1", 0, {}},
                                {{"importance", "medium"},
                                 {"messageType", "greeting"},
                                 {"tags", list_of({"initial-contact", "greeting"})}}));
  const Record record = get(id);
  BOOST_TEST(record.kind == "message");
  BOOST_TEST(record.content == "Hello, how can I help you today?");
  BOOST_TEST((record.field("thread.position") == Value(0)));
  BOOST_TEST(record.field("tags").to_text() == "['initial-contact', 'greeting']");
  BOOST_TEST(record.field("importance").as_string() == "medium");
  BOOST_TEST(record.field("created_at").as_string() == "2026-02-14T12:00:00.000000Z");
  BOOST_TEST((structured_id_of(record.field("userId")) == user_id("john-doe")));
}

// M2.37
BOOST_AUTO_TEST_CASE(a_thought_is_found_by_its_context) {
  add(thought("The user asks about machine learning.", agent,
              {{"contextId", "conversation-123"},
               {"importance", "medium"},
               {"category", "reasoning"},
               {"tags", list_of({"machine-learning", "explanation-planning"})}}));
  add(thought("Something else.", agent, {{"contextId", "conversation-124"}}));
  CognitiveCriteria criteria;
  criteria.context = "conversation-123";
  criteria.process_type = "thought";
  const Page page = must(memory.search_cognitive_processes(criteria));
  BOOST_TEST(page.total == 1U);
  BOOST_TEST(page.records.at(0).field("category").as_string() == "reasoning");
}

// M2.38: all positions in order
BOOST_AUTO_TEST_CASE(messages_of_a_thread_come_by_position) {
  for (const int position : {2, 0, 10, 1})
    add(message("m" + std::to_string(position), position % 2 == 0 ? "user" : "assistant",
                user_id("u"), agent, chat_id("c"), {"thread-123", position, {}}));
  add(message("other", "user", user_id("u"), agent, chat_id("c"), {"thread-124", 0, {}}));
  SearchRequest order;
  order.limit = 10;
  order.sort_by = "thread.position";
  MessageCriteria criteria;
  criteria.thread = "thread-123";
  std::vector<std::string> lines;
  for (const Record& record : must(memory.search_messages(criteria, order)).records)
    lines.push_back("[" + record.field("role").as_string() + "]: " + record.content);
  BOOST_TEST(joined(lines) == "[user]: m0, [assistant]: m1, [user]: m2, [user]: m10");
}

// M2.33: nested paths, both directions, missing values last
BOOST_AUTO_TEST_CASE(records_without_the_field_come_last_in_both_directions) {
  add("none", {});
  add("two", {{"a", map_of({{"b", 2}})}});
  add("one", {{"a", map_of({{"b", 1}})}});
  SearchRequest request;
  request.sort_by = "a.b";
  BOOST_TEST(joined(contents_of(must(memory.search(request)))) == "one, two, none");
  request.descending = true;
  BOOST_TEST(joined(contents_of(must(memory.search(request)))) == "two, one, none");
}

// M2.24, M2.2: criteria are ANDed; a namespace tells two ids apart, a missing version does not.
BOOST_AUTO_TEST_CASE(criteria_compare_all_parts_of_an_id) {
  const auto write = [&](const StructuredId& user, const char* role, const char* content) {
    add(message(content, role, user, agent, chat_id("c"), {"t", 0, {}}));
  };
  write(user_id("u"), "user", "mine");
  write({"user", "user", "u", 2}, "user", "my second version");
  write({"other", "user", "u", {}}, "user", "another's");
  write(user_id("u"), "assistant", "answer");
  MessageCriteria criteria;
  criteria.user = user_id("u");
  criteria.role = "user";
  BOOST_TEST(joined(contents_of(must(memory.search_messages(criteria)))) ==
             "mine, my second version");
  criteria.user->version = 2;
  BOOST_TEST(joined(contents_of(must(memory.search_messages(criteria)))) == "my second version");
}

// M2.26, M2.28, M2.30
BOOST_AUTO_TEST_CASE(every_kind_is_found_by_its_own_criteria) {
  add(thought("related", agent, {{"relatedTo", list_of({"x", "y"})}}));
  add(document("manual", "file", agent, {{"title", "Manual"}, {"contentType", "text/plain"}}));
  add(task("do it", "it", "pending", "high", agent,
           {{"assignedTo", to_value(agent_id("b"))}, {"parentTaskId", "p"}}));
  CognitiveCriteria process;
  process.related_to = "y";
  BOOST_TEST(must(memory.search_cognitive_processes(process)).total == 1U);
  DocumentCriteria documents;
  documents.source = "file";
  documents.title = "Manual";
  documents.content_type = "text/plain";
  BOOST_TEST(must(memory.search_documents(documents)).total == 1U);
  documents.title = "Man";
  BOOST_TEST(must(memory.search_documents(documents)).total == 0U);
  TaskCriteria tasks;
  tasks.assigned_to = agent_id("b");
  tasks.status = "pending";
  tasks.priority = "high";
  tasks.parent_task = "p";
  BOOST_TEST(must(memory.search_tasks(tasks)).total == 1U);
}

// M2.32: limit, offset, and a total of all
BOOST_AUTO_TEST_CASE(pages_have_the_total_of_all_records) {
  for (int i = 0; i < 7; ++i) add("n" + std::to_string(i), {{"i", i}});
  SearchRequest request;
  request.sort_by = "i";
  request.limit = 3;
  request.offset = 3;
  const Page page = must(memory.search(request));
  BOOST_TEST(joined(contents_of(page)) == "n3, n4, n5");
  BOOST_TEST(page.total == 7U);
  BOOST_TEST(page.has_next_page);
  request.offset = 6;
  BOOST_TEST(!must(memory.search(request)).has_next_page);
}

// M0.73: importance greater than 7 returns 8, not 7; M0.78, M0.79
BOOST_AUTO_TEST_CASE(use_case_1_a_users_important_memories) {
  add("Alice likes tea", {{"userId", "alice"}, {"importance", 8}});
  add("Alice owns a bicycle", {{"userId", "alice"}, {"importance", 7}});
  add("Bob likes coffee", {{"userId", "bob"}, {"importance", 9}});
  BOOST_TEST(where_text(memory, "m.userId = 'alice'") == "Alice likes tea, Alice owns a bicycle");
  BOOST_TEST(where_text(memory, "m.userId = $u AND m.importance > 7", {{"u", "alice"}}) ==
             "Alice likes tea");
}

// M0.37, M0.39: filters as values, as JSON and with conditions are ANDed
BOOST_AUTO_TEST_CASE(filters_and_conditions_must_all_hold) {
  add("a", {{"userId", "alice"}, {"importance", 8}, {"tags", list_of({"x", "y"})}});
  add("b", {{"userId", "alice"}, {"importance", 3}, {"tags", list_of({"x"})}});
  add("c", {{"userId", "bob"}, {"importance", 9}});
  SearchRequest request;
  request.sort_by = "importance";
  request.filter = Filter::where("importance", FilterOperator::greater_than, 7);
  BOOST_TEST(joined(contents_of(must(memory.search(request)))) == "a, c");
  request.where = "m.userId = 'alice'";
  BOOST_TEST(joined(contents_of(must(memory.search(request)))) == "a");
  request.where.clear();
  request.filter = must(parse_filter(
      R"([{"field": "tags", "operator": "contains", "value": "x"},
          {"operator": "OR", "filters": [{"field": "importance", "operator": "equals", "value": 3},
                                         {"field": "userId", "operator": "equals", "value": "bob"}]}])"));
  BOOST_TEST(joined(contents_of(must(memory.search(request)))) == "b");
  request.query = "b";
  BOOST_TEST(joined(contents_of(must(memory.search(request)))) == "b");
  BOOST_TEST(must(memory.update_all(request, {}, {.dry_run = true})).matched == 1U);
}

// M0.4, M0.44: the session is a relation and a reserved field
BOOST_AUTO_TEST_CASE(a_session_is_a_node_that_its_records_belong_to) {
  NewRecord first = note("first");
  first.session = "s1";
  add(first);
  add("second", {{"sessionId", "s1"}});
  add("third", {});
  SearchRequest request;
  request.session = "s1";
  BOOST_TEST(must(memory.search(request)).total == 2U);
  BOOST_TEST(test::result_of(*database,
                             "MATCH (s:Session {id: 's1'})<-[r:IN_SESSION]-(m) RETURN count(r)") ==
             "2");
  first.metadata["sessionId"] = "s2";
  BOOST_TEST(!memory.add(first));
}

// M2.9, M2.12, M4.6
BOOST_AUTO_TEST_CASE(fields_that_name_records_become_relationships) {
  NewRecord source = note("source");
  source.external_id = "e1";
  add(source);
  add(insight("insight", {"e1", "unknown"}));
  add(thought("thought", agent, {{"relatedTo", "e1"}}));
  BOOST_TEST(test::result_of(*database,
                             "MATCH (a)-[r]->(b {content: 'source'}) RETURN type(r) AS t ORDER BY "
                             "t") == "'DERIVED_FROM'; 'RELATED_TO'");
  BOOST_TEST(must(memory.find("e1")).value().content == "source");
}

BOOST_AUTO_TEST_CASE(parts_of_a_record_are_no_metadata) {
  for (const char* name : {"kind", "content", "embedding", "is_deleted", "deletion_time"}) {
    const auto added = memory.add(note("n", {{name, true}}));
    BOOST_TEST(!added, name);
  }
}

// R.5: created_at of any offset is sorted and compared as the instant it is
BOOST_AUTO_TEST_CASE(given_times_are_stored_in_one_form) {
  const Record record = get(add("n", {{"created_at", "2025-01-01T01:00:00+01:00"}}));
  BOOST_TEST(record.field("created_at").as_string() == "2025-01-01T00:00:00.000000Z");
}

// M0.35: what looks like the language is only data
BOOST_AUTO_TEST_CASE(odd_names_and_values_are_only_data) {
  const std::string odd = "a`b'\"$;\\ {x} \xC3\xBC";
  add(odd, {{odd, odd}, {"tags", list_of({odd})}});
  SearchRequest request;
  request.sort_by = odd;
  BOOST_TEST(must(memory.search(request)).records.at(0).content == odd);
  request.session = "' OR true OR '";
  BOOST_TEST(must(memory.search(request)).total == 0U);
  MessageCriteria criteria;
  criteria.role = "x' OR 'a' = 'a";
  BOOST_TEST(must(memory.search_messages(criteria)).total == 0U);
  BOOST_TEST(must(memory.value_distribution(odd)).values.at(0).first.as_string() == odd);
}

BOOST_AUTO_TEST_CASE(a_condition_cannot_undo_those_around_it) {
  add("n", {{"sessionId", "s1"}});
  SearchRequest request;
  request.session = "s2";
  for (const char* where :
       {"false) OR (true", "true THEN true END, CASE WHEN true", "true //", "true /* "}) {
    request.where = where;
    const auto page = memory.search(request);
    BOOST_TEST((!page || page->total == 0U), where);
  }
}

// M2.39: strict mode
BOOST_AUTO_TEST_CASE(strict_mode_stores_nothing_that_does_not_fit) {
  Memory strict = must(Memory::open(*database, at(test_now, SchemaMode::strict)));
  const std::vector<NewRecord> records = {note("fits"), {"message", "does not", {}, {}, {}}};
  BOOST_TEST(!strict.add(records));
  BOOST_TEST(must(strict.search({})).total == 0U);
  Memory warning = must(Memory::open(*database, at(test_now, SchemaMode::warn)));
  BOOST_TEST(must(warning.add(records)).warnings.size() == 6U);
}

// Namespaces are tenants: neither sees the other's records.
BOOST_AUTO_TEST_CASE(a_memory_sees_its_own_namespace_only) {
  MemoryOptions options = at(test_now);
  options.name_space = "acme";
  Memory other = must(Memory::open(*database, options));
  NewRecord record = note("theirs", {{"x", 1}});
  record.external_id = record.session = "same";
  const NodeId theirs = must(other.add(record)).ids.at(0);
  record.content = "mine";
  const NodeId mine = add(record);
  BOOST_TEST(joined(contents_of(must(other.search({})))) == "theirs");
  BOOST_TEST(joined(contents_of(must(memory.search({})))) == "mine");
  BOOST_TEST(!must(memory.find(theirs)));
  BOOST_TEST(must(other.find("same")).value().content == "theirs");
  BOOST_TEST(!must(other.remove(mine)));
  BOOST_TEST(!must(other.update(mine, {})));
}

BOOST_AUTO_TEST_CASE(an_index_of_another_kind_under_the_name_of_the_vectors_is_refused) {
  for (const std::string index : {"FULLTEXT INDEX memory_embedding FOR (m:M) ON EACH [m.a]",
                                  "INDEX memory_embedding FOR (m:M) ON (m.a)"}) {
    test::TemporaryDatabase other;
    test::run_all(*other, {"CREATE " + index});
    const auto opened = Memory::open(*other);
    BOOST_REQUIRE(!opened);
    BOOST_TEST((opened.error().code == ErrorCode::invalid_argument));
    BOOST_TEST(opened.error().message.find("is not a vector index") != std::string::npos);
  }
}

BOOST_AUTO_TEST_CASE(an_embedder_of_another_dimension_is_refused) {
  add("n", {});
  MemoryOptions options;
  options.embedder = make_hashing_embedder(64);
  const auto opened = Memory::open(*database, options);
  BOOST_REQUIRE(!opened);
  BOOST_TEST(opened.error().message.find("dimension 256") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::memory
