// The memory calls in the language: what each takes, gives and refuses.

#include "tests/query/memory/support.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/memory/memory.hpp>
#include <cairn/statement.hpp>
#include <cairn/value_as.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

namespace cairn::test {
namespace {

struct MemoryProcedures {
  TemporaryDatabase database;

  std::string result(std::string_view statement, const Parameters& parameters = {},
                     const StatementOptions& options = {}) {
    return result_of(*database, statement, parameters, options);
  }
  Error error(std::string_view statement) { return error_of(*database, statement); }

  /// Three records: two notes and a task.
  void add_some() {
    result(
        "CALL memory.add([{content: 'Ada drinks green tea', external_id: 'tea', session: 's1', "
        "metadata: {user: 'ada', importance: 8, tags: ['drink']}}, "
        "{content: 'Bob drinks coffee', metadata: {user: 'bob', importance: 3}}, "
        "{kind: 'task', content: 'buy tea', metadata: {title: 'shopping', status: 'pending', "
        "priority: 'low', agentId: {namespace: 'agent', type: 'agent', id: 'a'}}}])");
  }
};

bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(memory_procedures, MemoryProcedures)

BOOST_AUTO_TEST_CASE(what_is_added_is_found_by_every_way) {
  BOOST_TEST(result("CALL memory.add({content: 'Ada drinks tea', external_id: 'tea', metadata: "
                    "{user: 'ada'}}) YIELD id, external_id RETURN id >= 0, external_id") ==
             "true | 'tea'");
  BOOST_TEST(result("CALL memory.find({external_id: 'tea'}) YIELD record RETURN record.content, "
                    "record.kind, record.metadata.user, record.is_deleted") ==
             "'Ada drinks tea' | 'note' | 'ada' | false");
  BOOST_TEST(result("CALL memory.search({filter: {field: 'user', operator: 'equals', value: "
                    "'ada'}}) YIELD records, total, has_next_page RETURN "
                    "records[0].external_id, total, has_next_page") == "'tea' | 1 | false");
  BOOST_TEST(result("CALL memory.recall({query: 'who drinks tea'}) YIELD record, score, stage "
                    "RETURN record.external_id, score > 0, stage") == "'tea' | true | 'asked'");
  BOOST_TEST(result("CALL memory.recall({query: 'tea', strategy: 'vector'}) YIELD record RETURN "
                    "record.external_id") == "'tea'");
  BOOST_TEST(result("MATCH (m:Memory:Note) RETURN m.content") == "'Ada drinks tea'");
}

// One implementation: a program of the library sees the same record.
BOOST_AUTO_TEST_CASE(the_typed_calls_of_a_program_see_the_same) {
  add_some();
  memory::Memory memory = must(memory::Memory::open(*database));
  const auto record = must(memory.find("tea"));
  BOOST_REQUIRE(record.has_value());
  BOOST_TEST(record->content == "Ada drinks green tea");
  BOOST_TEST(record->field("sessionId").as_string() == "s1");
  must(memory.add(memory::note("by the program")));
  BOOST_TEST(result("CALL memory.search({kinds: 'note'}) YIELD total RETURN total") == "3");
}

BOOST_AUTO_TEST_CASE(a_text_is_remembered_in_chunks_with_what_is_in_it) {
  BOOST_TEST(result("CALL memory.remember({content: $text, chunk_size: 40, chunk_overlap: 10, "
                    "external_id: 'doc', nodes: [{kind: 'entity', content: 'Ada'}]}) "
                    "YIELD chunks, nodes RETURN size(chunks) > 2, size(nodes)",
                    {{"text",
                      "one two three four five six seven eight nine ten eleven twelve "
                      "thirteen fourteen fifteen sixteen"}}) == "true | 1");
  BOOST_TEST(result("MATCH (n:Memory)-[:MENTIONS]->(e:Entity) RETURN e.content") == "'Ada'");
}

BOOST_AUTO_TEST_CASE(pages_and_totals) {
  add_some();
  BOOST_TEST(result("CALL memory.search({limit: 2, sort_by: 'importance', descending: true}) YIELD "
                    "records, total, has_next_page RETURN size(records), records[0].content, "
                    "total, has_next_page") == "2 | 'Ada drinks green tea' | 3 | true");
  BOOST_TEST(result("CALL memory.search({limit: 0}) YIELD records, total RETURN size(records), "
                    "total") == "0 | 3");
  BOOST_TEST(result("CALL memory.search() YIELD total") == "3");
  BOOST_TEST(result("CALL memory.search({where: 'm.importance > $least', parameters: {least: 5}}) "
                    "YIELD total") == "1");
  // The numbers of JavaScript.
  BOOST_TEST(result("CALL memory.search({limit: 1.0}) YIELD records RETURN size(records)") == "1");
}

BOOST_AUTO_TEST_CASE(typed_lists) {
  add_some();
  BOOST_TEST(result("CALL memory.list({of: 'tasks', status: 'pending', agent: 'agent:agent:a'}) "
                    "YIELD records, total RETURN records[0].metadata.title, total") ==
             "'shopping' | 1");
  BOOST_TEST(result("CALL memory.list({of: 'tasks', status: 'done'}) YIELD total") == "0");
  result(
      "CALL memory.add({kind: 'episode', content: '[ethr] why', metadata: {query: '[ethr] why', "
      "reward: 0.5, reflection: 'x', tags: ['drift']}})");
  BOOST_TEST(result("CALL memory.list({of: 'episodes', tags: 'drift'}) YIELD total") == "1");
  BOOST_TEST(error("CALL memory.list({of: 'episodes', limit: 101})").message ==
             "limit must be between 1 and 100");
  BOOST_TEST(holds(error("CALL memory.list({})").message, "needs `of`"));
  BOOST_TEST(holds(error("CALL memory.list({of: 'taks'})").message, "must be one of messages"));
}

BOOST_AUTO_TEST_CASE(updates_by_name_and_by_selection) {
  add_some();
  BOOST_TEST(result("CALL memory.update({external_id: 'tea', changes: {importance: 9}, unset: "
                    "'tags'}) YIELD matched, changed, record RETURN matched, size(changed), "
                    "record.metadata.importance, record.metadata.tags") == "1 | 1 | 9 | null");
  BOOST_TEST(result("CALL memory.update({external_id: 'none', changes: {a: 1}}) YIELD matched, "
                    "record") == "0 | null");
  const std::string all =
      "selection: {filter: {field: 'importance', operator: 'exists'}}, changes: {seen: true}";
  BOOST_TEST(result("CALL memory.update({dry_run: true, " + all +
                    "}) YIELD matched, changed RETURN matched, size(changed)") == "2 | 2");
  BOOST_TEST(result("MATCH (m:Memory {seen: true}) RETURN count(m)") == "0");
  BOOST_TEST(result("CALL memory.update({" + all + "}) YIELD matched") == "2");
  BOOST_TEST(result("MATCH (m:Memory {seen: true}) RETURN count(m)") == "2");
  BOOST_TEST(
      holds(error("CALL memory.update({changes: {a: 1}})").message, "needs exactly one of these"));
  BOOST_TEST(
      holds(error("CALL memory.update({external_id: 'tea', changes: {content: 'x'}})").message,
            "is a part of the record itself"));
}

BOOST_AUTO_TEST_CASE(an_update_without_a_change_names_the_fields_to_give) {
  add_some();
  const std::string message =
      "memory.update() needs what to change: `changes`, a map of fields and their new values; "
      "`unset`, a list of fields to remove; `content`, a new text; or `expires_at: "
      "'never'`, which removes the lifetime";
  for (const char* request :
       {"external_id: 'tea'", "external_id: 'tea', changes: null",
        "external_id: 'tea', merge: true", "external_id: 'tea', keep_earlier: true",
        "selection: {kinds: ['note']}", "selection: {kinds: ['note']}, dry_run: true"})
    BOOST_TEST(error("CALL memory.update({" + std::string(request) + "})").message == message);
  // Programs pass maps and lists that happen to be empty.
  BOOST_TEST(
      result("CALL memory.update({external_id: 'tea', changes: {}, unset: []}) YIELD matched, "
             "changed") == "1 | []");
}

BOOST_AUTO_TEST_CASE(forgetting_hides_restores_and_erases) {
  add_some();
  BOOST_TEST(result("CALL memory.forget({external_id: 'tea'})") == "1 | 1");
  BOOST_TEST(result("CALL memory.find({external_id: 'tea'}) YIELD record RETURN record.id") == "");
  BOOST_TEST(result("CALL memory.find({external_id: 'tea', include_deleted: true}) YIELD record "
                    "RETURN record.is_deleted") == "true");
  BOOST_TEST(result("CALL memory.restore({external_id: 'tea'})") == "1");
  BOOST_TEST(result("CALL memory.forget({selection: {kinds: 'note'}, dry_run: true})") == "2 | 0");
  BOOST_TEST(result("CALL memory.forget({selection: {kinds: 'note'}, erase: true})") == "2 | 2");
  BOOST_TEST(result("CALL memory.restore({external_id: 'tea'})") == "0");
  BOOST_TEST(result("MATCH (m:Memory) RETURN count(m)") == "1");
  BOOST_TEST(holds(error("CALL memory.forget({selection: {}})").message, "every_record"));
  BOOST_TEST(result("CALL memory.forget({selection: {}, every_record: true})") == "1 | 1");
}

// A misspelt field selects nothing, which looks like a success.
BOOST_AUTO_TEST_CASE(a_selection_to_forget_warns_of_a_field_that_no_record_has) {
  add_some();
  for (const char* how : {"dry_run: true", "erase: true", "time_to_live: '30d'"}) {
    Rows rows = must(execute(
        *database,
        std::string(
            "CALL memory.forget({selection: {filter: {field: 'usr', operator: 'exists'}}, ") +
            how + "})"));
    static_cast<void>(must(rows.all()));
    BOOST_REQUIRE(!rows.warnings().empty());
    BOOST_TEST(holds(rows.warnings().front(), "did you mean user"), rows.warnings().front());
  }
}

BOOST_AUTO_TEST_CASE(a_lifetime_has_the_units_of_ages_and_of_iso_8601) {
  const auto days = [&](const std::string& lifetime) {
    result("CALL memory.add({external_id: 'x', content: 'x', time_to_live: " + lifetime + "})");
    const std::string shown = result(
        "MATCH (n {content: 'x'}) RETURN toInteger(round(duration.inSeconds(n@created_at, "
        "n@expires_at).seconds / 8640.0)) / 10.0");
    result("CALL memory.forget({external_id: 'x', erase: true})");
    return shown;
  };
  for (const char* month : {"'30d'", "'P30D'", "'1mo'", "'P1M'", "duration('P30D')", "2592000"})
    BOOST_TEST(days(month) == "30.0", month);
  for (const char* half : {"'12h'", "'PT12H'"}) BOOST_TEST(days(half) == "0.5", half);
  BOOST_TEST(days("'2w'") == "14.0");
  BOOST_TEST(days("'1.5d'") == "1.5");
  BOOST_TEST(days("'P1Y'") == days("'1y'"));
}

BOOST_AUTO_TEST_CASE(forgetting_later) {
  add_some();
  StatementOptions later;
  later.now = *to_instant(Value("2200-01-01T00:00:00Z"));
  BOOST_TEST(result("CALL memory.forget({external_id: 'tea', time_to_live: '30d'})") == "1 | 1");
  BOOST_TEST(result("CALL memory.search() YIELD total") == "3");
  BOOST_TEST(result("CALL memory.search() YIELD total", {}, later) == "2");
  BOOST_TEST(holds(error("CALL memory.forget({external_id: 'tea', time_to_live: 'soon'})").message,
                   "a text such as '30d'"));
  BOOST_TEST(
      result("CALL memory.forget({external_id: 'tea', expires_at: '2000-01-01T00:00:00Z'})") ==
      "1 | 1");
  BOOST_TEST(result("CALL memory.search() YIELD total") == "2");
  BOOST_TEST(
      holds(error("CALL memory.forget({external_id: 'tea', erase: true, time_to_live: 5})").message,
            "either erases records now or lets them expire"));
}

// Drivers pass null for a parameter that is not set.
BOOST_AUTO_TEST_CASE(a_null_lifetime_does_not_hide_at_once) {
  add_some();
  for (const char* name : {"expires_at", "time_to_live"})
    BOOST_TEST(error("CALL memory.forget({external_id: 'tea', " + std::string(name) + ": null})")
                   .message == "`" + std::string(name) +
                                   "` of memory.forget() must be a lifetime, or left out to hide "
                                   "the records now, got null");
  BOOST_TEST(result("CALL memory.search() YIELD total") == "3");
  BOOST_TEST(result("CALL memory.forget({external_id: 'tea', erase: true, expires_at: null})") ==
             "1 | 1");
}

// A role that may write, and not forget, must not let records expire.
BOOST_AUTO_TEST_CASE(an_update_removes_a_lifetime_and_sets_none) {
  add_some();
  StatementOptions later;
  later.now = *to_instant(Value("2200-01-01T00:00:00Z"));
  const auto found_later = [&] { return result("CALL memory.search() YIELD total", {}, later); };
  result("CALL memory.forget({external_id: 'tea', time_to_live: '30d'})");
  BOOST_TEST(found_later() == "2");
  BOOST_TEST(result("CALL memory.update({external_id: 'tea', changes: {importance: 3}, expires_at: "
                    "null}) YIELD matched") == "1");
  BOOST_TEST(found_later() == "2");
  BOOST_TEST(result("CALL memory.update({external_id: 'tea', expires_at: 'never'}) YIELD matched, "
                    "changed RETURN matched, size(changed)") == "1 | 1");
  BOOST_TEST(found_later() == "3");
  result("CALL memory.forget({selection: {kinds: ['note']}, time_to_live: '30d'})");
  BOOST_TEST(result("CALL memory.update({selection: {kinds: ['note']}, expires_at: 'never'}) YIELD "
                    "matched") == "2");
  BOOST_TEST(found_later() == "3");
  BOOST_TEST(
      holds(error("CALL memory.update({external_id: 'tea', expires_at: '2100-01-01'})").message,
            "must be 'never', which removes a lifetime; memory.forget() sets one"));
  BOOST_TEST(holds(error("CALL memory.update({external_id: 'tea', time_to_live: 5})").message,
                   "no option `time_to_live`"));
}

BOOST_AUTO_TEST_CASE(only_a_lifetime_that_is_there_is_removed) {
  add_some();
  const char* one =
      "CALL memory.update({external_id: 'tea', expires_at: 'never'}) YIELD changed "
      "RETURN size(changed)";
  const char* all =
      "CALL memory.update({selection: {}, expires_at: 'never'}) YIELD matched, "
      "changed RETURN matched, size(changed)";
  BOOST_TEST(result(one) == "0");
  BOOST_TEST(result(all) == "3 | 0");
  result("CALL memory.forget({external_id: 'tea', time_to_live: '30d'})");
  BOOST_TEST(result(all) == "3 | 1");
  result("CALL memory.forget({external_id: 'tea', time_to_live: '30d'})");
  BOOST_TEST(result(one) == "1");
}

// A field of such a name would be stored, and do nothing of what it says.
BOOST_AUTO_TEST_CASE(a_lifetime_and_an_external_id_are_no_fields) {
  add_some();
  const auto is = [&](const char* statement, std::string_view message) {
    BOOST_TEST(error(statement).message == message, statement << error(statement).message);
  };
  is("CALL memory.add({content: 'x', metadata: {expires_at: '2099-12-31'}})",
     "`metadata` of memory.add() cannot have a field `expires_at`: give the lifetime beside "
     "`metadata`, as `expires_at` or `time_to_live`");
  is("CALL memory.remember({content: 'x', metadata: {external_id: 'y'}})",
     "`metadata` of memory.remember() cannot have a field `external_id`: give `external_id` beside "
     "`metadata`");
  const char* no_field =
      "memory.update() does not change `expires_at` as a field: `expires_at: 'never'` beside "
      "`changes` removes a lifetime, and memory.forget() sets one";
  is("CALL memory.update({external_id: 'tea', changes: {expires_at: 'never'}})", no_field);
  is("CALL memory.update({external_id: 'tea', unset: ['expires_at']})", no_field);
  is("CALL memory.update({external_id: 'tea', changes: {external_id: 'coffee'}})",
     "memory.update() cannot change the external id of a record, which is set when the record is "
     "added; to choose the "
     "record by it, put `external_id` beside `changes`");
}

BOOST_AUTO_TEST_CASE(a_request_that_lacks_something_says_what_to_give) {
  add_some();
  for (const char* nothing : {"{}", "{query: ''}", "{limit: 3}"})
    BOOST_TEST(error("CALL memory.recall(" + std::string(nothing) + ")").message ==
               "memory.recall() needs `query`, a question as text, or `vector`; memory.search() "
               "finds records by conditions alone");
  BOOST_TEST(
      error("CALL memory.recall({query: 'tea', expand: 'group'})").message ==
      "`expand` of memory.recall() must be context or session (session is the whole group of "
      "a hit), got 'group'");
  const std::pair<const char*, const char*> calls[] = {
      {"CALL memory.recall({text: 'tea'})", "`text`; did you mean `query`?"},
      {"CALL memory.recall({query: 'tea', groups: ['s']})", "`groups`; did you mean `session`?"},
      {"CALL memory.add({text: 'tea'})", "`text`; did you mean `content`?"},
      {"CALL memory.add({content: 'tea', ttl: '1d'})", "`ttl`; did you mean `time_to_live`?"},
      {"CALL memory.update({external_id: 'tea', metadata: {}})", "did you mean `changes`?"}};
  for (const auto& [statement, part] : calls)
    BOOST_TEST(holds(error(statement).message, part), statement << error(statement).message);
}

BOOST_AUTO_TEST_CASE(never_is_a_lifetime_only_of_an_update) {
  add_some();
  BOOST_TEST(holds(error("CALL memory.add({content: 'x', expires_at: 'never'})").message,
                   "(leave it out for a record that never expires), got 'never'"));
  for (const char* name : {"expires_at", "time_to_live"})
    BOOST_TEST(error("CALL memory.forget({external_id: 'tea', erase: true, " + std::string(name) +
                     ": 'never'})")
                   .message ==
               "memory.forget() sets a lifetime and removes none; memory.update() "
               "with `expires_at: 'never'` does");
  BOOST_TEST(result("CALL memory.search() YIELD total") == "3");
}

BOOST_AUTO_TEST_CASE(history_and_description) {
  add_some();
  BOOST_TEST(
      result("CALL memory.history({external_id: 'tea'}) YIELD event RETURN collect(event)") ==
      "['created']");
  result("CALL db.rules.put('tea', 'tea', ['hot'])");
  result("CALL db.rules.apply()");
  result("CALL memory.forget({external_id: 'tea'})");
  BOOST_TEST(result("CALL memory.history({external_id: 'tea', include_deleted: true}) "
                    "YIELD event, detail WHERE event = 'tagged' RETURN detail.tags") == "['hot']");
  const std::string told =
      result("CALL memory.describe() YIELD what, name, count RETURN what, name, count");
  for (const char* part : {"'records' | null | 2", "'kind' | 'note' | 1", "'kind' | 'task' | 1",
                           "'key' | 'importance' | 1", "'key' | 'status' | 1"})
    BOOST_TEST(holds(told, part), told);
  BOOST_TEST(holds(result("CALL memory.describe({field: 'user'})"), "'value' | 'bob' | 1"));
}

// The keys are those of the selection, and each is the field by which a filter finds it.
BOOST_AUTO_TEST_CASE(a_description_has_the_keys_of_its_selection) {
  result(
      "CALL memory.add([{content: 'x', metadata: {`a.b`: 1, aa: 2, m: {`x.y`: 3}}}, "
      "{content: 'y', kind: 'log', metadata: {a: {b: 7}, zz: 1}}])");
  const std::string keys =
      "YIELD what, name, count WHERE what STARTS WITH 'key' AND NOT name IN "
      "['created_at', 'updated_at', 'schemaVersion'] RETURN name, count";
  BOOST_TEST(result("CALL memory.describe({kinds: ['log'], limit: 2}) YIELD what, name, count "
                    "WHERE what STARTS WITH 'key' RETURN name, count") ==
             "null | 5; 'a' | 1; 'created_at' | 1");
  BOOST_TEST(result("CALL memory.describe({nested: true}) " + keys) ==
             "'[\\'a.b\\']' | 1; 'a' | 1; 'a.b' | 1; 'aa' | 1; 'm' | 1; 'm[\\'x.y\\']' | 1; "
             "'zz' | 1");
}

BOOST_AUTO_TEST_CASE(unknown_names_tell_the_nearest_and_wrong_types_what_is_wanted) {
  BOOST_TEST(error("CALL memory.search({kindz: 'note'})").message ==
             "memory.search() has no option `kindz`; did you mean `kinds`?");
  BOOST_TEST(error("CALL memory.add({contnt: 'x'})").message ==
             "memory.add() has no option `contnt`; did you mean `content`?");
  BOOST_TEST((error("CALL memory.add({contnt: 'x'})").code == ErrorCode::invalid_argument));
  BOOST_TEST(error("CALL memory.search({limit: 'ten'})").message ==
             "`limit` of memory.search() must be a whole number of 0 or more, got 'ten'");
  BOOST_TEST((error("CALL memory.search({limit: -1})").code == ErrorCode::type_error));
  for (const char* wrong :
       {"CALL memory.search(5)", "CALL memory.search({kinds: [1]})", "CALL memory.add('text')",
        "CALL memory.add([{content: 1}])", "CALL memory.add({metadata: []})",
        "CALL memory.recall({query: 'x', vector: 'y'})",
        "CALL memory.recall({query: 'x', strategy: 'magic'})",
        "CALL memory.recall({query: 'x', boosts: {a: 'b'}})", "CALL memory.find({id: 'x'})",
        "CALL memory.list({of: 'tasks', agent: 'ada'})", "CALL memory.add({expires_at: 'never'})",
        "CALL memory.forget({selection: []})"})
    BOOST_TEST((error(wrong).code == ErrorCode::type_error), wrong << ": " << error(wrong).message);
  BOOST_TEST(
      holds(error("CALL memory.recal({query: 'x'})").message, "did you mean memory.recall()"));
  BOOST_TEST(error("CALL memory.add()").message ==
             "memory.add(records, options?) takes 1 to 2 arguments, got 0");
}

BOOST_AUTO_TEST_CASE(the_schema_warns_or_refuses) {
  BOOST_TEST(result("CALL memory.add({content: 'x'}, {mode: 'strict'}) YIELD external_id") ==
             "null");
  BOOST_TEST(result("MATCH (m:Memory) RETURN m.schemaVersion") == "'1.0.0'");
  const std::string task = "{kind: 'task', content: 'x', metadata: {status: 'odd'}}";
  Rows warned = must(execute(*database, "CALL memory.add(" + task + ")"));
  must(warned.all());
  BOOST_TEST(!warned.warnings().empty());
  BOOST_TEST((error("CALL memory.add(" + task + ", {mode: 'strict'})").code ==
              ErrorCode::invalid_argument));
  Rows open = must(execute(*database, "CALL memory.add(" + task + ", {mode: 'open'})"));
  must(open.all());
  BOOST_TEST(open.warnings().empty());
}

// What the vectors were made by is in another program.
BOOST_AUTO_TEST_CASE(a_memory_of_another_model_is_read_and_changed_but_gets_no_vectors) {
  {
    memory::Memory memory = memory::open_with_words(*database);
    must(memory.add(memory::note("red tea", {{"user", "ada"}})));
  }
  BOOST_TEST(result("CALL memory.search() YIELD total") == "1");
  Rows rows = must(execute(*database,
                           "CALL memory.recall({query: 'tea'}) YIELD record RETURN "
                           "record.content"));
  BOOST_TEST(must(rows.all()).size() == 1U);
  BOOST_REQUIRE(!rows.warnings().empty());
  BOOST_TEST(holds(rows.warnings().back(), "\"words\""));
  BOOST_TEST(result("CALL memory.recall({query: 'x', vector: [1.0, 0.0, 0.0], strategy: 'vector'}) "
                    "YIELD record RETURN record.content") == "'red tea'");
  Rows added = must(execute(*database, "CALL memory.add({content: 'green tea'})"));
  must(added.all());
  BOOST_REQUIRE(!added.warnings().empty());
  BOOST_TEST(holds(added.warnings().back(), "pending"));
  BOOST_TEST(holds(added.warnings().back(), "\"words\""));
  BOOST_TEST(
      result("CALL memory.describe() YIELD what, count WHERE what = 'pending' RETURN count") ==
      "1");
  BOOST_TEST(result("CALL memory.add({metadata: {only: 'fields'}}) YIELD external_id") == "null");
  BOOST_TEST(result("CALL memory.update({selection: {kinds: 'note'}, changes: {seen: true}}) YIELD "
                    "matched") == "3");
  BOOST_TEST(result("CALL memory.forget({selection: {kinds: 'note'}, erase: true})") == "3 | 3");
}

BOOST_AUTO_TEST_CASE(namespaces_are_apart) {
  StatementOptions acme;
  acme.name_space = "acme";
  result("CALL memory.add({content: 'of acme', external_id: 'x'})", {}, acme);
  BOOST_TEST(result("CALL memory.search() YIELD total") == "0");
  BOOST_TEST(result("CALL memory.find({external_id: 'x'})") == "");
  BOOST_TEST(result("CALL memory.find({external_id: 'x'}) YIELD record RETURN record.content", {},
                    acme) == "'of acme'");
  BOOST_TEST(result("CALL memory.recall({query: 'acme'})") == "");
  BOOST_TEST(result("CALL memory.add({content: 'of all', external_id: 'x'}) YIELD external_id") ==
             "'x'");
  BOOST_TEST(result("CALL memory.forget({external_id: 'x', erase: true})", {}, acme) == "1 | 1");
  BOOST_TEST(result("CALL memory.search() YIELD total") == "1");
}

BOOST_AUTO_TEST_CASE(a_hidden_record_does_not_hide_one_of_a_namespace_that_is_read_too) {
  StatementOptions acme;
  acme.name_space = "acme";
  result("CALL memory.add({content: 'of all', external_id: 'm'})");
  result("CALL memory.add({content: 'own', external_id: 'm'})", {}, acme);
  acme.also_read = {""};
  const std::string find =
      "CALL memory.find({external_id: 'm'}) YIELD record RETURN record.content";
  BOOST_TEST(result(find, {}, acme) == "'own'");
  result("CALL memory.forget({external_id: 'm'})", {}, acme);
  BOOST_TEST(result(find, {}, acme) == "'of all'");
  BOOST_TEST(
      result("CALL memory.find({external_id: 'm', include_deleted: true}) YIELD record RETURN "
             "record.content",
             {}, acme) == "'own'");
}

BOOST_AUTO_TEST_CASE(nothing_follows_an_empty_page) {
  result("CALL memory.add([{content: 'green tea'}, {content: 'black tea'}, {content: 'milk'}])");
  int pages = 0;
  for (std::string more = "true"; more == "true" && pages < 10; ++pages)
    more =
        result("CALL memory.search({query: 'tea', limit: 2, offset: " + std::to_string(2 * pages) +
               "}) YIELD has_next_page RETURN has_next_page");
  BOOST_TEST(pages < 10);
}

BOOST_AUTO_TEST_CASE(an_update_may_keep_the_text_before) {
  result("CALL memory.add({content: 'tea', external_id: 'm'})");
  result("CALL memory.update({external_id: 'm', content: 'coffee'})");
  result("CALL memory.update({external_id: 'm', content: 'water', keep_earlier: true})");
  BOOST_TEST(result("CALL memory.history({external_id: 'm'}) YIELD event, detail "
                    "WHERE event = 'replaced' RETURN collect(detail.content)") == "['coffee']");
  // One that is too large to be among them takes no other along.
  result("CALL memory.update({external_id: 'm', content: $large})",
         {{"large", std::string(300'000, 'x')}});
  result("CALL memory.update({external_id: 'm', content: 'tea', keep_earlier: true})");
  BOOST_TEST(result("CALL memory.history({external_id: 'm'}) YIELD event, detail "
                    "WHERE event = 'replaced' RETURN collect(detail.content)") == "['coffee']");
}

BOOST_AUTO_TEST_CASE(they_are_listed_and_yield_as_other_procedures) {
  BOOST_TEST(
      result("SHOW PROCEDURES YIELD name WHERE name STARTS WITH 'memory.' RETURN count(*)") ==
      "13");
  BOOST_TEST(result("SHOW PROCEDURES YIELD name, signature WHERE name = 'memory.add' RETURN "
                    "signature") == "'memory.add(records, options?)'");
  BOOST_TEST(result("UNWIND ['a', 'b'] AS text CALL memory.add({content: text}) YIELD id RETURN "
                    "count(id)") == "2");
  BOOST_TEST(result("CALL MEMORY.SEARCH() YIELD total AS n RETURN n") == "2");
  BOOST_TEST(
      holds(error("CALL memory.search() YIELD node RETURN node").message, "gives no column node"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
