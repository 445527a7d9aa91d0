// Segments never change an answer. Databases of equal history give equal rows without segments, with segments where
// they pay, and with segments from the first read on: at the newest commit, in older snapshots and inside a transaction
// that has written.

#include "tests/query/execute/segments/questions.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cairn/database.hpp>
#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace cairn::test {
namespace {

constexpr std::array policies = {Segments::never, Segments::automatic, Segments::always};

Options with(Segments segments) {
  Options options;
  options.segments = segments;
  options.durability = Durability::async;
  options.share = Share::exclusive;
  return options;
}

StatementOptions each_step() {
  StatementOptions options;
  options.disabled_rules = "count_steps";
  return options;
}

StatementOptions on_threads() {
  StatementOptions options;
  options.threads = 3;
  options.disabled_rules = "one_thread_for_few_rows";
  return options;
}

/// One database for each policy, all with the same history.
class Alike {
 public:
  Alike() {
    for (std::size_t i = 0; i < policies.size(); ++i)
      databases_.push_back(std::move(
          Database::open(paths_[i] = directories_[i].path() / "db", with(policies[i])).value()));
  }

  void run(const std::string& statement) {
    for (Database& database : databases_) {
      const auto rows = rows_of(database, statement);
      BOOST_TEST_INFO(statement);
      BOOST_REQUIRE(rows.empty() || rows.front().find("error") == std::string::npos);
    }
  }

  /// Compares the rows of the newest commit, in any order, also with a plan that makes a row for each step.
  void compare(const std::string& statement) {
    const auto expected = sorted_rows(databases_.front(), statement, {}, each_step());
    for (std::size_t i = 0; i < databases_.size(); ++i) {
      BOOST_TEST_INFO(statement << ", policy " << i);
      BOOST_TEST(sorted_rows(databases_[i], statement) == expected,
                 boost::test_tools::per_element());
      BOOST_TEST(sorted_rows(databases_[i], statement, {}, on_threads()) == expected,
                 boost::test_tools::per_element());
    }
  }

  /// Opens a copy of each database, made after closing it or while it is open, as a kill would leave it.
  void open_again(bool are_closed) {
    const std::string next = "db" + std::to_string(++openings_);
    for (std::size_t i = 0; i < policies.size(); ++i) {
      if (are_closed) BOOST_REQUIRE(databases_[i].close());
      copy_running_tree(paths_[i], directories_[i].path() / next);
      paths_[i] = directories_[i].path() / next;
      databases_[i] = std::move(Database::open(paths_[i], with(policies[i])).value());
    }
  }

  [[nodiscard]] std::vector<Database>& databases() { return databases_; }

