// A statement of one namespace that reads others besides: what it sees, what it may not change, and who made a record.

#include "tests/support/graph_builder.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/value_generator.hpp"

#include <cairn/facets.hpp>
#include <cairn/memory/memory.hpp>
#include <cairn/select.hpp>
#include <cairn/system_fields.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace cairn::test {
namespace {

StatementOptions in(const std::string& name, std::vector<std::string> also_read = {}) {
  StatementOptions options;
  options.name_space = name;
  options.also_read = std::move(also_read);
  return options;
}

/// Many small commits: none waits for the disk.
Options quick() {
  Options options;
  options.durability = Durability::async;
  return options;
}

struct Fixture {
  Fixture() {
    run("CREATE FULLTEXT INDEX texts FOR (n:Note) ON EACH [n.text]");
    run("CREATE VECTOR INDEX vectors FOR (n:Note) ON (n.v) OPTIONS {indexConfig: "
        "{`vector.dimensions`: 2}}");
    for (const char* name : {"own", "shared", "other"})
      run("CREATE (a:Note {of: $of, i: 1, text: 'green tea', v: vector([1, 2], 2, FLOAT)} "
          "@ {external_id: 'one'})-[:NEXT]->(b:Note {of: $of, i: 2, text: 'tea and cake', "
          "v: vector([2, 1], 2, FLOAT)})",
          in(name), {{"of", name}});
  }

  void run(std::string_view statement, const StatementOptions& options = {},
           const Parameters& parameters = {}) {
    must(must(execute(*database, statement, parameters, options)).all());
  }
  std::string result(std::string_view statement,
                     const StatementOptions& options = in("own", {"shared"})) {
    return result_of(*database, statement, {}, options);
  }
  Error error(std::string_view statement, const StatementOptions& options = in("own", {"shared"})) {
    return error_of(*database, statement, {}, options);
  }
  /// All that the namespace has.
  std::string contents(const std::string& name) {
    return result(
        "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN labels(n), properties(n), count(r), "
        "n@expires_at ORDER BY n.i, n.of",
        in(name));
  }
  void check() { BOOST_TEST(must(database->check()).empty()); }

