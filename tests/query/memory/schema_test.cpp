#include "tests/support/graph_builder.hpp"

#include <cairn/memory/records.hpp>
#include <cairn/memory/schema.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

namespace cairn::memory {
namespace {

using test::must;

std::string refusal(const std::string& kind, Properties metadata) {
  const auto checked = Schema().check(kind, metadata, SchemaMode::strict);
  return checked ? "" : checked.error().message;
}

std::vector<std::string> warnings(const std::string& kind, Properties metadata) {
  return must(Schema().check(kind, metadata, SchemaMode::warn));
}

Properties task_metadata(const Properties& changes) {
  Properties metadata = task("", "t", "pending", "low", agent_id("a")).metadata;
  for (const auto& [name, value] : changes) metadata.insert_or_assign(name, value);
  return metadata;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(schema)

// M2.39: strict mode rejects records without schemaVersion, thread, agentId.
BOOST_AUTO_TEST_CASE(strict_mode_names_everything_that_is_missing) {
  BOOST_TEST(refusal("message", {{"role", "user"}}) ==
             "a message needs the field \"userId\"; a message needs the field \"agentId\"; a "
             "message needs the field \"chatId\"; a message needs the field \"thread\"; a message "
             "needs the field \"schemaVersion\"");
}

// M2.6, M2.7, M2.12
BOOST_AUTO_TEST_CASE(values_of_closed_words_are_enforced_and_those_of_open_ones_are_not) {
  BOOST_TEST(refusal("task", task_metadata({{"status", "done"}})) ==
             "field \"status\" of a task is 'done' and must be one of: pending, in_progress, "
             "completed, cancelled, failed");
  BOOST_TEST(refusal("task", task_metadata({{"priority", "normal"}})).find("low, medium, high") !=
             std::string::npos);
  Properties message_metadata =
      message("", "moderator", user_id("u"), agent_id("a"), chat_id("c"), {"t", 0, {}}).metadata;
  BOOST_TEST(refusal("message", message_metadata) == "");
  message_metadata["priority"] = "normal";
  BOOST_TEST(refusal("message", message_metadata) == "");
  message_metadata["communicationType"] = "shout";
  BOOST_TEST(refusal("message", message_metadata) != "");
}

// M2.3, M2.4, M2.5, M2.11, M2.13, M4.5
BOOST_AUTO_TEST_CASE(values_of_other_types_and_out_of_bounds_do_not_fit) {
  const auto problem = [](const char* name, const Value& value) {
    return refusal("task", task_metadata({{name, value}}));
  };
  BOOST_TEST(problem("dueDate", "tomorrow") ==
             "field \"dueDate\" of a task is 'tomorrow' and must be an ISO 8601 date or time");
  BOOST_TEST(problem("dueDate", "2026-02-14") == "");
  BOOST_TEST(problem("importance_score", 1.5) ==
             "field \"importance_score\" of a task is more than 1.0");
  BOOST_TEST(problem("importance", 8) == "");
  BOOST_TEST(problem("importance", "high") == "");
  BOOST_TEST(problem("schemaVersion", "1.0") != "");
  BOOST_TEST(problem("agentId", "agent") != "");
  BOOST_TEST(problem("attemptCount", 1.5) != "");
  BOOST_TEST(problem("tags", list_of({"a", 1})) != "");
  BOOST_TEST(problem("anything_else", map_of({{"a", 1}})) == "");
  BOOST_TEST(refusal("episode", {{"query", "q"}, {"reward", 2}, {"schemaVersion", "1.0.0"}}) ==
             "field \"reward\" of a episode is more than 1.0");
}

BOOST_AUTO_TEST_CASE(warn_mode_stores_and_tells_and_open_mode_says_nothing) {
  BOOST_TEST(warnings("note", {}).size() == 1U);
  Properties metadata;
  BOOST_TEST(must(Schema().check("note", metadata, SchemaMode::open)).empty());
  BOOST_TEST(warnings("recipe", {{"schemaVersion", "1.0.0"}}) ==
                 (std::vector<std::string>{"\"recipe\" is not a kind of the schema"}),
             boost::test_tools::per_element());
}

// M2.9: string or string[]; M4.8: tags are a set, in one Unicode form.
// M4.7: closed words that are not enforced
BOOST_AUTO_TEST_CASE(other_words_of_a_taxonomy_are_remarked_and_never_refused) {
  const Schema schema;
  const auto checked = [&](const char* word, SchemaMode mode) {
    Properties metadata{{"source_type", word}, {"schemaVersion", "1.0.0"}};
    return must(schema.check("insight", metadata, mode));
  };
  for (const char* word : {"self", "ethr", "shared", "relationship"})
    BOOST_TEST(checked(word, SchemaMode::strict).empty());
  BOOST_TEST(checked("other", SchemaMode::open).empty());
  for (const SchemaMode mode : {SchemaMode::warn, SchemaMode::strict}) {
    const auto remarks = checked("other", mode);
    BOOST_REQUIRE(remarks.size() == 1U);
    BOOST_TEST(remarks[0] ==
               "field \"source_type\" of a insight is 'other'; known words: self, ethr, shared, "
               "relationship");
  }
}

BOOST_AUTO_TEST_CASE(texts_become_lists_and_tags_sets) {
  Properties metadata = {{"relatedTo", "m1"},
                         {"tags", list_of({"Stil", "m\xC3\xBC", "Stil", "mu\xCC\x88"})}};
  BOOST_TEST(must(Schema().check("thought", metadata, SchemaMode::open)).empty());
  BOOST_TEST(metadata["relatedTo"].to_text() == "['m1']");
  BOOST_TEST(metadata["tags"].to_text() == "['Stil', 'm\xC3\xBC']");
}

// M2.4: "1.10.0" > "1.9.0"
BOOST_AUTO_TEST_CASE(versions_are_ordered_by_their_numbers) {
  BOOST_TEST((parse_version("1.10.0") > parse_version("1.9.0")));
  BOOST_TEST((parse_version("2.0.0") > parse_version("1.99.99")));
  for (const char* text :
       {"", "1", "1.0", "1.0.0.0", "01.0.0", "1.0.x", "v1.0.0", "1..0", "-1.0.0", "1.0.4294967296"})
    BOOST_TEST(!parse_version(text), text);
  BOOST_TEST(to_text(*parse_version(current_schema_version)) == "1.0.0");
}

// M2.41
BOOST_AUTO_TEST_CASE(upgrades_are_applied_one_after_the_other_by_version) {
  Schema schema;
  const auto step = [&](SchemaVersion from, SchemaVersion to, const char* name) {
    must(schema.add_upgrade({"note", from, to, [name](Properties& metadata) -> Status {
                               metadata.emplace(name, true);
                               return {};
                             }}));
  };
  step({1, 9, 0}, {1, 10, 0}, "second");
  step({0, 0, 0}, {1, 9, 0}, "first");
  Properties metadata;
  BOOST_TEST(must(schema.upgrade("note", metadata)) == 2U);
  BOOST_TEST(Value(metadata).to_text() == "{first: true, schemaVersion: '1.10.0', second: true}");
  BOOST_TEST(must(schema.upgrade("note", metadata)) == 0U);
  Properties other;
  BOOST_TEST(must(schema.upgrade("task", other)) == 0U);
}

BOOST_AUTO_TEST_CASE(upgrades_lead_forwards_and_are_unique) {
  Schema schema;
  const auto nothing = [](Properties&) -> Status { return {}; };
  BOOST_TEST(!schema.add_upgrade({"", {1, 0, 0}, {1, 0, 0}, nothing}));
  must(schema.add_upgrade({"", {1, 0, 0}, {1, 1, 0}, nothing}));
  BOOST_TEST(!schema.add_upgrade({"", {1, 0, 0}, {2, 0, 0}, nothing}));
  const auto empty = schema.add_upgrade({"", {3, 0, 0}, {4, 0, 0}, nullptr});
  BOOST_TEST((!empty && empty.error().code == ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_CASE(a_schema_is_open_to_more_kinds) {
  Schema schema;
  must(schema.add({"recipe", {{"servings", FieldType::whole_number, true}}}));
  Properties metadata = {{"schemaVersion", "1.0.0"}};
  BOOST_TEST(!schema.check("recipe", metadata, SchemaMode::strict));
  metadata["servings"] = 4;
  BOOST_TEST(schema.check("recipe", metadata, SchemaMode::strict).has_value());
  BOOST_TEST(!schema.add({"Recipe book", {}}));
  BOOST_TEST(schema.find_field("recipe", "tags") != nullptr);
  BOOST_TEST(schema.find_field("recipe", "title") == nullptr);
}

// M0.8 with the kinds of the common model
BOOST_AUTO_TEST_CASE(the_kinds_shipped_are_known) {
  const Schema schema;
  for (const char* kind :
       {"message", "thought", "reflection", "document", "task", "episode", "insight", "note",
        "decision", "reference", "entity", "chunk", "session", "summary"})
    BOOST_TEST(schema.find(kind) != nullptr, kind);
  BOOST_TEST(label_of("file_chunk") == "FileChunk");
}

BOOST_AUTO_TEST_CASE(importance_levels_have_numbers_only_when_asked_for) {
  BOOST_TEST(importance_of_level("low").value() == 0.25);
  BOOST_TEST(importance_of_level("critical").value() == 1.0);
  BOOST_TEST(!importance_of_level("urgent"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::memory