 private:
  std::array<TemporaryDirectory, policies.size()> directories_;
  std::array<std::filesystem::path, policies.size()> paths_;
  int openings_ = 0;
  std::vector<Database> databases_;
};

/// The rows, or the error.
std::vector<std::string> rows_at(const Snapshot& snapshot, const std::string& statement,
                                 const StatementOptions& options = {}) {
  std::vector<std::string> texts;
  auto rows = Statement::parse(statement).value().run(snapshot, {}, options);
  if (!rows) return {rows.error().message};
  while (true) {
    const auto row = rows->next();
    if (!row) return {row.error().message};
    if (!*row) break;
    std::string text;
    for (const Value& cell : **row) text += cell.to_text() + " | ";
    texts.push_back(std::move(text));
  }
  std::ranges::sort(texts);
  return texts;
}

/// A random literal. Some are equal numbers of two types.
std::string random_literal(std::mt19937_64& random) {
  static const std::vector<std::string> literals = {"1",
                                                    "1.0",
                                                    "7",
                                                    "-3",
                                                    "9007199254740993",
                                                    "9007199254740993.0",
                                                    "true",
                                                    "false",
                                                    "'a'",
                                                    "'long text of more than fifteen bytes'",
                                                    "null",
                                                    "[1, 2]",
                                                    "{a: 1}",
                                                    "date('2026-01-01')",
                                                    "0.0 / 0.0",
                                                    "-0.0",
                                                    "''"};
  return literals[random() % literals.size()];
}

std::string random_change(std::mt19937_64& random) {
  const std::string k = std::to_string(random() % 40);
  const std::string other = std::to_string(random() % 40);
  const std::string value = random_literal(random);
  switch (random() % 9) {
    case 0:
      return "CREATE (:N {k: " + k + ", v: " + value + ", w: " + other + "})";
    case 1:
      return "MATCH (n:N {k: " + k + "}) SET n.v = " + value;
    case 2:
      return "MATCH (n:N {k: " + k + "}) REMOVE n.w";
    case 3:
      return "MATCH (n:N {k: " + k + "}) WITH n LIMIT 1 DETACH DELETE n";
    case 4:
      return "MATCH (a:N {k: " + k + "}) WITH a LIMIT 1 MATCH (b:N {k: " + other +
             "}) WITH a, b LIMIT 1 CREATE (a)-[:S {x: " + value + "}]->(b)";
    case 5:
      return "MATCH (:N {k: " + k + "})-[r:R]->() WITH r LIMIT 1 DELETE r";
    case 6:
      return "MATCH (:N {k: " + k + "})-[r:R]->() SET r.x = " + value;
    default:
      return "MATCH (a:N {k: " + k + "}) WITH a LIMIT 1 MATCH (b:N {k: " + other +
             "}) WITH a, b LIMIT 1 CREATE (a)-[:R {x: " + value + "}]->(b)";
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(segments)

BOOST_AUTO_TEST_CASE(equal_histories_give_equal_rows_on_each_commit) {
  for (std::size_t seed = 1; seed <= rounds(3, 100); ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      std::mt19937_64 random(seed);
      Alike alike;
      alike.run("UNWIND range(0, 39) AS k CREATE (:N {k: k, v: k % 7, w: 'w' + k})");
      for (int i = 0; i < 120; ++i) {
        alike.run(random_change(random));
        if (random() % 3 != 0) continue;
        alike.compare(questions()[random() % questions().size()]);
      }
      for (const std::string& question : questions()) alike.compare(question);
    }
  }
}

BOOST_AUTO_TEST_CASE(equal_histories_give_equal_rows_after_openings) {
  for (std::size_t seed = 1; seed <= rounds(3, 100); ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      std::mt19937_64 random(seed);
      Alike alike;
      alike.run("UNWIND range(0, 39) AS k CREATE (:N {k: k, v: k % 7, w: 'w' + k})");
      for (int opening = 0; opening < 8; ++opening) {
        for (std::uint64_t i = random() % 20; i > 0; --i) alike.run(random_change(random));
        for (int i = 0; i < 10; ++i) alike.compare(questions()[random() % questions().size()]);
        for (std::uint64_t i = random() % 5; i > 0; --i) alike.run(random_change(random));
        alike.open_again(random() % 3 != 0);
      }
      for (const std::string& question : questions()) alike.compare(question);
    }
  }
}

BOOST_AUTO_TEST_CASE(held_snapshots_keep_their_rows) {
  std::mt19937_64 random(5);
  Alike alike;
  alike.run("UNWIND range(0, 39) AS k CREATE (:N {k: k, v: k % 7, w: 'w' + k})");
  struct Held {
    std::vector<Snapshot> snapshots;
    std::vector<std::vector<std::string>> rows;  // of the database without segments, by question
  };
  std::vector<Held> held;
  for (std::size_t i = 0; i < rounds(12, 60); ++i) {
    for (int change = 0; change < 10; ++change) alike.run(random_change(random));
    // Read at each commit, so that segments are built, and changes follow older segments.
    for (const std::string& question : questions()) alike.compare(question);
    Held now;
    for (Database& database : alike.databases())
      now.snapshots.push_back(std::move(database.snapshot().value()));
    for (const std::string& question : questions())
      now.rows.push_back(rows_at(now.snapshots.front(), question, each_step()));
    held.push_back(std::move(now));
    for (const Held& one : held)
      for (std::size_t question = 0; question < questions().size(); ++question)
        for (const Snapshot& snapshot : one.snapshots) {
          BOOST_TEST_INFO(questions()[question]);
          BOOST_TEST((rows_at(snapshot, questions()[question]) == one.rows[question]));
        }
  }
}

BOOST_AUTO_TEST_CASE(a_transaction_sees_what_it_has_written) {
  Alike alike;
  alike.run("UNWIND range(0, 39) AS k CREATE (:N {k: k, v: k % 7, w: 'w' + k})");
  alike.run("MATCH (a:N), (b:N) WHERE b.k = (a.k * 7 + 1) % 40 CREATE (a)-[:R {x: a.k}]->(b)");
  for (const std::string& question : questions()) alike.compare(question);
  std::vector<std::string> expected;
  for (std::size_t i = 0; i < policies.size(); ++i) {
    Transaction transaction = std::move(alike.databases()[i].begin().value());
    std::vector<std::string> seen;
    for (const std::string statement :
         {"MATCH (n:N) RETURN sum(n.v) AS s", "MATCH (n:N {k: 3}) SET n.v = 1000 RETURN n.v AS v",
          "MATCH (n:N) RETURN sum(n.v) AS s", "MATCH (n:N {k: 4}) DETACH DELETE n",
          "MATCH (a:N)-[:R]->(b) RETURN count(*) AS c, sum(a.v) AS s",
          "MATCH (a:N)-[:R]->(b) RETURN count(*) AS c, max(a.v) AS v"}) {
      Rows rows = Statement::parse(statement).value().run(transaction).value();
      for (auto row = rows.next().value(); row; row = rows.next().value())
        for (const Value& cell : *row) seen.push_back(cell.to_text());
    }
    if (i == 0) expected = seen;
    BOOST_TEST(seen == expected, boost::test_tools::per_element());
    transaction.rollback();
  }
  for (const std::string& question : questions()) alike.compare(question);
}

// A clause reads values before the statement's first change, changes them, and reads them again.
BOOST_AUTO_TEST_CASE(a_statement_sees_its_own_changes_within_a_clause) {
  Alike alike;
  alike.run("UNWIND range(0, 999) AS k CREATE (:N {k: k, v: 1})");
  alike.run("CREATE (:P {name: 'p'})");
  for (int i = 0; i < 3; ++i) {
    alike.compare("MATCH (n) WITH n, n.v + 0 AS v RETURN sum(v) AS s, count(n.k) AS c");
    alike.compare("MATCH (n:N) RETURN sum(n.v + n.k) AS s");
  }
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"MATCH (n:N {k: 5}) UNWIND range(1, 3) AS i SET n.v = n.v + 1",
       "MATCH (n:N {k: 5}) RETURN n.v AS v"},
      {"MATCH (n:N {k: 6}) SET n.v = n.v + 1, n.z = n.v", "MATCH (n:N {k: 6}) RETURN n.z AS z"},
      {"MATCH (n:N {k: 7}) WITH n, n.v AS v CREATE (a:A {v: n.v}), (b:B {v: a.v})",
       "MATCH (b:B) RETURN b.v AS v"},
      {"MATCH (n:P) UNWIND [null, 7, null] AS x SET n.v = x", "MATCH (n:P) RETURN n.v AS v"},
      {"MATCH (n:N {k: 3}) WITH n, n.v + 0 AS q MERGE (m:M {v: 77}) ON CREATE SET m.w = m.v + q",
       "MATCH (m:M) RETURN m.w AS w"}};
  const std::vector<std::string> expected = {"4", "2", "1", "null", "78"};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    alike.run(changes[i].first);
    alike.compare(changes[i].second);
    BOOST_TEST(sorted_rows(alike.databases().back(), changes[i].second) ==
                   std::vector<std::string>{expected[i]},
               boost::test_tools::per_element());
  }
}

