// Kuzu as an engine of `cairn-bench graph`. Its npm package is the only build that is still published, so a
// child process runs it in Node and measures each answer there.
#include "tools/bench/child_process.hpp"
#include "tools/bench/graph_peer.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

namespace cairn::tools {
namespace {

/// Reads lines "QUESTION OPERAND...", where question i is the i-th line of the file of statements, and
/// answers "MILLISECONDS<tab>ROW<tab>ROW...". A failure is "!MESSAGE".
constexpr const char* script = R"(
const [, moduleDirectory, directory] = process.argv;
const kuzu = require(moduleDirectory);
const fs = require('node:fs');
const connection = new kuzu.Connection(new kuzu.Database(directory + '/graph.kuzu'));
const from = (file) => `FROM "${directory}/${file}.csv"`;
const plain = '(header=false)';
for (const text of [
  'CREATE NODE TABLE Person(id INT64 PRIMARY KEY, name STRING, age INT64, city STRING)',
  'CREATE NODE TABLE Message(id INT64 PRIMARY KEY, lang STRING, length INT64, created INT64)',
  'CREATE NODE TABLE Tag(id INT64 PRIMARY KEY, name STRING)',
  'CREATE REL TABLE KNOWS(FROM Person TO Person, since INT64)',
  'CREATE REL TABLE MET(FROM Person TO Person, since INT64)',
  'CREATE REL TABLE WROTE(FROM Person TO Message)',
  'CREATE REL TABLE TAGGED(FROM Message TO Tag)',
  `COPY Person ${from('persons')} ${plain}`,
  `COPY KNOWS ${from('knows')} ${plain}`,
  `COPY Message FROM (LOAD ${from('messages')} ${plain}
     RETURN CAST(column0, 'INT64'), column2, CAST(column3, 'INT64'), CAST(column4, 'INT64'))`,
  `COPY WROTE FROM (LOAD ${from('messages')} ${plain}
     RETURN CAST(column1, 'INT64'), CAST(column0, 'INT64'))`,
  `COPY Tag ${from('tags')} ${plain}`,
  `COPY TAGGED ${from('tagged')} ${plain}`,
]) connection.querySync(text).close();

const texts = fs.readFileSync(directory + '/statements.kuzu', 'utf8').split('\n');
const statements = texts.map((text) => {
  if (text === '') return undefined;
  const statement = connection.prepareSync(text);
  if (!statement.isSuccess()) throw new Error(`${statement.getErrorMessage()} in ${text}`);
  return { statement, names: ['id', 'other', 'n'].filter((name) => text.includes('$' + name)) };
});

function answer(line) {
  const [question, ...operands] = line.split(' ').map(Number);
  const { statement, names } = statements[question];
  const values = Object.fromEntries(names.map((name, i) => [name, operands[i]]));
  const start = process.hrtime.bigint();
  const result = connection.executeSync(statement, values);
  const rows = result.getAllSync();
  const spent = Number(process.hrtime.bigint() - start) / 1e6;
  const columns = result.getColumnNamesSync();
  result.close();
  const cells = (row) => columns.map((name) => row[name] ?? 'null').join('|');
  return [spent, ...rows.map(cells)].join('\t');
}

require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  let text;
  try { text = answer(line); } catch (error) { text = '!' + String(error.message).split('\n')[0]; }
  process.stdout.write(text + '\n');
});
process.stdout.write(kuzu.VERSION + '\n');
)";

