// Namespaces by statement: listed, dropped in steps, dropped again after an interruption.

#include "engine/database/name_space_drop.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/value_generator.hpp"

#include <cairn/system_fields.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <map>
#include <set>
#include <thread>
#include <tuple>

namespace cairn::test {
namespace {

StatementOptions in(const std::string& name) {
  StatementOptions options;
  options.name_space = name;
  return options;
}

struct Fixture {
  std::string result(std::string_view statement, const StatementOptions& options = {}) {
    return result_of(*database, statement, {}, options);
  }
  Error error(std::string_view statement, const StatementOptions& options = {}) {
    return error_of(*database, statement, {}, options);
  }
  void run(std::string_view statement, const std::string& name = "") {
    must(must(execute(*database, statement, {}, in(name))).all());
  }
  TemporaryDatabase database;
};

/// The contents of each namespace: the ids of its nodes, and its relationships with their ends.
struct Contents {
  std::map<std::string, std::set<std::uint64_t>> nodes;
  std::map<std::string, std::set<std::uint64_t>> relationships;

  friend bool operator==(const Contents&, const Contents&) = default;
};

Contents contents_of(const Snapshot& snapshot) {
  Contents contents;
  for (const std::string& name : must(name_spaces(snapshot))) {
    auto& nodes = contents.nodes[name];
    auto& relationships = contents.relationships[name];
    must(visit_nodes(snapshot, name, [&](NodeId id) -> Status {
      nodes.insert(id.value);
      return {};
    }));
    must(visit_relationships(snapshot, name, [&](RelationshipId id) -> Status {
      relationships.insert(id.value);
      return {};
    }));
  }
  return contents;
}

/// A database with namespaces of many and of few records, and the contents that it should have.
class Model {
 public:
  explicit Model(std::uint64_t seed) : random_(seed) {
    run_all(*database, {"CREATE VECTOR INDEX v FOR (n:N) ON (n.v) OPTIONS {indexConfig: "
                        "{`vector.dimensions`: 2}}",
                        "CREATE FULLTEXT INDEX t FOR (n:N) ON EACH [n.t]",
                        "CREATE INDEX p FOR (n:N) ON (n.p)"});
    must(add_to("big", 2'200 + random_.below(2'500)));
    for (const char* name : {"", "a", "b \"`c"}) must(add_to(name, 1 + random_.below(200)));
    must(relate(1 + random_.below(3'000)));
  }

  /// Creates nodes, some of them hidden or expired.
  Status add_to(const std::string& name, std::uint64_t count) {
    CAIRN_ASSIGN(Transaction transaction, database->begin());
    for (std::uint64_t i = 0; i < count; ++i) {
      NewNode node{{"N"}, {{"p", random_.integer()}, {"t", "word in a text"}}, ""};
      node.properties["v"] = Vector({1, static_cast<float>(random_.below(9))});
      if (random_.below(3) == 0) node.external_id = "x" + std::to_string(i);
      CAIRN_ASSIGN(const NodeId id, restore_node(transaction, node, fields(name)));
      expected.nodes[name].insert(id.value);
      nodes_.push_back({name, id});
    }
    expected.relationships[name];
    return transaction.commit();
  }

  /// Creates relationships in random namespaces between nodes of random namespaces. One node has
  /// many.
  Status relate(std::uint64_t count) {
    CAIRN_ASSIGN(Transaction transaction, database->begin());
    for (std::uint64_t i = 0; i < count && !nodes_.empty(); ++i) {
      const auto& [name, source] = any_node();
      const auto& [ignored, target] = random_.below(2) == 0 ? nodes_.front() : any_node();
      const std::string& owner = random_.below(8) == 0 ? any_node().first : name;
      CAIRN_ASSIGN(const RelationshipId id,
                   restore_relationship(transaction, {source, "R", target, {}}, fields(owner)));
      expected.relationships[owner].insert(id.value);
      ends_[id.value] = {source.value, target.value};
    }
    return transaction.commit();
  }

  /// Removes a namespace from the model: its name, its records, and the relationships of other
  /// namespaces with its nodes.
  void forget(const std::string& name) {
    const auto gone = expected.nodes[name];
    for (auto& [owner, relationships] : expected.relationships)
      std::erase_if(relationships, [&](std::uint64_t id) {
        return gone.contains(ends_[id].first) || gone.contains(ends_[id].second);
      });
    expected.nodes.erase(name);
    expected.relationships.erase(name);
    std::erase_if(nodes_, [&](const auto& node) { return node.first == name; });
  }

  [[nodiscard]] Contents contents() { return contents_of(must(database->snapshot())); }

  TemporaryDatabase database;
  Contents expected;

 private:
  SystemFields fields(const std::string& name) {
    SystemFields made;
    made.name_space = name;
    if (random_.below(5) == 0) made.deleted_at = 1;
    if (random_.below(5) == 0) made.expires_at = 2;
    return made;
  }
  const std::pair<std::string, NodeId>& any_node() { return nodes_[random_.below(nodes_.size())]; }

  ValueGenerator random_;
  std::vector<std::pair<std::string, NodeId>> nodes_;
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> ends_;
};

/// Interrupts a drop after a number of steps.
struct Interruption {
  std::uint64_t steps = 0;
  Status operator()() {
    if (steps-- > 0) return {};
    return Error{ErrorCode::cancelled, "interrupted", {}};
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(name_space, Fixture)

BOOST_AUTO_TEST_CASE(they_are_listed_with_what_is_seen_of_them) {
  BOOST_TEST(result("SHOW NAMESPACES") == "'' | 0 | 0");
  run("CREATE (:A)-[:R]->(:A)");
  run("CREATE (:A), (:B)", "acme");
  run("MATCH (n) RETURN n", "nobody");
  must([&]() -> Status {
    CAIRN_ASSIGN(Transaction transaction, database->begin());
    CAIRN_TRY(restore_node(transaction, {{"A"}}, {.name_space = "acme", .deleted_at = 1}));
    return transaction.commit();
  }());
  BOOST_TEST(result("SHOW NAMESPACES") == "'' | 2 | 1; 'acme' | 2 | 0");
  BOOST_TEST(result("SHOW NAMESPACES", in("acme")) == "'' | 2 | 1; 'acme' | 2 | 0");
  BOOST_TEST(result("SHOW NAMESPACES YIELD name, nodes WHERE nodes > 0 RETURN max(name)") ==
             "'acme'");
  BOOST_TEST(result("CALL db.namespaces() YIELD name") == "''; 'acme'");
}

BOOST_AUTO_TEST_CASE(who_may_use_some_sees_these_alone) {
  run("CREATE (:A)", "one");
  run("CREATE (:A)", "two");
  StatementOptions options = in("one");
  options.listed_name_spaces = {"", "one"};
  BOOST_TEST(result("SHOW NAMESPACES YIELD name", options) == "''; 'one'");
  BOOST_TEST(result("SHOW DATABASES YIELD name, home", options) == "'neo4j' | false; 'one' | true");
  BOOST_TEST(result("SHOW DATABASES YIELD databaseID, store", options) ==
             "null | 'rocksdb'; null | 'rocksdb'");
  BOOST_TEST(result("SHOW DATABASES YIELD * WITH collect(databaseID) AS ids "
                    "RETURN size(ids[0]) > 9, ids[1] = ids[0] + '/one'") == "true | true");
  options.listed_name_spaces.emplace();
  BOOST_TEST(result("SHOW NAMESPACES", options).empty());
}

// The catalog's names belong to all namespaces, so a "did you mean" could reveal a name that only
// another namespace uses.
BOOST_AUTO_TEST_CASE(who_may_use_some_is_told_no_name_of_others) {
  run("CREATE FULLTEXT INDEX texts FOR (m:Memory) ON EACH [m.content]");
  run("CREATE (:Memory {hidden_key: 1, content: 'x'})", "two");
  const std::string filter = "{field: 'hidden_kez', operator: 'exists'}";
  const std::vector<std::string> statements = {
      "CALL db.facets(" + filter + ", 'hidden_kex')",
      "CALL db.recall('x', {filter: " + filter + ", relationship_types: ['NONE']})",
      "CALL db.rules.count(" + filter + ")",
      "CALL memory.search({filter: " + filter + "})",
      "CALL memory.recall({query: 'x', filter: " + filter + ", strategy: 'text'})",
      "MATCH (m:Memory) SEARCH m IN (RANKED INDEX texts FOR {question: 'x', relationship_types: "
      "['NONE']} LIMIT 3) RETURN m"};
  for (const std::string& statement : statements) {
    StatementOptions options = in("one");
    Rows told = must(execute(*database, statement, {}, options));
    must(told.all());
    BOOST_TEST(!told.warnings().empty(), statement);
    options.listed_name_spaces = {"one"};
    Rows rows = must(execute(*database, statement, {}, options));
    must(rows.all());
    BOOST_TEST(rows.warnings().empty(), statement);
  }
}

BOOST_AUTO_TEST_CASE(one_is_dropped_with_its_name_and_may_be_made_again) {
  run("CREATE (:A {p: 1})");
  run("CREATE (:A {p: 1})-[:R]->(:A {p: 1})", "acme");
  const Rows rows = must(execute(*database, "DROP NAMESPACE acme"));
  BOOST_TEST(rows.changes().nodes_deleted == 2U);
  BOOST_TEST(rows.changes().relationships_deleted == 1U);
  BOOST_TEST(result("SHOW NAMESPACES") == "'' | 1 | 0");
  BOOST_TEST(result("MATCH (n:A {p: 1}) RETURN count(*)", in("acme")) == "0");
  run("CREATE (:A)", "acme");
  database.reopen();
  BOOST_TEST(result("SHOW NAMESPACES") == "'' | 1 | 0; 'acme' | 1 | 0");
  run("DROP NAMESPACE `acme` IF EXISTS");
  database.reopen();
  run("CREATE (:B)", "other");
  BOOST_TEST(result("SHOW NAMESPACES") == "'' | 1 | 0; 'other' | 1 | 0");
  BOOST_TEST(must(database->check(10)).empty());
}

BOOST_AUTO_TEST_CASE(what_cannot_be_dropped_is_said) {
  BOOST_TEST((error("DROP NAMESPACE nobody").code == ErrorCode::not_found));
  BOOST_TEST(error("DROP NAMESPACE nobody").message.find("\"nobody\"") != std::string::npos);
  run("DROP NAMESPACE nobody IF EXISTS");
  const auto refused = drop_name_space(*database, "");
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::invalid_argument));
  BOOST_TEST(result("EXPLAIN DROP NAMESPACE nobody") == "'SchemaCommand'");
}

BOOST_AUTO_TEST_CASE(within_a_transaction_it_is_refused_and_the_transaction_goes_on) {
  run("CREATE (:A)", "acme");
  Transaction transaction = must(database->begin());
  const Statement drop = must(Statement::parse("DROP NAMESPACE acme"));
  const auto refused = drop.run(transaction);
  BOOST_REQUIRE(!refused.has_value());
  BOOST_TEST((refused.error().code == ErrorCode::unsupported));
  BOOST_TEST(refused.error().message.find("COMMIT or ROLLBACK first") != std::string::npos);
  must(transaction.create_node({{"B"}}));
  must(transaction.commit());
  BOOST_TEST(result("SHOW NAMESPACES") == "'' | 1 | 0; 'acme' | 1 | 0");
}

// 5,000 records are three steps: the third finds that nothing is left.
BOOST_AUTO_TEST_CASE(a_time_limit_ends_it_between_two_steps_and_says_what_is_gone) {
  run("UNWIND range(1, 5000) AS i CREATE (:A {i: i})", "acme");
  StatementOptions short_time;
  short_time.timeout = std::chrono::milliseconds{1};
  const Error stopped = error("DROP NAMESPACE acme", short_time);
  BOOST_TEST((stopped.code == ErrorCode::resource_limit));
  BOOST_TEST(stopped.message.find("records of the namespace are already erased") !=
             std::string::npos);
  const std::string left = result("MATCH (n) RETURN count(*)", in("acme"));
  BOOST_TEST(left != "0");
  BOOST_TEST(left != "5000");
  run("DROP NAMESPACE acme");
  BOOST_TEST(result("SHOW NAMESPACES") == "'' | 0 | 0");
}

// A node with more relationships of other namespaces than a step may erase.
BOOST_AUTO_TEST_CASE(a_node_that_many_lead_to_goes_in_several_steps) {
  run("CREATE (:Hub)", "acme");
  const std::uint64_t hub =
      static_cast<std::uint64_t>(std::stoull(result("MATCH (n) RETURN id(n)", in("acme"))));
  Transaction transaction = must(database->begin());
  for (int i = 0; i < 4'500; ++i) {
    const NodeId node = must(transaction.create_node({{"A"}}));
    must(transaction.create_relationship({node, "TO", NodeId{hub}}));
  }
  must(transaction.commit());
  std::uint64_t steps = 0;
  engine::ErasedRecords erased;
  must(engine::drop_name_space(
      *database, "acme",
      [&]() -> Status {
        ++steps;
        return {};
      },
      erased));
  BOOST_TEST(steps == 3U);
  BOOST_TEST(erased.relationships == 4'500U);
  BOOST_TEST(result("SHOW NAMESPACES") == "'' | 4500 | 0");
  BOOST_TEST(must(database->check(10)).empty());
}

// Long records take more space in a transaction than short ones. A small bound on that space is
// kept.
BOOST_AUTO_TEST_CASE(a_step_stays_below_the_bytes_of_a_transaction) {
  run("UNWIND range(1, 3000) AS i CREATE (:A {a: i, b: toString(i), c: [i, i + 1, i + 2]})",
      "acme");
  Options options = database.options();
  options.transaction_bytes = std::size_t{128} << 10;
  database.reopen(options);
  run("DROP NAMESPACE acme");
  BOOST_TEST(result("SHOW NAMESPACES") == "'' | 0 | 0");
}

// If not even one record fits, a step must still try one: the error then ends the drop.
BOOST_AUTO_TEST_CASE(a_transaction_without_room_ends_it_with_an_error) {
  run("UNWIND range(1, 3) AS i CREATE (:A {a: i})", "acme");
  Options options = database.options();
  options.transaction_bytes = 1;
  database.reopen(options);
  std::uint64_t steps = 0;
  engine::ErasedRecords erased;
  const Status dropped = engine::drop_name_space(
      *database, "acme",
      [&]() -> Status {
        if (++steps < 100) return {};
        return Error{ErrorCode::cancelled, "it goes on for ever", {}};
      },
      erased);
  BOOST_REQUIRE(!dropped.has_value());
  BOOST_TEST((dropped.error().code == ErrorCode::resource_limit), dropped.error().message);
  database.reopen(Options());
  run("DROP NAMESPACE acme");
  BOOST_TEST(result("SHOW NAMESPACES") == "'' | 0 | 0");
}

BOOST_AUTO_TEST_CASE(interrupted_and_dropped_again_it_leaves_what_the_model_has) {
  for (std::size_t round = 0; round < rounds(4, 60); ++round) {
    const std::uint64_t seed = test_seed() + round;
    BOOST_TEST_CONTEXT("seed " << seed) {
      Model model(seed);
      BOOST_TEST((model.contents() == model.expected));
      ValueGenerator random(seed);
      const std::vector<std::string> dropped{"big", "a"};
      for (const std::string& name : dropped) {
        engine::ErasedRecords erased;
        Interruption interruption{random.below(4)};
        const Status first =
            engine::drop_name_space(*model.database, name, [&] { return interruption(); }, erased);
        BOOST_TEST((first || first.error().code == ErrorCode::cancelled));
        // As after a kill: what was committed is there, and nothing else.
        if (random.boolean()) model.database.reopen();
        // Records that are added between two attempts are dropped too.
        if (!first && random.boolean()) must(model.add_to(name, random.below(50)));
        if (!first) must(drop_name_space(*model.database, name));
        model.forget(name);
        BOOST_TEST((model.contents() == model.expected));
        BOOST_TEST(!drop_name_space(*model.database, name).has_value());
      }
      BOOST_TEST(must(model.database->check(10)).empty());
      // No index of any namespace finds the dropped records.
      for (const std::string& name : dropped)
        for (const char* question :
             {"MATCH (n:N) RETURN count(*)", "MATCH (n) WHERE n.p > 0 OR n.p <= 0 RETURN count(*)",
              "MATCH (n:N) SEARCH n IN (VECTOR INDEX v FOR [1, 0] LIMIT 9) RETURN count(*)",
              "MATCH (n:N) SEARCH n IN (FULLTEXT INDEX t FOR 'word' LIMIT 9) RETURN count(*)"})
          BOOST_TEST(result_of(*model.database, question, {}, in(name)) == "0");
    }
  }
}

BOOST_AUTO_TEST_CASE(readers_of_an_old_snapshot_see_it_whole_and_writers_get_their_turn) {
  Model model(test_seed());
  const Snapshot before = must(model.database->snapshot());
  const Contents all = model.expected;
  const std::string count = "MATCH (n:N) WHERE n.t CONTAINS 'word' RETURN count(*) AS n";
  const auto seen = [&] {
    const Statement statement = must(Statement::parse(count));
    return must(must(statement.run(before, {}, in("big"))).all())[0][0].as_integer();
  };
  const std::int64_t at_first = seen();
  std::atomic<bool> is_over = false;
  std::atomic<int> wrong = 0;
  std::atomic<int> looks = 0;
  std::thread reader([&] {
    while (!is_over || looks == 0) {
      if (seen() != at_first || !(contents_of(before) == all)) ++wrong;
      ++looks;
    }
  });
  std::uint64_t written = 0;
  engine::ErasedRecords erased;
  // The drop lets others write between its steps, or this write would never get its turn.
  must(engine::drop_name_space(
      *model.database, "big",
      [&]() -> Status {
        ++written;
        CAIRN_TRY(execute(*model.database, "CREATE (:Between)"));
        return {};
      },
      erased));
  is_over = true;
  reader.join();
  BOOST_TEST(wrong == 0);
  BOOST_TEST(written >= 2U);
  BOOST_TEST(result_of(*model.database, "MATCH (n:Between) RETURN count(*)") ==
             std::to_string(written));
  BOOST_TEST((contents_of(before) == all));
  BOOST_TEST(!contents_of(must(model.database->snapshot())).nodes.contains("big"));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