// More ids than a chunk has: some chunks are dense, and one is not full.
BOOST_AUTO_TEST_CASE(columns_of_many_chunks_hold_every_type) {
  Alike alike;
  alike.run(
      "UNWIND range(0, 69999) AS i CREATE (:M {i: i, few: 't' + (i % 5), many: 'text ' + i, half: "
      "i / 2.0, even: i % 2 = 0, large: i * 4611686018427, mixed: CASE i % 4 WHEN 0 THEN 1 WHEN 1 "
      "THEN 1.0 WHEN 2 THEN 'x' ELSE null END, rare: CASE WHEN i % 1000 = 0 THEN i END})");
  alike.run("MATCH (m:M {i: 69999}) SET m.few = 'another', m.rare = -5");
  for (const std::string property : {"few", "even", "mixed", "rare"})
    alike.compare("MATCH (m:M) RETURN m." + property + " AS v, count(*) AS c");
  alike.compare(
      "MATCH (m:M) RETURN sum(m.i) AS i, sum(m.half) AS h, sum(m.large % 1000) AS l, "
      "max(m.many) AS t, min(m.large) AS least, count(m.rare) AS r");
  alike.compare("MATCH (m:M) WHERE m.i % 9973 = 0 RETURN m.i AS i, m.many AS t, m.mixed AS x");
}

