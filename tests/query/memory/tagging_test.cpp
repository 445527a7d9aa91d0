#include "tests/query/memory/support.hpp"
#include "tests/support/run_query.hpp"

#include <boost/test/unit_test.hpp>

namespace cairn::memory {
namespace {

using test::must;

// The rules of source document 4, story 9.4 (M4.31, M4.32).
std::vector<TagRule> given_rules() {
  const std::vector<std::string> fields = {"query", "content"};
  return {{"self", R"(^\[self\])", {"self"}, {"query"}, {}},
          {"ethr", R"(^\[ethr\])", {"ethr"}, {"query"}, {}},
          {"shared", R"(^\[shared\])", {"shared"}, {"query"}, {}},
          {"relationship", R"(^\[relationship\])", {"relationship"}, {"query"}, {}},
          {"romance", "Dark Romance|Szene|Kira|Jan", {"dark-romance"}, fields, {}},
          {"drift", "Drift|Layer", {"drift"}, fields, {}},
          {"stil", "Stil|Anti-Pattern|aus-nicht-ueber|aesthetisieren", {"stil"}, fields, {}},
          {"pattern", "Validation|Soll ich|nachgefragt", {"pattern"}, fields, {}},
          {"memory", "cognitive-memory|MCP|hybrid_search", {"cognitive-memory"}, fields, {}}};
}

struct TaggingFixture : MemoryFixture {
  TaggingFixture() {
    for (const TagRule& rule : given_rules()) must(memory.put_tag_rule(rule));
    first = add(episode("[self] Drift im Stil", 0.5, "", {"hand-made", "drift"}));
    second = add(episode("[ethr] Szene mit Jan", 0.1, ""));
    third = add(insight("hybrid_search ist probabilistisch"));
    fourth = add(insight("Nichts davon"));
  }
  std::string tags(NodeId id) {
    const Record record = get(id);
    return record.field("tags").to_text();
  }
  NodeId first, second, third, fourth;
};

std::string text_of(const TagRun& run) {
  std::string text;
  for (const TagRuleCount& count : run.rules)
    if (count.matched > 0)
      text += count.rule + " " + std::to_string(count.matched) + "/" +
              std::to_string(count.newly_tagged) + ", ";
  return text + std::to_string(run.matched) + " of " + std::to_string(run.records);
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(tagging, TaggingFixture)

// M4.33, R.14: the union with hand-made tags; M4.34, M4.35, M4.37, M4.40
BOOST_AUTO_TEST_CASE(rules_add_to_the_tags_that_are_there) {
  const TagRun run = must(memory.apply_tag_rules());
  BOOST_TEST(tags(first) == "['hand-made', 'drift', 'self', 'stil']");
  BOOST_TEST(tags(second) == "['ethr', 'dark-romance']");
  BOOST_TEST(tags(third) == "['cognitive-memory']");
  BOOST_TEST(tags(fourth) == "[]");
  BOOST_TEST(text_of(run) ==
             "drift 1/0, ethr 1/1, memory 1/1, romance 1/1, self 1/1, stil 1/1, 3 of 4");
}

// M4.38: the dry run returns the difference and writes nothing
BOOST_AUTO_TEST_CASE(a_dry_run_tells_everything_and_writes_nothing) {
  const std::uint64_t commits = must(database->statistics()).commits;
  const TagRun dry = must(memory.apply_tag_rules({}, {.dry_run = true}));
  BOOST_TEST(must(database->statistics()).commits == commits);
  BOOST_TEST(tags(second) == "[]");
  BOOST_TEST(!dry.id.has_value());
  const TagRun real = must(memory.apply_tag_rules());
  BOOST_REQUIRE(dry.changes.size() == real.changes.size());
  for (std::size_t i = 0; i < dry.changes.size(); ++i) {
    BOOST_TEST((dry.changes[i].id == real.changes[i].id));
    BOOST_TEST(joined(dry.changes[i].added) == joined(real.changes[i].added));
  }
  BOOST_TEST(text_of(dry) == text_of(real));
}

// M4.39: a second run changes 0
BOOST_AUTO_TEST_CASE(a_second_run_changes_nothing) {
  must(memory.apply_tag_rules());
  const std::uint64_t commits = must(database->statistics()).commits;
  const TagRun again = must(memory.apply_tag_rules());
  BOOST_TEST(again.changes.empty());
  BOOST_TEST(!again.id.has_value());
  BOOST_TEST(text_of(again) ==
             "drift 1/0, ethr 1/0, memory 1/0, romance 1/0, self 1/0, stil 1/0, 3 of 4");
  BOOST_TEST(must(database->statistics()).commits == commits);
}

BOOST_AUTO_TEST_CASE(a_run_can_be_undone_once) {
  const TagRun run = must(memory.apply_tag_rules());
  Update update;
  update.changes = {{"tags", list_of({"ethr", "dark-romance", "later"})}};
  must(memory.update(second, update));
  BOOST_TEST(must(memory.undo_tag_run(*run.id)) == 3U);
  BOOST_TEST(tags(first) == "['hand-made', 'drift']");
  BOOST_TEST(tags(second) == "['later']");
  BOOST_TEST(get(third).field("tags").is_null());
  BOOST_TEST(!memory.undo_tag_run(*run.id));
  BOOST_TEST(!memory.undo_tag_run(first));
  BOOST_TEST(must(memory.apply_tag_rules({}, {.dry_run = true})).changes.size() == 3U);
  BOOST_TEST(must(database->check()).empty());
}

BOOST_AUTO_TEST_CASE(a_run_undoes_only_what_it_did_itself) {
  const TagRun run = must(memory.apply_tag_rules());
  test::run_all(*database,
                {"MATCH (r:MemoryTagRun), (n) WHERE id(n) = " + std::to_string(first.value) +
                 " CREATE (r)-[:SEEN {tags: ['hand-made']}]->(n), (n)-[:SEEN]->(r)"});
  BOOST_TEST(must(memory.undo_tag_run(*run.id)) == 3U);
  BOOST_TEST(tags(first) == "['hand-made', 'drift']");
  BOOST_TEST(must(database->check()).empty());
}

// M4.30: named rules, stored in the database
BOOST_AUTO_TEST_CASE(rules_are_kept_by_name) {
  const TagRule changed{"drift", "(?i)DRIFT", {"d", "d"}, {"content"}, {"insight"}};
  must(memory.put_tag_rule(changed));
  BOOST_TEST(must(memory.erase_tag_rule("self")));
  BOOST_TEST(!must(memory.erase_tag_rule("self")));
  database.reopen();
  Memory reopened = open(test_now);
  const auto rules = must(reopened.tag_rules());
  BOOST_TEST(rules.size() == 8U);
  BOOST_TEST(rules[0].name == "drift");
  BOOST_TEST(rules[0].pattern == "(?i)DRIFT");
  BOOST_TEST(joined(rules[0].tags) == "d");
  BOOST_TEST(joined(rules[0].kinds) == "insight");
  memory = std::move(reopened);
}

// M4.32: no word borders unless asked for
BOOST_AUTO_TEST_CASE(a_short_name_is_found_in_longer_words_unless_words_are_asked_for) {
  const NodeId long_word = add("Der Januar war kalt", {});
  must(memory.apply_tag_rules());
  BOOST_TEST(tags(long_word) == "['dark-romance']");
  must(memory.put_tag_rule({"romance", R"(\bJan\b)", {"words"}}));
  SearchRequest selection;
  selection.where = "m.content CONTAINS 'Januar'";
  BOOST_TEST(must(memory.apply_tag_rules(selection)).records == 1U);
  BOOST_TEST(tags(long_word) == "['dark-romance']");
}

// M0.33: an invalid pattern is an error
BOOST_AUTO_TEST_CASE(rules_that_cannot_work_are_refused) {
  BOOST_TEST(!memory.put_tag_rule({"r", "a)|(b", {"t"}}));
  BOOST_TEST(!memory.put_tag_rule({"r", "(", {"t"}}));
  BOOST_TEST(!memory.put_tag_rule({"", "a", {"t"}}));
  BOOST_TEST(!memory.put_tag_rule({"r", "a", {}}));
  BOOST_TEST(!memory.put_tag_rule({"r", "a", {"t"}, {}}));
}

BOOST_AUTO_TEST_CASE(a_pattern_is_found_over_lines_and_in_lists) {
  const NodeId lines = add("first\nSoll ich?\nlast", {});
  const NodeId list = add("n", {{"query", list_of({"x", "Layer 2"})}});
  must(memory.apply_tag_rules());
  BOOST_TEST(tags(lines) == "['pattern']");
  BOOST_TEST(tags(list) == "['drift']");
}

// What follows \Q is quoted to the end of the pattern, and no further.
BOOST_AUTO_TEST_CASE(a_pattern_may_end_in_quoted_text) {
  must(memory.put_tag_rule({"quoted", R"(\Q(c++))", {"code"}}));
  const NodeId quoted = add("written in (c++) code", {});
  must(memory.apply_tag_rules());
  BOOST_TEST(tags(quoted) == "['code']");
}

// M2.35: hidden records are not tagged
BOOST_AUTO_TEST_CASE(hidden_records_are_left_alone) {
  must(memory.remove(first));
  BOOST_TEST(must(memory.apply_tag_rules()).records == 3U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::memory
