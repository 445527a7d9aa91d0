// One statement reads one snapshot, whatever its access paths: while transfers go on, the sum of all balances is the
// same by scan, by relationships, by full-text index and by vector index, and so are the counts that scores depend on.

#include "tests/model/random.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/run_query.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <cmath>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace cairn::test {
namespace {

constexpr std::int64_t accounts = 20;
constexpr std::int64_t balance_at_first = 50;
constexpr std::int64_t total = accounts * balance_at_first;

/// All texts have the same length, so that scores depend only on the numbers of documents.
constexpr const char* describe_accounts =
    " SET a.text = CASE WHEN a.balance >= 50 THEN 'account rich' ELSE 'account poor' END, "
    "a.v = [toFloat(a.balance), 1.0]";

/// Moves money between accounts, or replaces the node of an account.
class Transfers {
 public:
  explicit Transfers(std::uint64_t seed) : random_(seed) {}

  static void make_bank(Database& database) {
    run_all(
        database,
        {"CREATE FULLTEXT INDEX texts FOR (a:Account) ON EACH [a.text]",
         "CREATE VECTOR INDEX vectors FOR (a:Account) ON (a.v) OPTIONS {indexConfig: "
         "{`vector.dimensions`: 2, `vector.similarity_function`: 'euclidean'}}",
         "CREATE (b:Bank) WITH b UNWIND range(1, 20) AS i CREATE (b)-[:HOLDS {balance: 50}]->(a:"
         "Account {id: i, balance: 50})" +
             std::string(describe_accounts)});
  }

  [[nodiscard]] Status make_one(Database& database) {
    const Parameters parameters{{"from", number()}, {"to", number()}, {"x", number()}};
    CAIRN_ASSIGN(Rows rows, execute(database, random_.one_in(4) ? move() : transfer(), parameters));
    const auto all = rows.all();
    return all ? Status() : Status(all.error());
  }

 private:
  [[nodiscard]] std::int64_t number() {
    return 1 + static_cast<std::int64_t>(random_.below(accounts));
  }
  [[nodiscard]] static std::string transfer() {
    return "UNWIND [[$from, -$x], [$to, $x]] AS part "
           "MATCH (a:Account {id: part[0]})<-[h:HOLDS]-() "
           "SET a.balance = a.balance + part[1], h.balance = h.balance + part[1]" +
           std::string(describe_accounts);
  }
  [[nodiscard]] static std::string move() {
    return "MATCH (old:Account {id: $from})<-[:HOLDS]-(b) WITH old, b, old.balance AS x, old.id AS "
           "id DETACH DELETE old CREATE (b)-[:HOLDS {balance: x}]->(a:Account {id: id, balance: "
           "x})" +
           std::string(describe_accounts);
  }

  Random random_;
};

/// Reads the count and sum of all accounts by each access path, in one statement.
const std::string all_ways =
    "MATCH (a:Account) WITH count(a) AS n1, sum(a.balance) AS s1, "
    "sum(CASE WHEN a.balance >= 50 THEN 1 ELSE 0 END) AS rich "
    "MATCH (:Bank)-[h:HOLDS]->(b) "
    "WITH n1, s1, rich, count(b) AS n2, sum(b.balance) AS s2, sum(h.balance) AS s3 "
    "MATCH (t:Account) SEARCH t IN (FULLTEXT INDEX texts FOR 'account' LIMIT 1000) "
    "WITH n1, s1, rich, n2, s2, s3, count(t) AS n3, sum(t.balance) AS s4 "
    "MATCH (v:Account) SEARCH v IN (VECTOR INDEX vectors FOR [50.0, 1.0] LIMIT 1000) "
    "WITH n1, s1, rich, n2, s2, s3, n3, s4, count(v) AS n4, sum(v.balance) AS s5 "
    "OPTIONAL MATCH (r:Account) SEARCH r IN (FULLTEXT INDEX texts FOR 'rich' LIMIT 1000) "
    "SCORE AS score "
    "RETURN [n1, n2, n3, n4] AS counts, [s1, s2, s3, s4, s5] AS sums, rich, count(r) AS found, "
    "max(score) AS best, min(score) AS worst";

/// The inverse document frequency of BM25, the only factor by which scores of texts of one length differ.
double rarity(double having) {
  return std::log(1 + (static_cast<double>(accounts) - having + 0.5) / (having + 0.5));
}

/// Reads and compares the sums. Collects problems for the test case, because only its thread may check.
class Auditor {
 public:
  explicit Auditor(Database& database) : database_(database) {}

  void learn_scores() {
    scale_ = must(value_as<double>(read()[best])) / rarity(static_cast<double>(accounts));
  }
  void audit() {
    const Columns row = read();
    for (const Value& count : row[counts].as_list()) expect(count.as_integer() == accounts, row);
    for (const Value& sum : row[sums].as_list()) expect(sum.as_integer() == total, row);
    const std::int64_t rich_ones = row[rich].as_integer();
    expect(row[found].as_integer() == rich_ones, row);
    if (rich_ones == 0) return;
    const double score = scale_ * rarity(static_cast<double>(rich_ones));
    for (const std::size_t column : {best, worst})
      expect(std::abs(must(value_as<double>(row[column])) - score) < 1e-4, row);
  }
  [[nodiscard]] std::vector<std::string> problems() const { return problems_; }

 private:
  using Columns = std::vector<Value>;
  static constexpr std::size_t counts = 0, sums = 1, rich = 2, found = 3, best = 4, worst = 5;

  Columns read() {
    auto rows = must(execute(database_, all_ways));
    return must(rows.all()).at(0);
  }
  void expect(bool holds, const Columns& row) {
    if (holds) return;
    std::string text;
    for (const Value& value : row) text += value.to_text() + " | ";
    const std::lock_guard lock(mutex_);
    problems_.push_back(std::move(text));
  }

  Database& database_;
  double scale_ = 0;
  std::mutex mutex_;  // guards problems_
  std::vector<std::string> problems_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(snapshot_sums)

BOOST_AUTO_TEST_CASE(every_way_of_reading_gives_the_same_sum_while_transfers_go_on) {
  constexpr std::size_t sums_a_statement = 5;
  const std::size_t statements = rounds(600, 200'000);
  TemporaryDatabase database(Options{.durability = Durability::async});
  Transfers::make_bank(*database);
  Auditor auditor(*database);
  auditor.learn_scores();
  std::atomic<std::size_t> left = statements;
  std::atomic<bool> is_over = false;
  std::string failure;
  std::uint64_t transfers = 0;
  std::thread writer([&] {
    Transfers work(1);
    for (; !is_over && failure.empty(); ++transfers) {
      if (const Status made = work.make_one(*database); !made) failure = made.error().message;
      if (transfers % 500 == 499 && !database->checkpoint()) failure = "no checkpoint";
    }
  });
  const auto read = [&] {
    for (std::size_t now = left--; now - 1 < statements; now = left--) auditor.audit();
  };
  std::array<std::thread, 2> readers{std::thread(read), std::thread(read)};
  for (std::thread& reader : readers) reader.join();
  is_over = true;
  writer.join();
  BOOST_TEST(failure == "");
  BOOST_TEST(transfers > 0U);
  for (const std::string& problem : auditor.problems()) BOOST_ERROR(problem);
  BOOST_TEST(must(database->check()).empty());
  BOOST_TEST_MESSAGE(statements * sums_a_statement << " sums read beside " << transfers
                                                   << " transfers: " << auditor.problems().size()
                                                   << " wrong");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::test