// With and without segments, a sum overflows when its running sum does.
BOOST_AUTO_TEST_CASE(sums_overflow_alike) {
  Alike alike;
  // In this order the running sum overflows, although the total would not.
  alike.run(
      "CREATE (h:Hub) WITH h UNWIND [9223372036854775807, 1, -1, 0] AS v CREATE (h)-[:E {v: "
      "v}]->(:T {v: v})");
  for (int i = 0; i < 3; ++i) {
    alike.compare("MATCH (h:Hub)-[r:E]->(t) RETURN sum(r.v) AS s");
    alike.compare("MATCH (h:Hub)-[r:E]->(t) RETURN h, sum(t.v) AS s");
    alike.compare("MATCH (h:Hub)-[r:E]->(t) WHERE t.v < 1 OR t.v > 1 RETURN sum(t.v) AS s");
  }
  alike.run(
      "UNWIND range(0, 99) AS k CREATE (:N {k: k, g: k % 3, big: 9223372036854775807 - k, low: "
      "-9223372036854775807})");
  for (int i = 0; i < 3; ++i) {
    alike.compare("MATCH (n:N) RETURN sum(n.big) AS s");
    alike.compare("MATCH (n:N) RETURN n.g AS g, sum(n.big) AS s");
    alike.compare("MATCH (n:N) UNWIND [n.big, n.low] AS x RETURN sum(x) AS s");
    alike.compare("MATCH (n:N) WHERE n.k < 1 RETURN sum(n.big) AS s, avg(n.big) AS a");
  }
}

