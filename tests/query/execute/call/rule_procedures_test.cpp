// M4.30 to M4.40 through the language: rules are stored, tried, applied and undone by CALL.

#include "tests/query/memory/support.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/memory/memory.hpp>

#include <boost/test/unit_test.hpp>

namespace cairn::memory {
namespace {

using test::must;

struct RuleFixture : MemoryFixture {
  RuleFixture() {
    run("CALL db.rules.put('self', '^\\\\[self\\\\]', ['self'], {fields: ['query']})");
    run("CALL db.rules.put('drift', 'Drift|Layer', 'drift', {fields: ['query', 'content']})");
    first = add(episode("[self] Drift im Stil", 0.5, "", {"hand-made", "drift"}));
    second = add(insight("Layer fuer Layer"));
    add(insight("Nichts davon"));
  }

  // The rows as text, each on a line.
  std::string run(const std::string& text) {
    Rows rows = must(execute(*database, text));
    std::string all;
    while (const auto row = must(rows.next())) {
      for (const Value& value : *row) all += value.to_text() + " ";
      all += "\n";
    }
    changes = rows.changes();
    return all;
  }
  std::string error(const std::string& text) {
    auto rows = execute(*database, text);
    if (!rows) return rows.error().message;
    const auto row = rows->next();
    return row ? "no error" : row.error().message;
  }
  std::string tags(NodeId id) { return get(id).field("tags").to_text(); }

  Changes changes;
  NodeId first, second;
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(rule_procedures, RuleFixture)

// M4.30 to M4.32
BOOST_AUTO_TEST_CASE(rules_are_stored_under_their_names_and_seen_by_the_memory_calls) {
  BOOST_TEST(run("CALL db.rules.list() YIELD name, tags, fields RETURN name, tags, fields") ==
             "'drift' ['drift'] ['query', 'content'] \n'self' ['self'] ['query'] \n");
  BOOST_TEST(must(memory.tag_rules()).size() == 2U);
  run("CALL db.rules.put('drift', '(?i)drift', ['drift', 'slow'])");
  BOOST_TEST(run("CALL db.rules.list() YIELD name, pattern, tags WHERE name = 'drift' "
                 "RETURN pattern, tags") == "'(?i)drift' ['drift', 'slow'] \n");
  run("CALL db.rules.drop('drift')");
  BOOST_TEST(changes.nodes_deleted == 1U);
  BOOST_TEST(must(memory.tag_rules()).size() == 1U);
}

// M4.38
BOOST_AUTO_TEST_CASE(a_preview_gives_the_difference_and_writes_nothing) {
  BOOST_TEST(run("CALL db.rules.preview() YIELD node, tags RETURN id(node) = " +
                 std::to_string(second.value) + ", tags ORDER BY tags") ==
             "true ['drift'] \nfalse ['self'] \n");
  BOOST_TEST(run("CALL db.rules.count() YIELD rule, matched, newlyTagged, records, recordsMatched, "
                 "recordsChanged, run RETURN *") != "");
  BOOST_TEST(tags(second) == "[]");
  BOOST_TEST((changes == Changes()));
}

// M4.33 to M4.37, M4.39, M4.40
BOOST_AUTO_TEST_CASE(a_run_adds_to_the_tags_once_and_counts_by_rule) {
  const std::string counts =
      " YIELD rule, matched, newlyTagged, records, recordsMatched, recordsChanged "
      "RETURN rule, matched, newlyTagged, records, recordsMatched, recordsChanged";
  BOOST_TEST(run("CALL db.rules.apply()" + counts) == "'drift' 2 1 3 2 2 \n'self' 1 1 3 2 2 \n");
  BOOST_TEST(changes.relationships_created == 2U);
  BOOST_TEST(tags(first) == "['hand-made', 'drift', 'self']");
  BOOST_TEST(tags(second) == "['drift']");
  BOOST_TEST(run("CALL db.rules.apply()" + counts) == "'drift' 2 0 3 2 0 \n'self' 1 0 3 2 0 \n");
  BOOST_TEST((changes == Changes()));
}

BOOST_AUTO_TEST_CASE(a_run_of_some_records_is_undone_by_its_number) {
  const std::string given =
      run("CALL db.rules.apply({field: 'query', operator: 'exists'}) YIELD rule, run "
          "WITH DISTINCT run RETURN run");
  BOOST_TEST(tags(first) == "['hand-made', 'drift', 'self']");
  BOOST_TEST(tags(second) == "[]");
  const std::string number = given.substr(0, given.find(' '));
  BOOST_TEST(run("CALL db.rules.undo(" + number + ")") == "1 \n");
  BOOST_TEST(tags(first) == "['hand-made', 'drift']");
  BOOST_TEST(error("CALL db.rules.undo(" + number + ")").find("undone before") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_cannot_work_is_refused) {
  BOOST_TEST(error("CALL db.rules.put('x', '(', ['t'])").find("pattern") != std::string::npos);
  BOOST_TEST(error("CALL db.rules.put('x', 'a', [])").find("needs tags") != std::string::npos);
  BOOST_TEST(error("CALL db.rules.put('x', 'a', [1])").find("list of strings") !=
             std::string::npos);
  BOOST_TEST(error("CALL db.rules.put('x', 'a', ['t'], {field: 'q'})").find("`fields`") !=
             std::string::npos);
  BOOST_TEST(error("CALL db.rules.drop('nobody')").find("db.rules.list()") != std::string::npos);
  BOOST_TEST(error("CALL db.rules.undo(-1)").find("db.rules.apply()") != std::string::npos);
  BOOST_TEST(error("CALL db.rules.apply({field: 'a', operator: 'like', value: 1})")
                 .find("Unsupported operator: like") != std::string::npos);
}

// M0.35: names and patterns are only ever data.
BOOST_AUTO_TEST_CASE(odd_names_are_data) {
  Parameters parameters{{"name", "a'b`;$c"}, {"pattern", "\\$x;"}};
  must(execute(*database, "CALL db.rules.put($name, $pattern, ['t'])", parameters));
  BOOST_TEST(must(memory.tag_rules()).size() == 3U);
  must(execute(*database, "CALL db.rules.drop($name)", parameters));
  BOOST_TEST(must(memory.tag_rules()).size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_run_within_a_query_sees_what_stood_before_it) {
  BOOST_TEST(run("CREATE (:Memory {content: 'Drift again', kind: 'note'}) WITH count(*) AS c "
                 "CALL db.rules.apply() YIELD rule, newlyTagged WHERE rule = 'drift' "
                 "RETURN c, newlyTagged") == "1 2 \n");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::memory
