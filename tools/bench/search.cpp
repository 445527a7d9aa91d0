// `cairn-bench search`: searches on one thread, one query at a time, and evaluates the filter in
// each search. Each setting (an EF or a class of accuracy) is warmed, measured for a time, and
// profiled once. The ids of the first pass go to a file, from which the user can compute the
// recall.
#include "tools/bench/number_file.hpp"
#include "tools/bench/replay.hpp"
#include "tools/bench/stopwatch.hpp"
#include "tools/text/near_name.hpp"

#include <cairn/database.hpp>
#include <cairn/statement.hpp>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace cairn::tools {
namespace {

Error wrong(std::string message) {
  return {ErrorCode::invalid_argument, std::move(message), std::nullopt};
}

std::string quoted_name(const std::string& name) {
  std::string quoted = "`";
  for (const char c : name) quoted += c == '`' ? "``" : std::string(1, c);
  return quoted + "`";
}

bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Names the likely reason: an interrupted load leaves the nodes without their index.
Error no_index(const std::string& name, const std::vector<std::string>& others) {
  const std::string_view nearest = nearest_name(name, others, 2);
  std::string text = "there is no vector index \"" + name + "\" over nodes";
  if (!nearest.empty()) text += "; did you mean \"" + std::string(nearest) + "\"?";
  if (others.empty())
    text +=
        ", nor any other one; maybe cairn-bench load was interrupted. Make the index with the "
        "label, property and dimension of the nodes, as in CREATE VECTOR INDEX " +
        quoted_name(name) +
        " FOR (n:Label) ON (n.property) OPTIONS {indexConfig: {`vector.dimensions`: 128}}";
  return {ErrorCode::not_found, std::move(text), std::nullopt};
}

/// Finds an index by its exact name, or else the only index that has the name as a label or
/// property.
Result<IndexDescription> find_index(const Database& database, const std::string& name) {
  CAIRN_ASSIGN(const Snapshot snapshot, database.snapshot());
  CAIRN_ASSIGN(const auto indexes, snapshot.indexes());
  std::vector<IndexDescription> likely;
  std::vector<std::string> others;
  for (const IndexDescription& index : indexes) {
    if (index.kind != "VECTOR" || index.entity != "NODE") continue;
    if (index.name == name) return index;
    others.push_back(index.name);
    const auto has = [&](const auto& names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (has(index.labels_or_types) || has(index.properties)) likely.push_back(index);
  }
  if (likely.size() == 1) return likely.front();
  return no_index(name, others);
}

/// One combination of search options, measured separately.
struct Setting {
  std::int64_t ef = 0;  // 0: not given
  std::string recall;   // class of accuracy; empty: not given
};

/// Returns the settings to measure. Without options, returns one setting that leaves all choices to
/// the database.
std::vector<Setting> settings_of(const SearchReplay& work) {
  std::vector<Setting> settings;
  for (const std::size_t ef : work.efs) settings.push_back({static_cast<std::int64_t>(ef), {}});
  for (const std::string& recall : work.recalls) settings.push_back({0, recall});
  if (settings.empty()) settings.emplace_back();
  return settings;
}

std::string option_text(const Setting& setting) {
  if (!setting.recall.empty()) return " ACCURACY " + setting.recall;
  return setting.ef > 0 ? " EF " + std::to_string(setting.ef) : std::string();
}

/// Removes the position and the shown lines from a message such as "line 1, column 2: expected
/// ...", because they refer to a generated statement.
std::string sentence_of(const std::string& message) {
  const std::string line = message.substr(0, message.find('\n'));
  const std::size_t end = line.starts_with("line ") ? line.find(": ") : std::string::npos;
  return end == std::string::npos ? line : line.substr(end + 2);
}

/// Checks that `where` is one expression, which neither ends a clause nor begins one. The text must
/// parse in parentheses and in square brackets: then it closes neither bracket, and it is not a
/// list. The line break ends a comment.
Status check_filter(const std::string& where) {
  if (where.empty()) return {};
  const std::string match = "MATCH (" + quoted_name(variable_of(where)) + ") ";
  for (const std::string& text : {match + "RETURN [" + where + "\n] AS one",
                                  match + "WHERE (" + where + "\n) RETURN 1 AS one"}) {
    const auto parsed = Statement::parse(text);
    if (!parsed)
      return Error{parsed.error().code,
                   "--where: " + sentence_of(parsed.error().message) +
                       "; it is one expression, such as 'm.user = $user AND m.year > 2020'",
                   std::nullopt};
  }
  return {};
}

/// Passes all values as parameters, so that each setting is parsed once. Parsing is measured
/// separately.
std::string statement_text(const SearchReplay& work, const IndexDescription& index,
                           const Setting& setting) {
  const std::string variable = quoted_name(variable_of(work.where));
  return "MATCH (" + variable + ") SEARCH " + variable + " IN (VECTOR INDEX " +
         quoted_name(index.name) + " FOR $query" +
         (work.where.empty() ? "" : " WHERE " + work.where + "\n") + option_text(setting) +
         " LIMIT $k) RETURN id(" + variable + ") AS id";
}

/// Makes the parameters of each query before the timed part.
Result<std::vector<Parameters>> read_queries(const SearchReplay& work,
                                             const IndexDescription& index) {
  const auto dimension = index.options.find("vector.dimensions");
  if (dimension == index.options.end())
    return wrong("index \"" + index.name + "\" has no dimension");
  CAIRN_ASSIGN(
      VectorFile file,
      VectorFile::open(work.queries, static_cast<std::uint32_t>(dimension->second.as_integer())));
  std::vector<Value> vectors;
  for (std::uint64_t row = 0; row < file.rows(); ++row) {
    CAIRN_ASSIGN(std::vector<float> components, file.next());
    vectors.emplace_back(Vector(std::move(components)));
  }
  std::vector<std::int32_t> rows(vectors.size());
  std::iota(rows.begin(), rows.end(), 0);
  if (!work.rows.empty()) {
    CAIRN_ASSIGN(rows, read_numbers(work.rows));
  }
  std::vector<Parameters> queries;
  for (const std::int32_t row : rows) {
    if (row < 0 || static_cast<std::size_t>(row) >= vectors.size())
      return wrong(work.queries + " has no row " + std::to_string(row));
    Parameters parameters = work.parameters;
    parameters["query"] = vectors[static_cast<std::size_t>(row)];
    parameters["k"] = static_cast<std::int64_t>(work.k);
    parameters["row"] = std::int64_t{row};
    queries.push_back(std::move(parameters));
  }
  if (queries.empty()) return wrong("there is no query in " + work.queries);
  return queries;
}

/// The number of each hit in the file of ids, by node id.
using HitNames = std::unordered_map<std::int64_t, std::int32_t>;

// Takes the value of a property, or else the number in import order, because ids ascend in this
// order.
Result<HitNames> name_hits(Database& database, const SearchReplay& work,
                           const IndexDescription& index) {
  const std::string name = work.id_property.empty() ? "null" : "n." + quoted_name(work.id_property);
  CAIRN_ASSIGN(const Statement statement,
               Statement::parse("MATCH (n:" + quoted_name(index.labels_or_types.at(0)) +
                                ") RETURN id(n) AS id, " + name + " AS name ORDER BY id"));
  StatementOptions options;
  options.timeout = std::chrono::hours(1);
  options.memory_bytes = std::size_t{8} << 30;
  options.max_rows = std::size_t{1} << 40;
  CAIRN_ASSIGN(Rows rows, statement.run(database, {}, options));
  HitNames names;
  while (true) {
    CAIRN_ASSIGN(const auto row, rows.next());
    if (!row) return names;
    const auto* value = (*row)[1].get_if<std::int64_t>();
    if (!work.id_property.empty() && (value == nullptr || !std::in_range<std::int32_t>(*value)))
      return wrong("node " + (*row)[0].to_text() + " has no 32-bit integer in \"" +
                   work.id_property + "\"");
    names.emplace(
        (*row)[0].as_integer(),
        static_cast<std::int32_t>(value ? *value : static_cast<std::int64_t>(names.size())));
  }
}

class SearchRun {
 public:
  SearchRun(Database& database, const SearchReplay& work, const IndexDescription& index,
            const std::vector<Parameters>& queries)
      : database_(database), work_(work), index_(index), queries_(queries) {}

  /// Lets later searches record the ids of their hits, by these names.
  void name_by(HitNames names) { names_ = std::move(names); }

  /// The time that the first caller waits, with an index that has not been used yet.
  Result<double> first_answer_ms() {
    const Setting setting = settings_of(work_).front();
    const auto begin = Clock::now();
    CAIRN_ASSIGN(const Statement statement,
                 Statement::parse(statement_text(work_, index_, setting)));
    CAIRN_TRY(run_once(statement, queries_.front()));
    return 1e3 * seconds_since(begin);
  }

  /// Measures one setting. Appends the ids of the first pass outside of the timed part.
  Result<Map> measure(const Setting& setting, const std::string& text,
                      std::vector<std::int32_t>& ids) {
    CAIRN_ASSIGN(const Statement statement, Statement::parse(text));
    for (std::size_t i = 0; i < std::min(warm_up, queries_.size()); ++i)
      CAIRN_TRY(run_once(statement, queries_[i]));
    Stopwatch watch;
    std::int64_t returned = 0;
    for (const auto begin = Clock::now();
         watch.laps() == 0 || seconds_since(begin) < work_.seconds;) {
      const bool is_first = watch.laps() == 0;
      watch.restart();
      for (const Parameters& query : queries_) {
        CAIRN_TRY(run_once(statement, query));
        watch.lap();
        if (!is_first) continue;
        returned += static_cast<std::int64_t>(hits_.size());
        append_names(ids);
        watch.restart();
      }
    }
    Map figures = watch.figures();
    figures["qps"] = figures["rate"];
    figures["returned"] = returned;
    figures["ef"] = setting.ef;
    figures["recall"] = setting.recall;
    CAIRN_ASSIGN(figures["plan"], profile(text));
    return figures;
  }

 private:
  static constexpr std::size_t warm_up = 20;

  Status run_once(const Statement& statement, const Parameters& query) {
    const Status answered = take_hits(statement, query);
    if (answered) return {};
    return Error{answered.error().code,
                 "row " + query.at("row").to_text() + " of " + work_.queries + ": " +
                     answered.error().message,
                 std::nullopt};
  }

  /// Reads the rows as a caller would, so that the time includes making them.
  Status take_hits(const Statement& statement, const Parameters& query) {
    hits_.clear();
    CAIRN_ASSIGN(Rows rows, statement.run(database_, query));
    while (true) {
      CAIRN_ASSIGN(const auto row, rows.next());
      if (!row) return {};
      const auto* id = (*row)[0].get_if<std::int64_t>();
      if (id == nullptr)
        return wrong("a search returned " + (*row)[0].to_text() + " instead of an id");
      hits_.push_back(*id);
    }
  }

  /// Always appends k numbers per query, so that the file is a matrix.
  void append_names(std::vector<std::int32_t>& ids) const {
    if (work_.ids.empty()) return;
    for (std::size_t i = 0; i < work_.k; ++i) {
      const auto name = i < hits_.size() ? names_.find(hits_[i]) : names_.end();
      ids.push_back(name == names_.end() ? -1 : name->second);
    }
  }

  /// Returns the plan of the first query, by PROFILE. Writes each warning of the database, such as
  /// a name that does not exist, to standard error once.
  Result<std::string> profile(const std::string& text) {
    CAIRN_ASSIGN(Rows rows, execute(database_, "PROFILE " + text, queries_.front()));
    CAIRN_TRY(rows.all());
    for (const std::string& warning : rows.warnings())
      if (told_.insert(warning).second) std::cerr << "warning: " << warning << "\n";
    return rows.plan();
  }

  Database& database_;
  const SearchReplay& work_;
  const IndexDescription& index_;
  const std::vector<Parameters>& queries_;
  HitNames names_;
  std::vector<std::int64_t> hits_;  // of the last query
  std::set<std::string> told_;      // warnings already written
};

/// Returns the median time of a hundred parses. It is reported separately, because callers may
/// parse a statement once and run it often.
Result<double> parse_us(const std::string& text) {
  constexpr int times = 100;
  Stopwatch watch;
  for (int i = 0; i < times; ++i) {
    CAIRN_TRY(Statement::parse(text));
    watch.lap();
  }
  return watch.figures()["p50_us"].as_float();
}

}  // namespace

// Finds the first name that has a dot after it and is neither a parameter nor a property: m in
// m.year. Skips strings.
std::string variable_of(std::string_view expression) {
  for (std::size_t i = 0; i < expression.size();) {
    const char c = expression[i];
    const std::size_t begin = i;
    if (c == '\'' || c == '"') {
      for (++i; i < expression.size() && expression[i] != c; ++i)
        if (expression[i] == '\\') ++i;
      ++i;
    } else if (is_name_part(c)) {
      while (i < expression.size() && is_name_part(expression[i])) ++i;
      const bool is_behind =
          begin > 0 && (expression[begin - 1] == '$' || expression[begin - 1] == '.');
      if (is_name_start(c) && !is_behind && i < expression.size() && expression[i] == '.')
        return std::string(expression.substr(begin, i - begin));
    } else {
      ++i;
    }
  }
  return "n";
}

// Writes the ids of the hits to a file and does not judge them: recall is computed by a program
// that has the true answers.
Status replay(const SearchReplay& work) {
  CAIRN_TRY(check_filter(work.where));
  Options options;
  options.create_if_missing = false;
  const auto begin = Clock::now();
  CAIRN_ASSIGN(Database database, Database::open(work.database, options));
  const double open_ms = 1e3 * seconds_since(begin);
  CAIRN_ASSIGN(const IndexDescription index, find_index(database, work.index));
  CAIRN_ASSIGN(const std::vector<Parameters> queries, read_queries(work, index));
  SearchRun run(database, work, index, queries);
  CAIRN_ASSIGN(const double first_answer_ms, run.first_answer_ms());
  if (!work.ids.empty()) {
    CAIRN_ASSIGN(HitNames names, name_hits(database, work, index));
    run.name_by(std::move(names));
  }
  std::vector<std::int32_t> ids;
  List settings;
  double parsing_us = 0;
  for (const Setting& setting : settings_of(work)) {
    const std::string text = statement_text(work, index, setting);
    CAIRN_ASSIGN(parsing_us, parse_us(text));
    CAIRN_ASSIGN(Map figures, run.measure(setting, text, ids));
    settings.emplace_back(std::move(figures));
  }
  if (!work.ids.empty()) CAIRN_TRY(write_numbers(work.ids, ids));
  CAIRN_TRY(write_report(work.report, {{"index", index.name},
                                       {"vectors", static_cast<std::int64_t>(index.entries)},
                                       {"queries", static_cast<std::int64_t>(queries.size())},
                                       {"k", static_cast<std::int64_t>(work.k)},
                                       {"where", work.where},
                                       {"open_ms", open_ms},
                                       {"first_answer_ms", first_answer_ms},
                                       {"parse_us", parsing_us},
                                       {"settings", Value(std::move(settings))}}));
  return database.close();
}

}  // namespace cairn::tools
