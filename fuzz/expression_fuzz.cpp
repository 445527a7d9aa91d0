// Evaluates an expression with parameters as a constant, in rows and as a condition: the values
// must agree. A value is written as a literal that reads back equal, and as valid JSON.

#include "fuzz/support/expect.hpp"
#include "fuzz/support/outcome.hpp"
#include "fuzz/support/small_database.hpp"
#include "query/bind/parser.hpp"

#include <cairn/json.hpp>
#include <cairn/statement.hpp>

#include <algorithm>
#include <string>

namespace {

using namespace cairn;
using namespace cairn::fuzz;

Outcome run(const std::string& text) {
  const Snapshot snapshot = shared_database().snapshot().value();
  const auto statement = Statement::parse(text);
  if (statement) return outcome_of(statement->run(snapshot, sample_parameters(), tight_limits()));
  Outcome refused;
  refused.error = statement.error();
  return refused;
}

/// True if RETURN (text) has one expression only: the text may close the bracket and continue.
bool is_one_expression(const std::string& text) {
  const auto statement = query::parse_statement(text);
  if (!statement) return false;
  const auto* query = std::get_if<query::Query>(&statement->content);
  if (query == nullptr || query->parts.size() != 1 || query->parts[0].clauses.size() != 1)
    return false;
  const auto* project = std::get_if<query::ProjectClause>(&query->parts[0].clauses[0]);
  return project != nullptr && project->items.size() == 1 && !project->aggregating &&
         !project->distinct && project->order.empty() && !project->skip && !project->limit;
}

/// True if the value can be written as a literal.
bool is_plain(const Value& value) {
  if (value.list() != nullptr) return std::ranges::all_of(*value.list(), is_plain);
  if (value.map() != nullptr)
    return std::ranges::all_of(*value.map(),
                               [](const auto& entry) { return is_plain(entry.second); });
  return value.type() != ValueType::node && value.type() != ValueType::relationship &&
         value.type() != ValueType::path;
}

/// Checks that a value survives writing as a literal, and that its JSON is valid.
void check_value(const Value& value, const std::string& text) {
  const std::string json = to_json(value);
  const auto parsed = parse_json(json);
  expect(parsed.has_value(), json);
  if (!is_plain(value)) return;
  const std::string literal = value.to_text();
  const auto again = parse_literal(literal);
  expect(again.has_value() && *again == value, text + "\n" + literal);
}

/// A condition keeps a row if it is true, and drops it if it is false or null.
void check_condition(const Value& value, const std::string& expression) {
  const bool* truth = value.get_if<bool>();
  if (truth == nullptr && !value.is_null()) return;
  const Outcome kept = run("UNWIND [0] AS row_ WITH row_ WHERE (" + expression + "\n) RETURN row_");
  if (kept.is_limited()) return;
  // An expression that can only be a list or another wrong type is refused before it runs, even if
  // it is null.
  if (value.is_null() && kept.error && kept.error->code == ErrorCode::parse_error) return;
  const std::size_t wanted = truth != nullptr && *truth ? 1 : 0;
  expect(!kept.error && kept.rows.size() == wanted, expression + "\n" + kept.to_text());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > most_statement_bytes) return -1;
  const std::string expression(text_of(data, size));
  const std::string whole = "RETURN (" + expression + "\n) AS x";
  if (!is_one_expression(whole)) return -1;
  const Outcome once = run(whole);
  const bool has_chance = !is_repeatable(expression);
  const Outcome rows = run("UNWIND [0, 1] AS row_ RETURN (" + expression + "\n) AS x");
  if (!has_chance && !once.is_limited() && !rows.is_limited()) {
    expect(once.error.has_value() == rows.error.has_value(), expression);
    for (const std::string& row : rows.rows) expect(row == once.rows.at(0), expression);
  }
  if (once.error) return 0;
  check_value(once.values.at(0).at(0), expression);
  if (!has_chance) check_condition(once.values.at(0).at(0), expression);
  return 0;
}