// Enough rows that batches are full, and of types that make batches change their form.
BOOST_AUTO_TEST_CASE(groups_of_many_batches_and_types_agree) {
  Alike alike;
  alike.run(
      "UNWIND range(0, 5999) AS i CREATE (:M {i: i, g: CASE WHEN i < 3000 THEN i % 50 WHEN i < "
      "4000 "
      "THEN i % 50 + 0.0 WHEN i < 5000 THEN 't' + (i % 50) ELSE null END, t: 't' + (i % 20)})");
  alike.run(
      "MATCH (m:M) WHERE m.i % 10 = 0 MATCH (o:M {i: m.i % 7}) CREATE (m)-[:TO {w: m.i}]->(o)");
  for (int i = 0; i < 2; ++i) {
    alike.compare("MATCH (m:M) RETURN m.g AS g, count(*) AS c, sum(m.i) AS s");
    alike.compare("MATCH (m:M) RETURN m.g AS g, m.t AS t, count(DISTINCT m.i % 5) AS c");
    alike.compare("MATCH (m:M) RETURN count(DISTINCT m.g) AS g, count(DISTINCT m.t) AS t");
    alike.compare("MATCH (m:M)-[r:TO]->(o) RETURN o, count(*) AS c, sum(r.w) AS w, min(m.t) AS t");
    alike.compare("MATCH (m:M) RETURN DISTINCT m.g AS g, m.t AS t");
    alike.compare("MATCH (m:M) WHERE m.t = 't3' AND m.g > 10 RETURN m.i AS i");
    alike.compare("MATCH (m:M) RETURN m.i AS i, m.t AS t ORDER BY i DESC SKIP 3 LIMIT 7");
    alike.compare("MATCH (m:M) WHERE m.i % 3 = 0 RETURN m.i AS i, m.t AS t ORDER BY i LIMIT 2000");
    alike.compare("MATCH (m:M) RETURN m.g AS g, m.i AS i ORDER BY g, i DESC LIMIT 40");
    alike.compare("MATCH (m:M) RETURN m.g AS g, m.i AS i ORDER BY g DESC, i LIMIT 1500");
    alike.compare(
        "MATCH (m:M) WITH m.t AS t, count(*) AS c ORDER BY c DESC, t SKIP 2 LIMIT 5 RETURN t, c");
    alike.compare("MATCH (m:M) RETURN m.i AS i ORDER BY i LIMIT 0");
    alike.compare("MATCH (m:M)-[:TO]->(o)<-[:TO]-(n) WHERE m.t < n.t RETURN count(*) AS c");
  }
}

// An expansion may repeat ids so often that the ids are as many as their range.
BOOST_AUTO_TEST_CASE(values_of_nodes_that_are_met_twice_are_their_own) {
  Alike alike;
  alike.run("UNWIND range(0, 599) AS i CREATE (:A {i: i, f: i / 2.0, t: 't' + (i % 9)})");
  for (const std::string ends : {"[1, 1, 3]", "[4, 4, 4, 7, 8]", "[10, 11, 11, 13]"}) {
    alike.run("MATCH (b:B) DETACH DELETE b");
    alike.run("UNWIND " + ends + " AS i MATCH (a:A {i: i}) CREATE (a)-[:R]->(:B)");
    alike.compare("MATCH (a:A)-[:R]->(:B) RETURN a.i AS i, count(*) AS c");
    alike.compare("MATCH (a:A)-[:R]->(:B) RETURN sum(a.i) AS i, sum(a.f) AS f, min(a.t) AS t");
    alike.compare("MATCH (a:A)-[:R]->(:B) WHERE a.i > 1 RETURN a.i AS i, a.t AS t, a.f AS f");
  }
}

// A triangle whose middle node has changed: its relationships are read from the store, and earlier results belong to
// another row.
BOOST_AUTO_TEST_CASE(triangles_with_changed_corners_agree) {
  Alike alike;
  alike.run(
      "CREATE (x:P {k: 'x'})-[:R]->({k: 'y1'}), (x)-[:R]->({k: 'y2'}), (p:P {k: 'p'})-[:R]->"
      "(q {k: 'q'})-[:S]->(z {k: 'z'}), (p)-[:T]->(z)");
  alike.run(
      "MATCH (x {k: 'x'}), (p {k: 'p'}) UNWIND range(1, 9) AS i CREATE (x)-[:T]->(), (p)-[:T]->()");
  const std::string triangles =
      "MATCH (a:P)-[:R]->(b)-[:S]->(c), (a)-[:T]->(c) RETURN a.k AS a, b.k AS b, c.k AS c";
  alike.compare(triangles);
  alike.run("MATCH (q {k: 'q'}) CREATE (q)-[:S]->()");
  alike.compare(triangles);
  alike.run("MATCH (x {k: 'x'}) CREATE (x)-[:R]->()");
  alike.compare(triangles);
}

