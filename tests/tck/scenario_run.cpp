#include "tests/tck/scenario_run.hpp"

#include "tests/tck/canonical_text.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <span>

namespace cairn::tck {
namespace {

bool begins(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

std::string described(const Error& error) {
  return std::string(to_string(error.code)) + ": " + error.message;
}

/// True if our error code corresponds to the kit's kind of error. The kit's syntax error at run
/// time is our invalid_argument or type_error, and its type error at compile time may be our
/// parse_error.
bool is_kind(std::string_view kind, bool is_compile_time, ErrorCode code) {
  using Codes = std::array<ErrorCode, 2>;
  if (kind == "SyntaxError" && !is_compile_time)
    return code == ErrorCode::invalid_argument || code == ErrorCode::type_error;
  if (kind == "TypeError" && is_compile_time && code == ErrorCode::parse_error) return true;
  static const std::map<std::string_view, Codes> kinds{
      {"SyntaxError", {ErrorCode::parse_error, ErrorCode::parse_error}},
      {"TypeError", {ErrorCode::type_error, ErrorCode::type_error}},
      {"ArgumentError", {ErrorCode::invalid_argument, ErrorCode::invalid_argument}},
      {"SemanticError", {ErrorCode::invalid_argument, ErrorCode::conflict}},
      {"ConstraintVerificationFailed", {ErrorCode::conflict, ErrorCode::conflict}},
      {"EntityNotFound", {ErrorCode::not_found, ErrorCode::not_found}},
      {"ParameterMissing", {ErrorCode::invalid_argument, ErrorCode::not_found}},
      {"ProcedureError", {ErrorCode::not_found, ErrorCode::parse_error}},
      {"ArithmeticError", {ErrorCode::invalid_argument, ErrorCode::invalid_argument}},
  };
  const auto found = kinds.find(kind);
  return found != kinds.end() && std::ranges::find(found->second, code) != found->second.end();
}

/// Returns the index of each expected column in the rows; nullopt if the names differ. The kit
/// compares columns by name.
std::optional<std::vector<std::size_t>> column_order(const std::vector<std::string>& actual,
                                                     const std::vector<std::string>& expected) {
  if (actual.size() != expected.size()) return std::nullopt;
  std::vector<std::size_t> order;
  for (const std::string& name : expected) {
    const auto found = std::ranges::find(actual, name);
    if (found == actual.end()) return std::nullopt;
    order.push_back(static_cast<std::size_t>(found - actual.begin()));
  }
  return order;
}

std::string row_text(std::span<const Value> row, std::span<const std::size_t> columns,
                     ListOrder order) {
  std::string text;
  for (std::size_t column : columns) text += canonical_text(row[column], order) + " | ";
  return text;
}

std::optional<std::string> row_text(const std::vector<std::string>& cells, ListOrder order) {
  std::string text;
  for (const std::string& cell : cells) {
    const auto value = expected_text(cell, order);
    if (!value) return std::nullopt;
    text += *value + " | ";
  }
  return text;
}

std::string lines(const std::vector<std::string>& rows) {
  std::string text;
  for (const std::string& row : rows) text += "\n    " + row;
  return text;
}

long gained(const std::set<std::string>& from, const std::set<std::string>& to) {
  return std::count_if(to.begin(), to.end(),
                       [&](const std::string& item) { return !from.contains(item); });
}

void add_state(GraphState& state, const Node& node) {
  const std::string name = "n" + std::to_string(node.id().value);
  state.nodes.insert(name);
  state.labels.insert(node.labels().begin(), node.labels().end());
  for (const auto& [key, value] : node.properties())
    state.properties.insert(name + "." + key + "=" + canonical_text(value, ListOrder::kept));
}

void add_state(GraphState& state, const Relationship& relationship) {
  const std::string name = "r" + std::to_string(relationship.id().value);
  state.relationships.insert(name);
  for (const auto& [key, value] : relationship.properties())
    state.properties.insert(name + "." + key + "=" + canonical_text(value, ListOrder::kept));
}

constexpr std::string_view procedure_step = "there exists a procedure ";

/// The rows below the header.
Result<std::vector<std::vector<Value>>> literals_of(
    const std::vector<std::vector<std::string>>& table) {
  std::vector<std::vector<Value>> rows;
  for (std::size_t i = 1; i < table.size(); ++i) {
    std::vector<Value> row;
    for (const std::string& cell : table[i]) {
      CAIRN_ASSIGN(Value value, parse_literal(cell));
      row.push_back(std::move(value));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// Numbers by their value: 42 is 42.0.
bool same(const Value& a, const Value& b) {
  const auto x = value_as<double>(a);
  const auto y = value_as<double>(b);
  if (x && y) return *x == *y;
  return canonical_text(a, ListOrder::kept) == canonical_text(b, ListOrder::kept);
}

template <class Entity>
Status add_all(Database& database, std::string_view text, GraphState& state) {
  CAIRN_ASSIGN(Rows rows, cairn::execute(database, text));
  CAIRN_ASSIGN(const auto all, rows.all());
  for (const auto& row : all) add_state(state, *row[0].template get_if<Entity>());
  return {};
}

}  // namespace

std::optional<std::string> ScenarioRun::run(const Scenario& scenario) {
  parameters_.clear();
  error_.reset();
  rows_.clear();
  columns_.clear();
  if (Outcome problem = clear()) return problem;
  for (const Step& step : scenario.steps)
    if (Outcome problem = run_step(step)) return step.text + ": " + *problem;
  return std::nullopt;
}

ScenarioRun::Outcome ScenarioRun::run_step(const Step& step) {
  const std::string& text = step.text;
  if (text == "an empty graph" || text == "any graph") return std::nullopt;
  if (begins(text, "having executed")) return prepare(step.document);
  if (begins(text, "parameters are")) return read_parameters(step);
  if (begins(text, procedure_step)) return register_procedure(step);
  if (begins(text, "executing")) return execute(step);
  if (begins(text, "the result should be")) return compare_rows(step);
  if (begins(text, "the side effects") || text == "no side effects")
    return compare_side_effects(step);
  if (text.find("should be raised") != std::string::npos) return compare_error(text);
  if (begins(text, "the ") && text.ends_with(" graph"))
    return load_graph(text.substr(4, text.size() - 10));
  return "this step is not supported";
}

ScenarioRun::Outcome ScenarioRun::prepare(const std::string& statements) {
  for (std::string_view statement : split_statements(statements)) {
    auto rows = cairn::execute(database_, statement, parameters_);
    if (!rows) return described(rows.error());
    if (auto all = rows->all(); !all) return described(all.error());
  }
  return std::nullopt;
}

ScenarioRun::Outcome ScenarioRun::load_graph(const std::string& name) {
  std::ifstream file(graphs_ / name / (name + ".cypher"));
  if (!file) return "there is no graph " + name;
  return prepare(std::string(std::istreambuf_iterator<char>(file), {}));
}

ScenarioRun::Outcome ScenarioRun::read_parameters(const Step& step) {
  for (const auto& row : step.table) {
    auto value = parse_literal(row[1]);
    if (!value) return "parameter " + row[0] + ": " + described(value.error());
    parameters_[row[0]] = *value;
  }
  return std::nullopt;
}

// A row of the table is what the procedure takes, then what it gives for that.
ScenarioRun::Outcome ScenarioRun::register_procedure(const Step& step) {
  std::string_view signature = std::string_view(step.text).substr(procedure_step.size());
  signature = signature.substr(0, signature.rfind(')') + 1);
  auto table = literals_of(step.table);
  if (!table) return described(table.error());
  const auto body = [rows = *std::move(table)](std::span<const Value> arguments,
                                               ProcedureRows& out) -> Status {
    for (const std::vector<Value>& row : rows) {
      if (row.size() < arguments.size() ||
          !std::equal(arguments.begin(), arguments.end(), row.begin(), same))
        continue;
      const auto first = row.begin() + static_cast<std::ptrdiff_t>(arguments.size());
      CAIRN_TRY(out.add({first, row.end()}));
    }
    return {};
  };
  procedures_.emplace_back(signature.substr(0, signature.find('(')));
  const Status done = database_.register_procedure(signature, body);
  return done ? Outcome() : Outcome(described(done.error()));
}

ScenarioRun::Outcome ScenarioRun::execute(const Step& step) {
  auto state = read_state();
  if (!state) return described(state.error());
  before_ = *std::move(state);
  error_.reset();
  auto rows = cairn::execute(database_, step.document, parameters_);
  if (!rows) {
    error_ = rows.error();
    return std::nullopt;
  }
  columns_ = rows->columns();
  auto all = rows->all();
  if (all)
    rows_ = *std::move(all);
  else
    error_ = all.error();
  return std::nullopt;
}

ScenarioRun::Outcome ScenarioRun::compare_rows(const Step& step) const {
  if (error_) return "failed with " + described(*error_);
  if (step.table.empty()) {
    if (rows_.empty()) return std::nullopt;
    return std::to_string(rows_.size()) + " rows came back";
  }
  const bool is_ordered = step.text.find("in order") != std::string::npos;
  const bool ignores = step.text.find("ignoring element order") != std::string::npos;
  const ListOrder order = ignores ? ListOrder::ignored : ListOrder::kept;
  const auto columns = column_order(columns_, step.table[0]);
  if (!columns) return "the columns are" + lines(columns_);
  std::vector<std::string> expected;
  for (std::size_t i = 1; i < step.table.size(); ++i) {
    const auto text = row_text(step.table[i], order);
    if (!text) return "row " + std::to_string(i) + " cannot be read";
    expected.push_back(*text);
  }
  std::vector<std::string> actual;
  for (const auto& row : rows_) actual.push_back(row_text(row, *columns, order));
  if (!is_ordered) {
    std::sort(expected.begin(), expected.end());
    std::sort(actual.begin(), actual.end());
  }
  if (expected == actual) return std::nullopt;
  return "expected" + lines(expected) + "\n  and got" + lines(actual);
}

ScenarioRun::Outcome ScenarioRun::compare_side_effects(const Step& step) {
  if (error_) return "failed with " + described(*error_);
  const auto after = read_state();
  if (!after) return described(after.error());
  std::map<std::string, long> actual;
  const auto count = [&](const std::string& name, const auto& from, const auto& to) {
    if (const long more = gained(from, to); more != 0) actual["+" + name] = more;
    if (const long less = gained(to, from); less != 0) actual["-" + name] = less;
  };
  count("nodes", before_.nodes, after->nodes);
  count("relationships", before_.relationships, after->relationships);
  count("labels", before_.labels, after->labels);
  count("properties", before_.properties, after->properties);
  std::map<std::string, long> expected;
  for (const auto& row : step.table) expected[row[0]] = std::stol(row[1]);
  if (actual == expected) return std::nullopt;
  std::string text = "the side effects are";
  for (const auto& [name, number] : actual) text += " " + name + " " + std::to_string(number);
  return text;
}

ScenarioRun::Outcome ScenarioRun::compare_error(const std::string& text) const {
  if (!error_) return std::to_string(rows_.size()) + " rows came back";
  const std::size_t from = text.find(' ') + 1;
  const std::string kind = text.substr(from, text.find(' ', from) - from);
  const bool is_compile_time = text.find("at compile time") != std::string::npos;
  if (is_kind(kind, is_compile_time, error_->code)) return std::nullopt;
  return "failed with " + described(*error_);
}

void ScenarioRun::forget_procedures() {
  for (const std::string& name : procedures_) database_.unregister_procedure(name);
  procedures_.clear();
}

ScenarioRun::Outcome ScenarioRun::clear() {
  forget_procedures();
  return prepare("MATCH (n) DETACH DELETE n");
}

Result<GraphState> ScenarioRun::read_state() {
  GraphState state;
  CAIRN_TRY(add_all<Node>(database_, "MATCH (n) RETURN n", state));
  CAIRN_TRY(add_all<Relationship>(database_, "MATCH ()-[r]->() RETURN r", state));
  return state;
}

}  // namespace cairn::tck
