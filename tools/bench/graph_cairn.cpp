// This database as a peer of the graph benchmark. Fills the database by a bulk load, as a user would, and queries it
// by Cypher statements that are parsed once.
#include "tools/bench/graph_peer.hpp"

#include <cairn/database.hpp>
#include <cairn/statement.hpp>
#include <cairn/transfer.hpp>

#include <optional>
#include <utility>

namespace cairn::tools {
namespace {

class CairnGraph final : public GraphPeer {
 public:
  [[nodiscard]] std::string name() const override { return "Cairn"; }
  [[nodiscard]] bool has(std::size_t) const override { return true; }

  /// A bulk load is durable only once it is closed, so the database is opened again for the questions.
  Status open(const GraphSource& source) {
    const std::filesystem::path file = source.directory / "graph.jsonl";
    const std::filesystem::path directory = source.directory / "cairn";
    statement_options_.threads = source.threads;
    CAIRN_TRY(write_graph_lines(file, source.graph));
    Options options;
    options.mode = OpenMode::bulk_load;
    CAIRN_ASSIGN(Database loading, Database::open(directory, options));
    CAIRN_TRY(import_jsonl(loading, file));
    CAIRN_TRY(loading.close());
    std::filesystem::remove(file);
    CAIRN_ASSIGN(Database database, Database::open(directory));
    database_ = std::move(database);
    for (const GraphQuestion& question : graph_questions()) {
      CAIRN_ASSIGN(Statement statement, Statement::parse(question.cypher));
      statements_.push_back(std::move(statement));
    }
    return {};
  }

  Result<GraphAnswer> ask(std::size_t question, std::span<const std::int64_t> operands) override {
    CAIRN_ASSIGN(Rows rows, statements_[question].run(
                                *database_, parameters(graph_questions()[question], operands),
                                statement_options_));
    GraphAnswer answer;
    for (;;) {
      CAIRN_ASSIGN(const auto row, rows.next());
      if (!row) return answer;
      std::string text;
      for (const Value& cell : *row) {
        const std::string* const string = cell.string();
        text += (text.empty() ? "" : "|") + (string != nullptr ? *string : cell.to_text());
      }
      answer.push_back(std::move(text));
    }
  }

 private:
  static Parameters parameters(const GraphQuestion& question,
                               std::span<const std::int64_t> operands) {
    switch (question.operands) {
      case GraphOperands::none:
        return {};
      case GraphOperands::person:
        return {{"id", operands[0]}};
      case GraphOperands::two_persons:
        return {{"id", operands[0]}, {"other", operands[1]}};
      case GraphOperands::number:
        return {{"n", operands[0]}};
    }
    return {};
  }

  std::optional<Database> database_;
  std::vector<Statement> statements_;
  StatementOptions statement_options_;
};

}  // namespace

GraphPeerResult make_graph_cairn(const GraphSource& source) {
  auto peer = std::make_unique<CairnGraph>();
  CAIRN_TRY(peer->open(source));
  return std::unique_ptr<GraphPeer>(std::move(peer));
}

}  // namespace cairn::tools
