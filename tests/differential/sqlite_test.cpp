// Random statements, their rows against SQLite's over the same data.

#include "tests/differential/sqlite_rows.hpp"
#include "tests/differential/statement_pair.hpp"
#include "tests/support/graph_builder.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/threads_of_run.hpp"
#include "tests/support/value_generator.hpp"

#include <cairn/statement.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace cairn::test {
namespace {

constexpr std::size_t statements_per_round = 500;
constexpr std::array<const char*, 7> columns{"i", "j", "r", "s", "w", "b", "id"};

Value small_integer(Random& random) { return static_cast<std::int64_t>(random.below(7)) - 3; }
Value quarter(Random& random) { return static_cast<double>(random.below(25)) / 4.0 - 3.0; }
Value ascii(Random& random) {
  static constexpr std::array<const char*, 6> texts{"", "a", "b", "ab", "ba", "Abc"};
  return random.pick(texts);
}
Value any_text(Random& random) {
  static constexpr std::array<const char*, 7> texts{
      "", "a", "é", "aé", "日本", "'", "\xF0\x9F\x97\xBB"};
  return random.pick(texts);
}
Value truth(Random& random) { return random.one_in(2); }

/// In the order of `columns`, but for the id.
std::vector<Value> random_row(Random& random) {
  static constexpr std::array<Value (*)(Random&), 6> makers{small_integer, small_integer, quarter,
                                                            ascii,         any_text,      truth};
  std::vector<Value> row;
  for (const auto make : makers) row.push_back(random.one_in(5) ? Value() : make(random));
  return row;
}

/// Two databases with the same rows. In ours, some of the changes are in an open transaction until it is committed.
class TwoDatabases {
 public:
  explicit TwoDatabases(Random& random) {
    fill("t", "T", random);
    fill("u", "U", random);
    transaction_.emplace(must(ours_->begin()));
    for (std::size_t i = random.below(20); i > 0; --i) change(random);
  }

  void commit() {
    must(transaction_->commit());
    transaction_.reset();
  }

  std::vector<std::string> ours(const std::string& text, const StatementOptions& given) {
    const StatementOptions options = with_threads_of_run(given);
    const Statement statement = must(Statement::parse(text));
    Rows rows = must(transaction_ ? statement.run(*transaction_, {}, options)
                                  : statement.run(*ours_, {}, options));
    std::vector<std::string> lines;
    for (const auto& row : must(rows.all())) {
      std::string line;
      for (const Value& cell : row) line += (&cell == &row.front() ? "" : " | ") + cell_text(cell);
      lines.push_back(std::move(line));
    }
    return lines;
  }

  std::vector<std::string> theirs(const std::string& text) { return sqlite_.lines(text); }

 private:
  void fill(const std::string& table, const std::string& label, Random& random) {
    sqlite_.execute("CREATE TABLE " + table + " (i, j, r, s, w, b, id)");
    Transaction transaction = must(ours_->begin());
    const std::size_t rows = random.one_in(10) ? 0 : 5 + random.below(30);
    for (std::size_t id = 0; id < rows; ++id) {
      std::vector<Value> row = random_row(random);
      row.emplace_back(static_cast<std::int64_t>(id));
      sqlite_.insert(table, row);
      Properties properties;
      for (std::size_t i = 0; i < row.size(); ++i)
        if (!row[i].is_null()) properties.emplace(columns[i], row[i]);
      static_cast<void>(must(transaction.create_node({{label}, properties, {}})));
    }
    must(transaction.commit());
  }

  /// One row of t is set or erased, or moves to u.
  void change(Random& random) {
    const std::string id = std::to_string(random.below(35));
    const std::string ours = "MATCH (a:T {id: " + id + "}) ";
    const std::string where = " WHERE id = " + id;
    const auto change_both = [&](const std::string& clause, const std::string& sql) {
      const Statement statement = must(Statement::parse(ours + clause));
      static_cast<void>(must(statement.run(*transaction_)));
      sqlite_.execute(sql + where);
    };
    switch (random.below(4)) {
      case 0:
        return change_both("DELETE a", "DELETE FROM t");
      case 1:
        return change_both("SET a.i = a.j, a.w = null", "UPDATE t SET i = j, w = NULL");
      case 2:
        change_both("REMOVE a:T SET a:U",
                    "INSERT INTO u SELECT * FROM t" + where + "; DELETE FROM t");
        return;
      default:
        return change_both("SET a.s = 'ab', a.b = true, a.r = toFloat(a.i)",
                           "UPDATE t SET s = 'ab', b = true, r = CAST(i AS REAL)");
    }
  }

  TemporaryDatabase ours_{Options{.durability = Durability::async}};
  SqliteRows sqlite_;
  std::optional<Transaction> transaction_;
};

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n    " + line;
  return text;
}

/// Empty where both give the same rows.
std::string difference(TwoDatabases& databases, const StatementPair& pair,
                       const StatementOptions& options) {
  const std::string texts = "\n  " + pair.text.ours + "\n  " + pair.text.sql;
  try {
    auto ours = databases.ours(pair.text.ours, options);
    auto theirs = databases.theirs(pair.text.sql);
    if (!pair.is_ordered) {
      std::ranges::sort(ours);
      std::ranges::sort(theirs);
    }
    if (ours == theirs) return {};
    return texts + "\n  ours:" + joined(ours) + "\n  SQLite's:" + joined(theirs);
  } catch (const std::exception& problem) {
    return texts + "\n  failed: " + problem.what();
  }
}

BOOST_AUTO_TEST_SUITE(sqlite)

// One statement in four runs with all optimizer rules disabled, so that it uses no index.
BOOST_AUTO_TEST_CASE(a_statement_has_the_rows_of_the_same_question_in_sql) {
  StatementOptions plain;
  plain.disabled_rules =
      "order_expansions push_filters choose_indexes push_limits count_from_cardinality "
      "index_group_count index_top_n index_min_max";
  for (std::size_t round = 0; round < rounds(40, 2'000); ++round) {
    const std::uint64_t seed = test_seed() + round;
    Random random(seed);
    TwoDatabases databases(random);
    for (std::size_t i = 0; i < statements_per_round; ++i) {
      if (i == statements_per_round / 2) databases.commit();
      const StatementPair pair = random_statement_pair(random);
      const std::string found =
          difference(databases, pair, i % 4 == 0 ? plain : StatementOptions());
      if (!found.empty()) BOOST_FAIL("seed " << seed << ", statement " << i << ": " << found);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace cairn::test
