// Errors and helpers that all parts of the binder share. A message states the mistake, its place and the fix, and
// quotes names as they are written.
#include "query/bind/binder.hpp"

#include "query/syntax/nearest_name.hpp"

namespace cairn::query {
namespace {

/// Limit of the number of columns to which * expands in one statement. A chain of WITH * would otherwise multiply
/// clauses by variables.
constexpr std::size_t most_expanded = 1'000'000;

}  // namespace

Error Binder::error(const ast::Located& where, std::string_view sentence) const {
  return source_.error(ErrorCode::parse_error, where.begin, where.end, sentence);
}

// Code that walks over a bound expression recurses once for each level; see most_levels_.
Error Binder::too_deep(const ast::Located& where) const {
  return source_.error(ErrorCode::resource_limit, where.begin, where.begin,
                       "this expression is more than " + std::to_string(most_levels_) +
                           " levels deep; name parts of it with WITH");
}

Error Binder::too_many(const ast::Located& where, std::string_view sentence) const {
  return source_.error(ErrorCode::resource_limit, where.begin, where.begin, sentence);
}

// Reports the most specific reason: the variable exists but is not visible here, an earlier WITH dropped it, or the
// name is misspelt.
Error Binder::undefined(const ast::Located& where, std::string_view name) const {
  const std::string quoted = "`" + std::string(name) + "`";
  if (unseen_.scope != nullptr && unseen_.scope->find(name)) {
    return error(where, quoted + " " + std::string(unseen_.why));
  }
  const auto lost = lost_names_.find(std::string(name));
  if (lost != lost_names_.end()) {
    return error(where, quoted + " is not defined here: " + lost->second);
  }
  const std::string_view near = nearest_name(name, scope_->names());
  const std::string advice = near.empty() ? "" : ", did you mean `" + std::string(near) + "`?";
  return error(where, quoted + " is not defined" + advice);
}

Error Binder::wrong_type(const ast::Located& where, StaticType type,
                         std::string_view expected) const {
  return error(where, "this is " + std::string(type.text()) + ", but " + std::string(expected) +
                          " is expected");
}

Error Binder::already_bound(const ast::Name& name) const {
  return error(name, "`" + name.text + "` is defined already; choose another name");
}

ExpressionPtr Binder::make(ExpressionKind kind, const ast::Located& where) const {
  auto result = std::make_unique<Expression>();
  result->kind = kind;
  result->where = source_.range(where.begin, where.end);
  return result;
}

ExpressionPtr Binder::make_variable(Slot slot, const ast::Located& where) const {
  auto result = make(ExpressionKind::variable, where);
  result->slot = slot;
  return result;
}

Result<Variable> Binder::find_variable(const ast::Name& name) const {
  if (auto found = scope_->find(name.text)) return *found;
  return undefined(name, name.text);
}

// Example: in RETURN [(a)-->(b) | b], count(*), the `a` of the pattern is not a grouping key, and must not silently
// become a new variable.
Status Binder::check_unseen(const ast::Name& name) const {
  if (unseen_.scope == nullptr || !unseen_.scope->find(name.text)) return {};
  return undefined(name, name.text);
}

// A thousand clauses with a thousand variables each would be a million columns, so the limit is on the sum.
Status Binder::count_expanded(const ast::Located& where, std::size_t count) {
  expanded_ += count;
  if (expanded_ <= most_expanded) return {};
  return source_.error(ErrorCode::resource_limit, where.begin, where.end,
                       "* stands for more than " + std::to_string(most_expanded) +
                           " columns in this statement; name the columns that are needed");
}

}  // namespace cairn::query
