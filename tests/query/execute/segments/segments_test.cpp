// Segments never change an answer: equal histories in databases without them, with them as they pay, and with them from
// the first read on give equal rows, on the newest commit, at held snapshots and inside a transaction that has written.

#include "tests/support/rounds.hpp"
#include "tests/support/run_query.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cairn/database.hpp>
#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <random>
#include <string>
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

/// One database for each policy, all with the same history.
class Alike {
 public:
  Alike() {
    for (std::size_t i = 0; i < policies.size(); ++i)
      databases_.push_back(
          std::move(Database::open(directories_[i].path() / "db", with(policies[i])).value()));
  }

  void run(const std::string& statement) {
    for (Database& database : databases_) {
      const auto rows = rows_of(database, statement);
      BOOST_TEST_INFO(statement);
      BOOST_REQUIRE(rows.empty() || rows.front().find("error") == std::string::npos);
    }
  }

  /// Rows of the newest commit, in any order.
  void compare(const std::string& statement) {
    const auto expected = sorted_rows(databases_.front(), statement);
    for (std::size_t i = 1; i < databases_.size(); ++i) {
      BOOST_TEST_INFO(statement << ", policy " << i);
      BOOST_TEST(sorted_rows(databases_[i], statement) == expected,
                 boost::test_tools::per_element());
    }
  }

  [[nodiscard]] std::vector<Database>& databases() { return databases_; }

 private:
  std::array<TemporaryDirectory, policies.size()> directories_;
  std::vector<Database> databases_;
};

std::vector<std::string> rows_at(const Snapshot& snapshot, const std::string& statement) {
  std::vector<std::string> texts;
  Rows rows = Statement::parse(statement).value().run(snapshot).value();
  for (auto row = rows.next().value(); row; row = rows.next().value()) {
    std::string text;
    for (const Value& cell : *row) text += cell.to_text() + " | ";
    texts.push_back(std::move(text));
  }
  std::ranges::sort(texts);
  return texts;
}

const std::vector<std::string>& questions() {
  static const std::vector<std::string> all = {
      "MATCH (n:N) RETURN n.k AS k, n.v AS v, n.w AS w",
      "MATCH (n:N) RETURN n.v AS v, count(*) AS c",
      "MATCH (n:N) WHERE n.v > 5 RETURN n.k AS k",
      "MATCH (a:N)-[r:R]->(b) RETURN a.k AS a, r.x AS x, b.k AS b",
      "MATCH (a:N)<-[r:R|S]-(b) RETURN a.k AS a, type(r) AS t, b.k AS b",
      "MATCH (a:N)-[r]-(b) RETURN a.k AS a, type(r) AS t, b.k AS b",
      "MATCH (a:N {k: 3})-[:R*1..3]->(b) RETURN count(*) AS c, count(DISTINCT b) AS d",
      "MATCH (a:N)-[:R]->(b)-[:R]->(c), (a)-[:R]->(c) RETURN count(*) AS c",
      "MATCH (a:N {k: 1}), (b:N {k: 7}), p = shortestPath((a)-[:R*]-(b)) RETURN length(p) AS l",
  };
  return all;
}

/// A literal of some type; equal numbers of two types among them.
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
    // Read on each commit, so that segments are built, and older ones followed by changes.
    for (const std::string& question : questions()) alike.compare(question);
    Held now;
    for (Database& database : alike.databases())
      now.snapshots.push_back(std::move(database.snapshot().value()));
    for (const std::string& question : questions())
      now.rows.push_back(rows_at(now.snapshots.front(), question));
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
          "MATCH (a:N)-[:R]->(b) RETURN count(*) AS c, sum(a.v) AS s"}) {
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

// Values that the statement has read before its first change, changed and read again within one clause.
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

// More ids than a chunk has, so that chunks are dense, and one is not full.
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

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