BOOST_AUTO_TEST_CASE(segments_are_listed_and_built_on_purpose) {
  const TemporaryDirectory directory;
  Database database =
      std::move(Database::open(directory.path() / "db", with(Segments::automatic)).value());
  const auto rows = [&](const std::string& text) { return sorted_rows(database, text); };
  using Lines = std::vector<std::string>;
  rows("UNWIND range(0, 99) AS k CREATE (:N {k: k, `a b`: 1})-[:R {w: k}]->(:M)");
  BOOST_TEST(rows("CALL db.segments()") == Lines());
  const std::string listed =
      " YIELD kind, name, records, changed, memoryBytes RETURN kind, name, "
      "records, changed, memoryBytes > 0 AS takes_memory";
  const Lines lists = {"'RELATIONSHIP LISTS' | 'incoming' | 100 | 0 | true",
                       "'RELATIONSHIP LISTS' | 'outgoing' | 100 | 0 | true"};
  BOOST_TEST(rows("CALL db.warm()" + listed) == lists, boost::test_tools::per_element());
  Lines all = {"'NODE PROPERTY' | 'a b' | 100 | 0 | true", "'NODE PROPERTY' | 'k' | 100 | 0 | true",
               lists[0], lists[1], "'RELATIONSHIP PROPERTY' | 'w' | 100 | 0 | true"};
  BOOST_TEST(rows("CALL db.warm(['k', 'w', 'a b'])" + listed) == all,
             boost::test_tools::per_element());
  BOOST_TEST(rows("MATCH (n:N {k: 3}) SET n.k = 1000").empty());
  for (std::string& line : all)
    if (line.find("NODE") == 1) line.replace(line.find("| 0 |"), 5, "| 1 |");
  BOOST_TEST(rows("CALL db.segments()" + listed) == all, boost::test_tools::per_element());
  BOOST_TEST(rows("CALL db.warm('zz')").front().find("no record has a property \"zz\"") !=
             std::string::npos);
  BOOST_TEST(rows("CALL db.warm(3)").front().find("db.warm()") != std::string::npos);
  const Snapshot snapshot = std::move(database.snapshot().value());
  BOOST_TEST(rows_at(snapshot, "CALL db.segments()").front().find("outside of transactions") !=
             std::string::npos);
}

// Entities that occur in many rows: their texts are read once and have codes. Some have no text, or a value of another
// type.
BOOST_AUTO_TEST_CASE(texts_of_few_entities_in_many_rows_agree) {
  Alike alike;
  alike.run(
      "UNWIND range(0, 199) AS i CREATE (:T {i: i, text: CASE WHEN i % 10 = 0 THEN null ELSE 't' + "
      "(i % 150) END, mixed: CASE i % 3 WHEN 0 THEN 'x' + i WHEN 1 THEN i ELSE null END})");
  alike.run("UNWIND range(0, 2999) AS i CREATE (:M {i: i})");
  alike.run("MATCH (m:M) MATCH (t:T {i: (m.i * m.i) % 199}) CREATE (m)-[:HAS]->(t)");
  for (int i = 0; i < 2; ++i) {
    for (const std::string property : {"text", "mixed", "i"}) {
      alike.compare("MATCH (m:M)-[:HAS]->(t) RETURN t." + property + " AS v, count(*) AS c");
      alike.compare("MATCH (m:M)-[:HAS]->(t) RETURN DISTINCT t." + property + " AS v");
      alike.compare("MATCH (m:M)-[:HAS]->(t) RETURN max(t." + property + ") AS most, count(t." +
                    property + ") AS c");
    }
    alike.compare("MATCH (m:M)-[:HAS]->(t) WHERE t.text = 't4' OR t.text > 't9' RETURN m.i AS i");
    alike.compare("MATCH (m:M)-[:HAS]->(t) RETURN m.i AS i, t.text AS t ORDER BY t, i LIMIT 50");
    alike.run("MATCH (t:T) WHERE t.i < 50 SET t.text = 'changed ' + t.i");
  }
  alike.run("MATCH (m:M)-[:HAS]->(t) WITH t, count(*) AS c SET t.text = t.text + c");
  alike.compare("MATCH (t:T) RETURN t.i AS i, t.text AS t");
}