  TemporaryDatabase database{quick()};
};

bool has(const std::string& text, std::string_view part) {
  BOOST_TEST_MESSAGE(text);
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(also_read, Fixture)

BOOST_AUTO_TEST_CASE(everything_that_reads_sees_both_and_no_other) {
  BOOST_TEST(result("MATCH (n) RETURN DISTINCT n.of ORDER BY n.of") == "'own'; 'shared'");
  BOOST_TEST(result("MATCH (n:Note {i: 1}) RETURN n.of ORDER BY n.of") == "'own'; 'shared'");
  BOOST_TEST(result("MATCH (n) RETURN count(*)") == "4");
  BOOST_TEST(result("MATCH (:Note)-[r:NEXT]->(:Note) RETURN count(r)") == "2");
  BOOST_TEST(result("MATCH (n {i: 1}) RETURN COUNT {(n)-->()} AS c, n.of ORDER BY n.of") ==
             "1 | 'own'; 1 | 'shared'");
  BOOST_TEST(result("MATCH (n @ {external_id: 'one'}) RETURN n@namespace AS s ORDER BY s") ==
             "'own'; 'shared'");
  BOOST_TEST(result("CALL db.index.fulltext.queryNodes('texts', 'green') YIELD node "
                    "RETURN node.of AS of ORDER BY of") == "'own'; 'shared'");
  BOOST_TEST(result("MATCH (n:Note) SEARCH n IN (VECTOR INDEX vectors FOR [1, 2] LIMIT 2) "
                    "RETURN n.of ORDER BY n.of") == "'own'; 'shared'");
  BOOST_TEST(result("CALL db.facets({field: 'of', operator: 'exists'}, 'of') YIELD value, count "
                    "RETURN value, count "
                    "ORDER BY value") == "'own' | 2; 'shared' | 2");
  BOOST_TEST(result("CALL db.labels()") == "'Note'");
}

BOOST_AUTO_TEST_CASE(calls_see_what_statements_see) {
  const Snapshot snapshot = must(database->snapshot());
  const StatementOptions options = in("own", {"shared"});
  const Facet facet = must(count_values(snapshot, {"of", false, 0}, Filter(), options));
  BOOST_TEST(facet.values.size() == 2U);
  SelectOptions all;
  Rows rows = must(select_nodes(snapshot, Filter(), all, options));
  BOOST_TEST(must(rows.all()).size() == 4U);
}

BOOST_AUTO_TEST_CASE(names_that_are_wrong_or_twice_add_nothing) {
  BOOST_TEST(result("MATCH (n) RETURN count(*)", in("own", {"own", "shared", "none", "shared"})) ==
             "4");
  BOOST_TEST(result("MATCH (n) RETURN count(*)", in("none", {"shared"})) == "2");
  BOOST_TEST(result("MATCH (n) RETURN count(*)", in("", {"own", "other"})) == "4");
  BOOST_TEST(result("MATCH (n) RETURN count(*)", in("own", {""})) == "2");
  run("CREATE (:Note)");
  BOOST_TEST(result("MATCH (n) RETURN count(*)", in("own", {""})) == "3");
  run("MATCH (n {i: 1}) SET n.changed = true", in("own", {"own"}));
}

// The sets of what is seen are compared with the namespace of each record.
BOOST_AUTO_TEST_CASE(any_choice_of_namespaces_is_their_union) {
  ValueGenerator random(test_seed());
  const std::vector<std::string> names{"", "own", "shared", "other"};
  for (int i = 0; i < 200; ++i)
    run("CREATE (n:Note {i: 5}) WITH n WHERE $hidden SET n@expires_at = datetime('2000-01-01')",
        in(names[random.below(4)]), {{"hidden", random.below(4) == 0}});
  for (int round = 0; round < 20; ++round) {
    StatementOptions options = in(names[random.below(4)]);
    std::vector<std::string> seen{options.name_space};
    for (const std::string& name : names)
      if (random.below(2) == 0) {
        options.also_read.push_back(name);
        if (name != options.name_space) seen.push_back(name);
      }
    std::uint64_t sum = 0;
    for (const std::string& name : seen)
      sum += std::stoull(result("MATCH (n:Note) RETURN count(*)", in(name)));
    BOOST_TEST(result("MATCH (n:Note) RETURN count(*)", options) == std::to_string(sum));
    BOOST_TEST(result("MATCH (n:Note) WHERE n.i >= 0 RETURN count(*)", options) ==
               std::to_string(sum));
  }
  check();
}

BOOST_AUTO_TEST_CASE(what_is_made_is_of_the_own_namespace) {
  run("CREATE (:Note {of: 'new', i: 3})", in("own", {"shared"}));
  BOOST_TEST(result("MATCH (n {of: 'new'}) RETURN n@namespace") == "'own'");
  BOOST_TEST(result("MATCH (n {of: 'new'}) RETURN count(*)", in("shared")) == "0");
}

// A node that is there is found, also a shared one; a new one is the tenant's own.
BOOST_AUTO_TEST_CASE(merge_finds_a_shared_node) {
  run("MATCH (own {of: 'own', i: 1}) MERGE (n:Note {of: 'shared', i: 1}) MERGE (own)-[:ABOUT]->(n)",
      in("own", {"shared"}));
  BOOST_TEST(result("MATCH ({of: 'own'})-[r:ABOUT]->(n {of: 'shared'}) RETURN r@namespace, "
                    "n@namespace") == "'own' | 'shared'");
  BOOST_TEST(result("MATCH (n {of: 'shared'}) RETURN count(*)") == "2");
}

BOOST_AUTO_TEST_CASE(a_relationship_to_a_shared_node_is_seen_by_its_maker_alone) {
  run("MATCH (a {of: 'own', i: 1}), (b {of: 'shared', i: 1}) CREATE (a)-[:ABOUT]->(b)",
      in("own", {"shared"}));
  BOOST_TEST(result("MATCH ()-[r:ABOUT]->() RETURN count(r)") == "1");
  BOOST_TEST(result("MATCH (n {i: 1})--() RETURN count(*)", in("shared")) == "1");
  BOOST_TEST(result("MATCH ()-[r:ABOUT]->() RETURN count(r)", in("other", {"shared"})) == "0");
  // A caller who deletes the shared node is not prevented from it, and learns nothing of the relationship.
  const Rows deleted =
      must(execute(*database, "MATCH (n {i: 2})<-[r]-(m) DELETE r, m, n", {}, in("shared")));
  BOOST_TEST(deleted.changes().relationships_deleted == 1U);
  BOOST_TEST(deleted.changes().nodes_deleted == 2U);
  BOOST_TEST(result("MATCH ()-[r:ABOUT]->() RETURN count(r)") == "0");
  check();
}

BOOST_AUTO_TEST_CASE(detach_delete_counts_what_its_statement_may_know) {
  run("MATCH (a {of: 'own'}), (b {of: 'shared'}) CREATE (a)-[:ABOUT]->(b)", in("own", {"shared"}));
  const Rows deleted = must(execute(*database, "MATCH (n) DETACH DELETE n", {}, in("shared")));
  BOOST_TEST(deleted.changes().relationships_deleted == 1U);
  BOOST_TEST(result("MATCH (n)-[r]-() RETURN count(r)") == "2");
  check();
}

// A relationship belongs to its nodes: whoever may delete one of them need not write to its namespace.
BOOST_AUTO_TEST_CASE(a_node_takes_relationships_of_a_namespace_that_is_only_read) {
  const std::string relate =
      "MATCH (a {of: 'own', i: 2}), (b {of: 'shared', i: 2}) CREATE (b)-[r:ABOUT]->(a) ";
  const std::string remove = "MATCH (a {of: 'own', i: 2}) DELETE a";
  run("MATCH ({of: 'own'})-[r:NEXT]->() DELETE r", in("own"));
  run(relate, in("shared", {"own"}));
  BOOST_TEST((error(remove).code == ErrorCode::conflict));
  BOOST_TEST(has(error("MATCH ({of: 'own', i: 2})-[r:ABOUT]-() DELETE r").message, "\"shared\""));
  Rows detached = must(
      execute(*database, "MATCH (a {of: 'own', i: 2}) DETACH DELETE a", {}, in("own", {"shared"})));
  BOOST_TEST(detached.changes().relationships_deleted == 1U);
  run("CREATE (:Note {of: 'own', i: 2})", in("own"));
  run(relate + "SET r@expires_at = datetime('2000-01-01')", in("shared", {"own"}));
  run(remove, in("own", {"shared"}));
  BOOST_TEST(result("MATCH (n {i: 2}) RETURN n.of") == "'shared'");
  check();
}

BOOST_AUTO_TEST_CASE(a_record_of_another_namespace_is_not_changed) {
  const std::string before = contents("shared");
  const std::vector<std::string> statements = {
      "MATCH (n {i: 1, of: 'shared'}) SET n.x = 1",
      "MATCH (n {i: 1, of: 'shared'}) SET n = {x: 1}",
      "MATCH (n {i: 1, of: 'shared'}) SET n += {x: 1}",
      "MATCH (n {i: 1, of: 'shared'}) SET n:More",
      "MATCH (n {i: 1, of: 'shared'}) REMOVE n:Note",
      "MATCH (n {i: 1, of: 'shared'}) REMOVE n.text",
      "MATCH (n {i: 1, of: 'shared'}) SET n@expires_at = datetime('2000-01-01')",
      "MATCH ({of: 'shared'})-[r:NEXT]->() SET r.x = 1",
      "MATCH ({of: 'shared'})-[r:NEXT]->() DELETE r",
      "MATCH (n {i: 1, of: 'shared'}) DETACH DELETE n",
      "MATCH (n) SET n.x = 1",
      "MERGE (n:Note {of: 'shared', i: 1}) ON MATCH SET n.x = 1",
      "MATCH (n {i: 1, of: 'shared'}) CALL apoc.create.addLabels(n, ['More']) YIELD node RETURN 1",
      "MATCH (n {i: 1, of: 'shared'}) CALL db.create.setNodeVectorProperty(n, 'v', [1, 1])",
      "MATCH (n {i: 1, of: 'shared'}) FOREACH (x IN [1] | SET n.x = x)"};
  for (const std::string& statement : statements) {
    const Error refused = error(statement);
    BOOST_TEST((refused.code == ErrorCode::unsupported), statement + ": " + refused.message);
    BOOST_TEST(has(refused.message, "namespace \"shared\""), statement);
    BOOST_TEST(contents("shared") == before, statement);
  }
  BOOST_TEST(has(error("DROP NAMESPACE shared").message, "\"shared\""));
  run("MATCH (n {of: 'own'}) SET n.x = 1", in("own", {"shared"}));
  run("MATCH (n) SET n.x = 1", in("shared"));
  check();
}

// The next statement of the transaction has its own.
BOOST_AUTO_TEST_CASE(each_statement_of_a_transaction_says_what_it_reads) {
  Transaction transaction = must(database->begin());
  const auto run_in = [&](std::string_view text, const StatementOptions& options) {
    const Statement statement = must(Statement::parse(text));
    return statement.run(transaction, {}, options).has_value();
  };
  BOOST_TEST(run_in("MATCH (n {of: 'own'}) SET n.x = 1", in("own", {"shared"})));
  BOOST_TEST(run_in("MATCH (n) SET n.x = 2", in("shared")));
  const NodeId id = must(find_node_id(transaction, "shared", "one")).value();
  must(transaction.set_property(id, "x", 3));
  BOOST_TEST(!run_in("MATCH (n) SET n.x = 4", in("own", {"shared"})));
}

BOOST_AUTO_TEST_SUITE_END()

// --- the typed calls and the procedures of memory -------------------------------------------------

namespace {

struct Memories {
  Memories() {
    add(own, "Ada drinks green tea", "own");
    add(shared, "green tea is drunk hot", "shared");
    add(other, "green tea of others", "other");
  }
  memory::Memory open(const std::string& name, std::vector<std::string> also_read = {}) {
    memory::MemoryOptions options;
    options.name_space = name;
    options.also_read = std::move(also_read);
    return must(memory::Memory::open(*database, std::move(options)));
  }
  static void add(memory::Memory& memory, const std::string& content, const std::string& id) {
    memory::NewRecord record = memory::note(content, {{"topic", "tea"}});
    record.external_id = id;
    must(memory.add(record));
  }
  static std::string contents(const std::vector<memory::Record>& records) {
    std::vector<std::string> texts;
    for (const memory::Record& record : records) texts.push_back(record.external_id);
    std::ranges::sort(texts);
    std::string all;
    for (const std::string& text : texts) all += text + " ";
    return all;
  }
  std::string call(std::string_view statement) {
    return result_of(*database, statement, {}, in("own", {"shared"}));
  }

  TemporaryDatabase database{quick()};
  memory::Memory own = open("own", {"shared"});
  memory::Memory shared = open("shared");
  memory::Memory other = open("other");
};

template <class T>
void refuses(const Result<T>& result) {
  BOOST_REQUIRE(!result.has_value());
  BOOST_TEST((result.error().code == ErrorCode::unsupported), result.error().message);
  BOOST_TEST(has(result.error().message, "\"shared\""));
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(memory_also_read, Memories)

BOOST_AUTO_TEST_CASE(it_is_found_listed_and_recalled) {
  BOOST_TEST(must(own.find("shared")).value().content == "green tea is drunk hot");
  BOOST_TEST(!must(own.find("other")).has_value());
  BOOST_TEST(contents(must(own.search({})).records) == "own shared ");
  BOOST_TEST(must(own.search({})).total == 2U);
  memory::SearchRequest narrow;
  narrow.own_only = true;
  BOOST_TEST(contents(must(own.search(narrow)).records) == "own ");
  memory::RecallRequest request;
  request.query = "green tea";
  BOOST_TEST(must(own.recall(request)).hits.size() == 2U);
  BOOST_TEST(must(own.value_distribution("topic", {})).values.at(0).second == 2U);
}

BOOST_AUTO_TEST_CASE(calls_of_one_record_refuse_to_change_it) {
  const NodeId id = must(own.find("shared")).value().id;
  memory::Update update;
  update.changes = {{"topic", "coffee"}};
  refuses(own.update(id, update));
  refuses(own.remove(id));
  refuses(own.purge(id));
  BOOST_TEST(must(shared.remove(id)));
  refuses(own.restore(id));
  BOOST_TEST(must(shared.restore(id)));
  BOOST_TEST((must(shared.find(id)).value().metadata.at("topic") == Value("tea")));
}

BOOST_AUTO_TEST_CASE(calls_of_a_selection_change_the_own_ones) {
  memory::SearchRequest all;
  all.filter = Filter::where("topic", FilterOperator::equals, "tea");
  memory::Update update;
  update.changes = {{"topic", "coffee"}};
  BOOST_TEST(must(own.update_all(all, update, {true})).matched == 1U);
  BOOST_TEST(must(own.update_all(all, update)).changed.size() == 1U);
  BOOST_TEST(must(own.remove_all({}, {true})) == 1U);
  BOOST_TEST(must(shared.search(all)).total == 1U);
  BOOST_TEST(must(other.search(all)).total == 1U);
}

BOOST_AUTO_TEST_CASE(a_field_may_name_a_shared_record) {
  memory::MemoryOptions options;
  options.name_space = "own";
  options.also_read = {"shared"};
  memory::Memory linking = must(memory::Memory::open(*database, options));
  memory::NewRecord task;
  task.kind = "task";
  task.content = "read on";
  task.external_id = "task";
  task.metadata = {{"title", "t"}, {"status", "pending"}, {"parentTaskId", "shared"}};
  must(linking.add(task));
  BOOST_TEST(call("MATCH (t:Task)-[r]->(m) WHERE m@external_id = 'shared' RETURN count(r), "
                  "min(r@namespace)") == "1 | 'own'");
}

BOOST_AUTO_TEST_CASE(procedures_do_as_the_calls_do) {
  BOOST_TEST(call("CALL memory.search({}) YIELD total RETURN total") == "2");
  BOOST_TEST(call("CALL memory.search({own_only: true}) YIELD total RETURN total") == "1");
  BOOST_TEST(call("CALL memory.find({external_id: 'shared'}) YIELD record RETURN record.content") ==
             "'green tea is drunk hot'");
  BOOST_TEST(has(call("CALL memory.update({external_id: 'shared', content: 'x'})"), "\"shared\""));
  BOOST_TEST(has(call("CALL memory.forget({external_id: 'shared'})"), "\"shared\""));
  BOOST_TEST(call("CALL memory.forget({selection: {}, every_record: true})") == "1 | 1");
  BOOST_TEST(must(shared.search({})).total == 1U);
}

BOOST_AUTO_TEST_CASE(tagging_rules_tag_the_own_ones) {
  must(own.put_tag_rule({"tea", "tea", {"drink"}, {"content"}, {}}));
  BOOST_TEST(must(own.apply_tag_rules({}, {})).matched == 1U);
  BOOST_TEST(call("CALL db.rules.count()").starts_with("'tea' | 1 | 0"));
  BOOST_TEST(!must(shared.find("shared")).value().metadata.contains("tags"));
}

BOOST_AUTO_TEST_SUITE_END()

// --- who made a record ------------------------------------------------------------------------------

namespace {

StatementOptions by(const std::string& author) {
  StatementOptions options;
  options.author = author;
  return options;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(authors, Fixture)

BOOST_AUTO_TEST_CASE(a_record_has_the_author_of_its_statement) {
  BOOST_TEST(result("CREATE (a:A)-[r:R]->(b:A) RETURN a@author, r@author", by("ada")) ==
             "'ada' | 'ada'");
  BOOST_TEST(result("MATCH (a:A)-[r]->() RETURN a@author, r@author", {}) == "'ada' | 'ada'");
  BOOST_TEST(result("MATCH (n:A) WHERE n@author = 'ada' RETURN count(*)", {}) == "2");
  BOOST_TEST(result("CREATE (a:B) RETURN a@author", {}) == "null");
}

// A change leaves it: who counts an access, or tags, has not written what is there.
BOOST_AUTO_TEST_CASE(who_changes_a_record_does_not_become_its_author) {
  run("CREATE (:A {x: 1}), (:B)", by("ada"));
  run("MATCH (n:A) SET n.x = 2, n:More REMOVE n.x", by("bob"));
  run("MATCH (a:A), (b:B) CREATE (a)-[:R]->(b)", by("bob"));
  BOOST_TEST(result("MATCH (n:A)-[r]->() RETURN n@author, r@author", {}) == "'ada' | 'bob'");
  check();
}

BOOST_AUTO_TEST_CASE(it_cannot_be_set) {
  BOOST_TEST(has(error("MATCH (n) SET n@author = 'eve'", {}).message, "@author"));
  BOOST_TEST(has(error("CREATE (n @ {author: 'eve'})", {}).message, "author"));
}

BOOST_AUTO_TEST_CASE(a_name_that_is_too_long_is_refused) {
  BOOST_TEST(
      (error("CREATE (:A)", by(std::string(5'000, 'x'))).code == ErrorCode::invalid_argument));
}

BOOST_AUTO_TEST_CASE(records_that_are_restored_keep_it) {
  Transaction transaction = must(database->begin());
  SystemFields fields;
  fields.author = "ada";
  const NodeId node = must(restore_node(transaction, {{"A"}}, fields));
  must(restore_relationship(transaction, {node, "R", node}, fields));
  must(transaction.commit());
  const Snapshot snapshot = must(database->snapshot());
  BOOST_TEST(must(system_fields(snapshot, node))->author == "ada");
  BOOST_TEST(result("MATCH (:A)-[r]->() RETURN r@author", {}) == "'ada'");
}

BOOST_AUTO_TEST_CASE(memories_have_it_and_tell_it) {
  must(must(execute(*database, "CALL memory.add({content: 'tea', external_id: 'tea'})", {},
                    by("agent 7")))
           .all());
  BOOST_TEST(result("MATCH (m:Memory) RETURN m@author", {}) == "'agent 7'");
  BOOST_TEST(result("CALL memory.history({external_id: 'tea'}) YIELD event, detail "
                    "RETURN event, detail",
                    {}) == "'created' | {author: 'agent 7'}");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
