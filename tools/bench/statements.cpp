// `cairn-bench statements`: runs statements with parameters, one per line. Writes are durable.
// First runs every line once in order, which may change the database. Then repeats each distinct
// statement for a time with the parameters of its lines. Errors are counted and written with the
// rows; the command fails only after all lines have run.
#include "tools/bench/replay.hpp"
#include "tools/bench/stopwatch.hpp"

#include <cairn/database.hpp>
#include <cairn/json.hpp>
#include <cairn/statement.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::tools {
namespace {

Error wrong(std::string message) {
  return {ErrorCode::invalid_argument, std::move(message), std::nullopt};
}

/// One statement text with the parameters of all its lines.
struct Work {
  std::string text;
  Statement statement;
  std::vector<Parameters> parameters;
  std::int64_t errors = 0;
  Stopwatch watch;
};

/// One line of the file: the index of its statement, the index of its parameters in the statement's
/// list, and its number.
struct Line {
  std::size_t work = 0;
  std::size_t parameters = 0;
  std::size_t number = 0;  // in the file, from 1
};

/// Statements in the order of their first lines, and the statement of each line.
struct Script {
  std::vector<Work> works;
  std::vector<Line> lines;
};

const Value* field(const Map& map, std::string_view name, std::string_view other) {
  auto found = map.find(name);
  if (found == map.end()) found = map.find(other);
  return found == map.end() ? nullptr : &found->second;
}

/// Refuses unknown members, which would otherwise be ignored without notice.
Status check_members(const Map& map) {
  static constexpr std::array<std::string_view, 4> known{"statement", "query", "parameters",
                                                         "params"};
  for (const auto& [name, value] : map)
    if (std::ranges::find(known, name) == known.end())
      return wrong("\"" + name + "\" is not one of \"statement\" and \"parameters\"");
  return {};
}

/// Adds a line. Lines with the same text share one statement, which is parsed once; their runs are
/// measured together.
Status add_line(Script& script, std::map<std::string, std::size_t>& known, const std::string& line,
                std::size_t number) {
  CAIRN_ASSIGN(const Value value, parse_json(line));
  if (value.map() == nullptr) return wrong("the line is not a JSON object");
  CAIRN_TRY(check_members(*value.map()));
  const Value* text = field(*value.map(), "statement", "query");
  if (text == nullptr || text->string() == nullptr)
    return wrong("the line needs a text in \"statement\"");
  const auto [place, is_new] = known.try_emplace(text->as_string(), script.works.size());
  if (is_new) {
    CAIRN_ASSIGN(Statement statement, Statement::parse(text->as_string()));
    script.works.push_back({text->as_string(), std::move(statement), {}, 0, {}});
  }
  const Value* parameters = field(*value.map(), "parameters", "params");
  if (parameters != nullptr && parameters->map() == nullptr)
    return wrong("\"parameters\" must be an object");
  auto& all = script.works[place->second].parameters;
  script.lines.push_back({place->second, all.size(), number});
  all.push_back(parameters != nullptr ? *parameters->map() : Parameters());
  return {};
}

Result<Script> read_script(const std::string& file) {
  std::ifstream input(file, std::ios::binary);
  if (!input) return Error{ErrorCode::not_found, "cannot read " + file, std::nullopt};
  Script script;
  std::map<std::string, std::size_t> known;
  std::string line;
  for (std::size_t number = 1; std::getline(input, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const Status added = add_line(script, known, line, number);
    if (!added)
      return Error{added.error().code,
                   file + ", line " + std::to_string(number) + ": " + added.error().message,
                   std::nullopt};
  }
  return script;
}

struct Answer {
  List columns;
  List rows;
  Rows taken;  // for its warnings, which are computed on request, outside of the timed part
};

/// Reads all rows, because making them is part of the statement's work.
Result<Answer> run_once(Database& database, const Statement& statement,
                        const Parameters& parameters) {
  CAIRN_ASSIGN(Rows rows, statement.run(database, parameters));
  Answer answer{{}, {}, std::move(rows)};
  for (const std::string& column : answer.taken.columns()) answer.columns.emplace_back(column);
  while (true) {
    CAIRN_ASSIGN(const auto row, answer.taken.next());
    if (!row) return answer;
    answer.rows.emplace_back(List(row->begin(), row->end()));
  }
}

Map describe(std::size_t line, Result<Answer> answer) {
  Map result{{"line", static_cast<std::int64_t>(line)}};
  if (!answer) {
    result["error"] = std::string(to_string(answer.error().code)) + ": " + answer.error().message;
    return result;
  }
  result["columns"] = Value(std::move(answer->columns));
  result["rows"] = Value(std::move(answer->rows));
  return result;
}

/// Runs each line once, in order. Results are written outside of the timed part. Each warning is
/// reported once. If lines failed, returns one error with their number and the first failure,
/// because rates of failed statements mean nothing.
Status run_lines(Database& database, Script& script, std::ostream* results) {
  std::size_t failed = 0;
  Error first;
  const std::vector<std::string> none;
  std::set<std::string> printed;
  for (std::size_t i = 0; i < script.lines.size(); ++i) {
    const Line& line = script.lines[i];
    const std::string place = "line " + std::to_string(line.number) + ": ";
    Work& work = script.works[line.work];
    work.watch.restart();
    auto answer = run_once(database, work.statement, work.parameters[line.parameters]);
    work.watch.lap();
    if (!answer) ++work.errors;
    if (!answer && ++failed == 1) first = {answer.error().code, place + answer.error().message, {}};
    for (const std::string& warning : answer ? answer->taken.warnings() : none)
      if (printed.insert(warning).second) std::cerr << "warning: " << place << warning << "\n";
    if (results != nullptr) *results << to_json(Value(describe(i + 1, std::move(answer)))) << "\n";
  }
  if (failed == 0) return {};
  first.message = std::to_string(failed) + " of " + std::to_string(script.lines.size()) +
                  " lines failed; " + first.message;
  return first;
}

/// Repeats the statement for at least `seconds`, with its parameters in turn. Failed runs are
/// counted and timed too.
void repeat(Database& database, Work& work, double seconds) {
  const auto begin = Clock::now();
  work.watch.restart();
  for (std::size_t i = 0; seconds_since(begin) < seconds; ++i) {
    if (!run_once(database, work.statement, work.parameters[i % work.parameters.size()]))
      ++work.errors;
    work.watch.lap();
  }
}

Map figures_of(const Work& work) {
  Map figures = work.watch.figures();
  figures["statement"] = work.text;
  figures["lines"] = static_cast<std::int64_t>(work.parameters.size());
  figures["writes"] = work.statement.is_writing();
  figures["errors"] = work.errors;
  return figures;
}

}  // namespace

// Runs every line once in the order of the file before any is repeated, because later lines may
// need what earlier ones wrote.
Status replay(const StatementsReplay& work) {
  CAIRN_ASSIGN(Script script, read_script(work.file));
  Options options;
  options.create_if_missing = false;
  CAIRN_ASSIGN(Database database, Database::open(work.database, options));
  std::optional<std::ofstream> results;
  if (!work.results.empty()) results.emplace(work.results, std::ios::binary | std::ios::trunc);
  const Status ran = run_lines(database, script, results ? &*results : nullptr);
  if (results) results->close();
  if (results && !*results)
    return Error{ErrorCode::io_error, "cannot write " + work.results, std::nullopt};
  List statements;
  for (Work& one : script.works) {
    repeat(database, one, work.seconds);
    statements.emplace_back(figures_of(one));
  }
  CAIRN_TRY(write_report(work.report, {{"lines", static_cast<std::int64_t>(script.lines.size())},
                                       {"statements", Value(std::move(statements))}}));
  CAIRN_TRY(database.close());
  return ran;
}

}  // namespace cairn::tools