// Many short statements pay for a segment like one long statement. It is built in the background.
BOOST_AUTO_TEST_CASE(short_statements_get_a_segment_too) {
  const TemporaryDirectory directory;
  Options options = with(Segments::automatic);
  Database database = std::move(Database::open(directory.path() / "db", options).value());
  const auto run = [&](const std::string& text) { return rows_of(database, text); };
  run("UNWIND range(0, 999) AS k CREATE (:N {k: k, v: k % 7})");
  const std::string short_one = "MATCH (n:N {k: 5}) RETURN n.v AS v";
  const auto reads_a_record = [&] {
    Rows rows = Statement::parse("PROFILE " + short_one).value().run(database).value();
    while (rows.next().value()) {
    }
    return rows.plan().find("         1          0          1") != std::string::npos;
  };
  bool reads = true;
  for (int i = 0; i < 100'000 && reads; ++i) {
    BOOST_REQUIRE(run(short_one) == std::vector<std::string>{"5"});
    if (i % 50 == 0) reads = reads_a_record();
  }
  BOOST_TEST(!reads);
}

// Reading a list costs by its length: a few reads of a long list pay for the segment.
BOOST_AUTO_TEST_CASE(reads_of_long_lists_get_a_segment) {
  const TemporaryDirectory directory;
  Database database =
      std::move(Database::open(directory.path() / "db", with(Segments::automatic)).value());
  const auto run = [&](const std::string& text) { return rows_of(database, text); };
  run("CREATE (h:Hub) WITH h UNWIND range(0, 4999) AS k CREATE (h)-[:R]->(:N {k: k})");
  for (int i = 0; i < 20; ++i)
    BOOST_TEST(run("MATCH (:Hub)-[:R]->(n) RETURN count(DISTINCT n) AS n") ==
               std::vector<std::string>{"5000"});
  const auto is_built = [&] { return !run("CALL db.segments() YIELD name").empty(); };
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!is_built() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  BOOST_TEST(is_built());
}

// Until its first change, a writing statement reads segments as others do.
BOOST_AUTO_TEST_CASE(a_writing_statement_reads_segments_before_it_writes) {
  const TemporaryDirectory directory;
  Database database =
      std::move(Database::open(directory.path() / "db", with(Segments::always)).value());
  const auto run = [&](const std::string& text) { return rows_of(database, text); };
  run("UNWIND range(0, 999) AS k CREATE (:N {k: k})");
  Rows rows = Statement::parse("PROFILE MATCH (n:N) WITH sum(n.k * 2) AS s CREATE (:Sum {s: s})")
                  .value()
                  .run(database)
                  .value();
  while (rows.next().value()) {
  }
  BOOST_TEST(rows.plan().find("         1          0       1000") == std::string::npos,
             rows.plan());
  BOOST_TEST(run("MATCH (n:Sum) RETURN n.s AS s") == std::vector<std::string>{"999000"});
}

// The possible last nodes of a triangle include the changes of earlier rows.
BOOST_AUTO_TEST_CASE(changes_between_the_rows_of_a_pattern_are_seen_alike) {
  Alike alike;
  alike.run("UNWIND range(0, 19) AS k CREATE (:K {k: k})");
  alike.run("MATCH (a:K), (b:K) WHERE a.k < b.k AND (a.k + b.k) % 3 > 0 CREATE (a)-[:R]->(b)");
  const std::string triangles =
      "MATCH (a:K)-[:R]->(b)-[:R]->(c), (a)-[:R]->(c) RETURN a.k AS a, b.k AS b, c.k AS c";
  alike.compare(triangles);
  alike.run(
      "MATCH (a:K)-[:R]->(b)-[:R]->(c), (a)-[:R]->(c) CALL (a, b, c) { WITH a, b, c "
      "MERGE (c)-[r:R]->(a) SET r.seen = b.k } RETURN count(*) AS n");
  alike.compare(triangles);
  alike.compare("MATCH (a)-[r:R]->(b) RETURN a.k AS a, b.k AS b, r.seen AS seen");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
