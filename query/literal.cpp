// Reads back what Value::to_text() writes. The text is parsed as the expression of a RETURN in parentheses, so that
// nothing can follow the expression, such as AS or LIMIT. Only literals, lists, maps, signs and pure function calls are
// accepted.
#include "query/bind/parser.hpp"
#include "query/functions/value_semantics.hpp"

#include <cairn/statement.hpp>

#include <limits>
#include <string>
#include <vector>

namespace cairn {
namespace {

using query::Expression;
using query::ExpressionKind;

Error no_literal(std::string_view text) {
  return {ErrorCode::parse_error, "not a literal: " + std::string(text), std::nullopt};
}

/// The expression of `RETURN (expression)`; nullptr if the statement contains anything else.
const Expression* only_expression(const query::BoundStatement& statement) {
  const auto* query = std::get_if<query::Query>(&statement.content);
  if (query == nullptr || query->parts.size() != 1 || query->parts[0].clauses.size() != 1)
    return nullptr;
  const auto* project = std::get_if<query::ProjectClause>(&query->parts[0].clauses[0]);
  if (project == nullptr || project->items.size() != 1 || project->aggregating) return nullptr;
  if (project->distinct || !project->order.empty() || project->skip || project->limit)
    return nullptr;
  return project->items[0].expression.get();
}

/// Evaluates an expression without context: it has no variables and no parameters, and only deterministic functions of
/// constants are called. So a text from outside cannot read the graph.
class LiteralReader {
 public:
  explicit LiteralReader(std::string_view text) : text_(text) {}

  // Any other kind of expression is refused.
  Result<Value> read(const Expression& expression) const {
    switch (expression.kind) {
      case ExpressionKind::literal:
        return expression.value;
      case ExpressionKind::list:
        return read_list(expression);
      case ExpressionKind::map:
        return read_map(expression);
      case ExpressionKind::plus_sign:
        return read(*expression.children[0]);
      case ExpressionKind::negate:
        return read_negated(expression);
      case ExpressionKind::function_call:
        return read_call(expression);
      default:
        return no_literal(text_);
    }
  }

 private:
  Result<List> read_all(const Expression& expression) const {
    List values;
    for (const query::ExpressionPtr& child : expression.children) {
      CAIRN_ASSIGN(Value value, read(*child));
      values.push_back(std::move(value));
    }
    return values;
  }

  Result<Value> read_list(const Expression& expression) const {
    CAIRN_ASSIGN(List values, read_all(expression));
    return Value(std::move(values));
  }

  /// The last entry of a name wins, as in the language.
  Result<Value> read_map(const Expression& expression) const {
    CAIRN_ASSIGN(List values, read_all(expression));
    Map map;
    for (std::size_t i = 0; i < values.size(); ++i) map[expression.names[i]] = std::move(values[i]);
    return Value(std::move(map));
  }

  Result<Value> read_negated(const Expression& expression) const {
    CAIRN_ASSIGN(const Value value, read(*expression.children[0]));
    return query::negate(value);
  }

  /// Temporal values are written as calls: date('2024-02-29').
  Result<Value> read_call(const Expression& expression) const {
    if (expression.function == nullptr || expression.function->call == nullptr ||
        !expression.function->is_deterministic || expression.children.empty())
      return no_literal(text_);
    CAIRN_ASSIGN(const List arguments, read_all(expression));
    return expression.function->call(arguments, {});
  }

  std::string_view text_;
};

}  // namespace

// The line end closes a comment at the end of the text. A value that could be stored can be read again, so that the limits
// of statements do not hold: the text may have any size, and its value the levels that a stored one may have.
Result<Value> parse_literal(std::string_view text) {
  query::ParseLimits limits;
  limits.statement_bytes = std::numeric_limits<std::size_t>::max();
  limits.nesting_levels += 2;  // the brackets around it, and those of a call for a temporal value
  CAIRN_ASSIGN(const query::BoundStatement statement,
               query::parse_statement("RETURN (" + std::string(text) + "\n)", limits));
  const Expression* expression = only_expression(statement);
  if (expression == nullptr) return no_literal(text);
  return LiteralReader(text).read(*expression);
}

}  // namespace cairn
