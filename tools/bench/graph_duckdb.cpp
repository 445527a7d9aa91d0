// DuckDB as a peer of the graph benchmark: the graph in tables with indexes, queried by prepared SQL statements.
#include "tools/bench/duckdb_file.hpp"
#include "tools/bench/graph_peer.hpp"
#include "tools/bench/graph_sql.hpp"

#include <utility>

namespace cairn::tools {
namespace {

class DuckGraph final : public GraphPeer {
 public:
  [[nodiscard]] std::string name() const override { return "DuckDB " + file_.version(); }

  /// Fills the tables with DuckDB's reader of CSV files, which is much faster than inserts.
  Status open(const GraphSource& source, const std::string& library) {
    CAIRN_TRY(file_.open(library, (source.directory / "graph.duckdb").string()));
    CAIRN_TRY(file_.run(graph_tables_sql));
    CAIRN_TRY(write_graph_tables(source.directory, source.graph));
    for (const auto& [table, file] : {std::pair{"person", "persons.csv"},
                                      {"knows", "knows.csv"},
                                      {"message", "messages.csv"},
                                      {"tagged", "tagged.csv"},
                                      {"tag", "tags.csv"}})
      CAIRN_TRY(file_.run("COPY " + std::string(table) + " FROM '" +
                          (source.directory / file).string() + "' (HEADER false)"));
    CAIRN_TRY(file_.run(graph_indexes_sql));
    CAIRN_TRY(file_.run("CHECKPOINT"));
    for (const GraphQuestion& question : graph_questions()) {
      DuckStatement statement;
      if (!question.sql.empty()) {
        CAIRN_ASSIGN(statement, file_.prepare(with_dollars(question.sql)));
      }
      statements_.push_back(std::move(statement));
    }
    return {};
  }

  Result<GraphAnswer> ask(std::size_t question, std::span<const std::int64_t> operands) override {
    DuckStatement& statement = statements_[question];
    for (std::size_t i = 0; i < operands.size(); ++i) statement.bind(i + 1, operands[i]);
    CAIRN_ASSIGN(const DuckRows rows, file_.execute(statement));
    GraphAnswer answer;
    if (graph_questions()[question].writes) return answer;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      std::string text;
      for (std::size_t column = 0; column < rows.columns(); ++column)
        text += (column == 0 ? "" : "|") + rows.text(row, column);
      answer.push_back(std::move(text));
    }
    return answer;
  }

 private:
  /// Replaces the parameters ?1 of SQLite by $1, because DuckDB needs this form.
  static std::string with_dollars(std::string_view sql) {
    std::string text(sql);
    for (char& letter : text)
      if (letter == '?') letter = '$';
    return text;
  }

  DuckFile file_;
  std::vector<DuckStatement> statements_;
};

}  // namespace

GraphPeerResult make_graph_duckdb(const GraphSource& source, const std::string& library) {
  auto peer = std::make_unique<DuckGraph>();
  CAIRN_TRY(peer->open(source, library));
  return std::unique_ptr<GraphPeer>(std::move(peer));
}

}  // namespace cairn::tools
