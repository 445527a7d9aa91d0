// SQLite as an engine of `cairn-bench graph`: fills the tables in one transaction, adds the
// indexes, and answers the questions by prepared statements.
#include "tools/bench/graph_peer.hpp"
#include "tools/bench/graph_sql.hpp"

#ifdef CAIRN_WITH_SQLITE
#include "tools/bench/sqlite_file.hpp"
#endif

#include <utility>

namespace cairn::tools {

#ifdef CAIRN_WITH_SQLITE
namespace {

class SqliteGraph final : public GraphPeer {
 public:
  [[nodiscard]] std::string name() const override {
    return std::string("SQLite ") + sqlite3_libversion();
  }

  /// Uses a cache that is large enough for the graph. Commits are not synced, as those of Cairn in
  /// this benchmark.
  Status open(const GraphSource& source) {
    CAIRN_TRY(file_.open((source.directory / "graph.sqlite").string()));
    CAIRN_TRY(
        file_.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; "
                  "PRAGMA cache_size = -1000000; BEGIN"));
    CAIRN_TRY(file_.run(graph_tables_sql));
    CAIRN_TRY(fill(source.graph));
    CAIRN_TRY(file_.run(graph_indexes_sql));
    CAIRN_TRY(file_.run("COMMIT; ANALYZE"));
    for (const GraphQuestion& question : graph_questions()) {
      CAIRN_ASSIGN(SqliteStatement statement, file_.prepare(std::string(question.sql)));
      statements_.push_back(std::move(statement));
    }
    return {};
  }

  Result<GraphAnswer> ask(std::size_t question, std::span<const std::int64_t> operands) override {
    sqlite3_stmt* const statement = statements_[question].get();
    sqlite3_reset(statement);
    for (std::size_t i = 0; i < operands.size(); ++i)
      sqlite3_bind_int64(statement, static_cast<int>(i + 1), operands[i]);
    GraphAnswer answer;
    int code = sqlite3_step(statement);
    for (; code == SQLITE_ROW; code = sqlite3_step(statement)) answer.push_back(row(statement));
    if (code != SQLITE_DONE) return file_.failure();
    return answer;
  }

 private:
  static std::string row(sqlite3_stmt* statement) {
    std::string text;
    for (int i = 0; i < sqlite3_column_count(statement); ++i) {
      const auto* const cell = reinterpret_cast<const char*>(sqlite3_column_text(statement, i));
      text += (i == 0 ? "" : "|") + std::string(cell == nullptr ? "null" : cell);
    }
    return text;
  }

  Status fill(const GraphData& graph) {
    CAIRN_TRY(insert("person", graph.persons, [](auto id, const auto& one) {
      return std::to_string(id) + ",'" + person_name(id) + "'," + std::to_string(one.age) + ",'" +
             city_name(one.city) + "'";
    }));
    CAIRN_TRY(insert("knows", graph.knows, [](auto, const auto& one) {
      return std::to_string(one.from) + "," + std::to_string(one.to) + "," +
             std::to_string(one.since);
    }));
    CAIRN_TRY(insert("message", graph.messages, [](auto id, const auto& one) {
      return std::to_string(id) + "," + std::to_string(one.author) + ",'" +
             graph_languages[one.language] + "'," + std::to_string(one.length) + "," +
             std::to_string(one.created);
    }));
    CAIRN_TRY(insert("tagged", graph.tagged, [](auto, const auto& one) {
      return std::to_string(one.message) + "," + std::to_string(one.tag);
    }));
    const std::vector<std::uint32_t> tags(graph.tags);
    return insert("tag", tags,
                  [](auto id, auto) { return std::to_string(id) + ",'" + tag_name(id) + "'"; });
  }

  /// Inserts several hundred rows per statement.
  template <class Rows, class ToText>
  Status insert(const std::string& table, const Rows& rows, const ToText& to_text) {
    constexpr std::size_t rows_a_statement = 500;
    std::string statement;
    for (std::uint64_t i = 0; i < rows.size(); ++i) {
      statement += (statement.empty() ? "INSERT INTO " + table + " VALUES (" : ",(") +
                   to_text(i, rows[i]) + ")";
      if ((i + 1) % rows_a_statement != 0 && i + 1 != rows.size()) continue;
      CAIRN_TRY(file_.run(statement));
      statement.clear();
    }
    return {};
  }

  SqliteFile file_;
  std::vector<SqliteStatement> statements_;
};

}  // namespace

GraphPeerResult make_graph_sqlite(const GraphSource& source) {
  auto peer = std::make_unique<SqliteGraph>();
  CAIRN_TRY(peer->open(source));
  return std::unique_ptr<GraphPeer>(std::move(peer));
}
#else
GraphPeerResult make_graph_sqlite(const GraphSource&) {
  return Error{ErrorCode::unsupported,
               "this program was built without SQLite; install libsqlite3-dev and build it again",
               std::nullopt};
}
#endif

}  // namespace cairn::tools