/// Returns the question in Kuzu's Cypher; empty if Kuzu cannot answer it. Kuzu cannot compare nodes
/// or relationships. Its syntax differs for shortest paths and for conditions within
/// variable-length steps.
std::string kuzu_text(const GraphQuestion& question) {
  if (question.sql.empty()) return {};
  const auto& name = question.name;
  if (name == "hop2")
    return "MATCH (:Person {id: $id})-[:KNOWS]->()-[:KNOWS]->(g) RETURN count(DISTINCT g.id) AS n";
  if (name == "hop3")
    return "MATCH (p:Person {id: $id})-[:KNOWS]->(f)-[:KNOWS]->(g)-[:KNOWS]->(h) "
           "WHERE h.id <> p.id AND h.id <> f.id RETURN count(*) AS n";
  if (name == "reach3")
    return "MATCH (:Person {id: $id})-[:KNOWS*1..3]->(g) RETURN count(DISTINCT g.id) AS n";
  if (name == "var4" || name == "var4in")
    return "MATCH (:Person {id: $id})-[r:KNOWS*1..4 (x, y | WHERE x.since >= 2015)]->(g) "
           "RETURN count(DISTINCT g.id) AS n";
  if (name == "shortest")
    return "MATCH (a:Person {id: $id})-[r:KNOWS* SHORTEST 1..30]->(b:Person {id: $other}) "
           "RETURN length(r) AS hops";
  if (name == "fof20")
    return "MATCH (p:Person {id: $id})-[:KNOWS]->()-[:KNOWS]->(g) WHERE g.id <> p.id "
           "RETURN g.id AS id, count(*) AS n ORDER BY n DESC, id LIMIT 20";
  if (name == "triangles") return {};
  return std::string(question.cypher);
}

std::optional<std::string> find_node() {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::filesystem::exists(folder + "/node")) return folder + "/node";
  return std::nullopt;
}

class KuzuGraph final : public GraphPeer {
 public:
  explicit KuzuGraph(ChildProcess process) : process_(std::move(process)) {}

  [[nodiscard]] std::string name() const override { return "Kuzu " + version_; }

  Status open() {
    CAIRN_ASSIGN(version_, process_.receive());
    return {};
  }

  [[nodiscard]] bool has(std::size_t question) const override {
    return !kuzu_text(graph_questions()[question]).empty();
  }

  Result<GraphAnswer> ask(std::size_t question, std::span<const std::int64_t> operands) override {
    std::string line = std::to_string(question);
    for (const std::int64_t operand : operands) line += " " + std::to_string(operand);
    CAIRN_ASSIGN(const std::string text, process_.ask(line));
    if (text.starts_with('!'))
      return Error{ErrorCode::io_error, "Kuzu: " + text.substr(1), std::nullopt};
    std::istringstream cells(text);
    std::string cell;
    std::getline(cells, cell, '\t');
    milliseconds_ = std::stod(cell);
    GraphAnswer answer;
    while (std::getline(cells, cell, '\t')) answer.push_back(cell);
    return answer;
  }

  [[nodiscard]] std::optional<double> own_milliseconds() const override { return milliseconds_; }

 private:
  ChildProcess process_;
  std::string version_;
  std::optional<double> milliseconds_;
};

Status write_statements(const std::filesystem::path& file) {
  std::string texts;
  for (const GraphQuestion& question : graph_questions()) texts += kuzu_text(question) + "\n";
  std::ofstream out(file);
  out << texts;
  if (out.flush()) return {};
  return Error{ErrorCode::io_error, "cannot write " + file.string(), std::nullopt};
}

}  // namespace

GraphPeerResult make_graph_kuzu(const GraphSource& source, const std::string& package) {
  const auto node = find_node();
  if (!node) return Error{ErrorCode::not_found, "Kuzu needs Node: no `node` in PATH", std::nullopt};
  CAIRN_TRY(write_graph_tables(source.directory, source.graph));
  CAIRN_TRY(write_statements(source.directory / "statements.kuzu"));
  const std::string module = std::filesystem::absolute(package).string();
  const std::string directory = std::filesystem::absolute(source.directory).string();
  CAIRN_ASSIGN(ChildProcess process, ChildProcess::run(*node, {"-e", script, module, directory}));
  auto peer = std::make_unique<KuzuGraph>(std::move(process));
  CAIRN_TRY(peer->open());
  return std::unique_ptr<GraphPeer>(std::move(peer));
}

}  // namespace cairn::tools
