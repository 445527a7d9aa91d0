// DuckDB answers by prepared statements with one thread, as the other engines do. The table is
// filled by DuckDB's own reader of JSON lines.

#include "tools/bench/compare/metadata_peer.hpp"
#include "tools/bench/duckdb_file.hpp"

#include <filesystem>
#include <fstream>

namespace cairn::compare {
namespace {

using tools::DuckFile;
using tools::DuckRows;
using tools::DuckStatement;

const std::map<Get, const char*> texts_of_gets = {
    {Get::by_id, "SELECT kind, * FROM memories WHERE id = $1"},
    {Get::by_id_property, "SELECT created FROM memories WHERE id = $1"},
    {Get::by_id_statement, "SELECT created FROM memories WHERE id = $1"},
    {Get::by_key, "SELECT kind, * FROM memories WHERE key = $1"},
    {Get::by_key_property, "SELECT created FROM memories WHERE key = $1"},
    {Get::by_key_values, "SELECT kind, * FROM memories WHERE key = $1"}};

class DuckPeer final : public MetadataPeer {
 public:
  std::string name() const override { return "DuckDB " + file_.version(); }

  /// Columns have their own types and tags are a list, which is the fastest form for DuckDB.
  Status open(const std::string& library, const std::string& file, const std::string& json_lines,
              const Records& records) {
    const bool is_new = !std::filesystem::exists(file);
    CAIRN_TRY(file_.open(library, file));
    CAIRN_TRY(file_.run("SET threads = 1"));
    if (is_new) CAIRN_TRY(fill(json_lines, records));
    const std::map<std::string, std::string> names = {
        {"has", "list_contains(tags, $1)"},
        {"by_tag",
         "SELECT 'tags=' || tag, count(*) FROM (SELECT unnest(tags) AS tag FROM memories WHERE "
         "kind = $1 AND (source = $2 OR importance >= $3)) GROUP BY tag"}};
    for (const Shape shape : shapes)
      for (const std::string& text : sql_of(shape)) {
        CAIRN_ASSIGN(DuckStatement statement, file_.prepare(fill_in(text, names)));
        statements_[shape].push_back(std::move(statement));
      }
    for (const auto& [get, text] : texts_of_gets) {
      CAIRN_ASSIGN(gets_[get], file_.prepare(text));
    }
    return {};
  }

  Result<Answer> ask(const Question& question) override {
    Answer answer;
    std::vector<DuckStatement>& statements = statements_[question.shape];
    for (std::size_t i = 0; i < statements.size(); ++i) {
      bind(statements[i], question.operands);
      CAIRN_ASSIGN(const DuckRows rows, file_.execute(statements[i]));
      take(rows, i == 0 && !has_counts(question.shape), question.shape, answer);
    }
    return answer;
  }

  /// Fetches a text and returns its length, so that the engine cannot skip reading it.
  Result<std::size_t> get(Get get, std::uint64_t number) override {
    DuckStatement& statement = gets_.at(get);
    if (is_by_key(get))
      statement.bind(1, key_of(number));
    else
      statement.bind(1, static_cast<std::int64_t>(number));
    CAIRN_ASSIGN(const DuckRows rows, file_.execute(statement));
    return rows.size() > 0 ? rows.text(0, 0).size() : 0;
  }

 private:
  /// Uses DuckDB's reader of JSON, which is much faster than inserts.
  Status fill(const std::string& json_lines, const Records& records) {
    std::ofstream out(json_lines);
    for (std::size_t i = 0; i < records.size(); ++i) out << json_text(records[i], i + 1) << "\n";
    out.close();
    CAIRN_TRY(file_.run(
        "CREATE TABLE memories(id BIGINT PRIMARY KEY, kind VARCHAR, source VARCHAR, agent "
        "VARCHAR, session VARCHAR, tags VARCHAR[], importance BIGINT, tokens BIGINT, "
        "score DOUBLE, created VARCHAR, pinned BOOLEAN, key VARCHAR UNIQUE)"));
    CAIRN_TRY(
        file_.run("INSERT INTO memories SELECT *, 'memory/' || id FROM read_json('" + json_lines +
                  "', format = 'newline_delimited', columns = {id: 'BIGINT', kind: 'VARCHAR', "
                  "source: 'VARCHAR', agent: 'VARCHAR', session: 'VARCHAR', tags: 'VARCHAR[]', "
                  "importance: 'BIGINT', tokens: 'BIGINT', score: 'DOUBLE', created: 'VARCHAR', "
                  "pinned: 'BOOLEAN'})"));
    std::filesystem::remove(json_lines);
    return file_.run("CHECKPOINT");
  }

  static void bind(DuckStatement& statement, const std::vector<Operand>& operands) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (operands[i].is_number)
        statement.bind(i + 1, operands[i].number);
      else
        statement.bind(i + 1, operands[i].text);
    }
  }

  static void take(const DuckRows& rows, bool is_total, Shape shape, Answer& answer) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (is_total)
        answer.total = static_cast<std::uint64_t>(rows.number(row, 0));
      else if (has_ids(shape))
        answer.ids.push_back(static_cast<std::uint64_t>(rows.number(row, 0)));
      else
        answer.counts[rows.text(row, 0)] = static_cast<std::uint64_t>(rows.number(row, 1));
    }
  }

  DuckFile file_;
  std::map<Get, DuckStatement> gets_;
  std::map<Shape, std::vector<DuckStatement>> statements_;
};

}  // namespace

PeerResult make_duckdb_peer(const std::string& library, const std::string& file,
                            const std::string& json_lines, const Records& records) {
  auto peer = std::make_unique<DuckPeer>();
  CAIRN_TRY(peer->open(library, file, json_lines, records));
  return std::unique_ptr<MetadataPeer>(std::move(peer));
}

}  // namespace cairn::compare
