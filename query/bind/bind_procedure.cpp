// CALL. What the procedures of the language take and yield is known when the statement runs; those of a program
// have signatures, against which a call is checked here.
#include "query/bind/binder.hpp"
#include "query/bind/declared_type.hpp"
#include "query/syntax/lexical.hpp"

#include <algorithm>

namespace cairn::query {
namespace {

std::string counted_arguments(std::size_t least, std::size_t most) {
  std::string text = std::to_string(least);
  if (least < most) text += " to " + std::to_string(most);
  return text + (text == "1" ? " argument" : " arguments");
}

std::string listed_columns(const Signature& signature) {
  if (signature.columns.empty()) return "it has none";
  std::string text;
  for (const DeclaredName& column : signature.columns)
    text += (text.empty() ? "it has " : ", ") + column.name;
  return text;
}

}  // namespace

// Names of procedures are kept in lower case.
Result<Clause> Binder::bind_clause(const ast::Call& clause, const ast::Clause& whole) {
  CallClause call;
  call.procedure = lexical::lower_case(clause.procedure.text);
  call.where = source_.range(whole.begin, whole.end);
  call.implicit_arguments = !clause.arguments.is_present;
  call.registered = registered_ == nullptr ? nullptr : registered_->procedure(call.procedure);
  calls_.push_back({call.procedure, call.registered != nullptr});
  const bool is_standalone = is_standalone_call_;
  if (call.implicit_arguments && !is_standalone) {
    return error(clause.procedure,
                 "a CALL inside a query needs its arguments: " + clause.procedure.text + "(...)");
  }
  if (clause.yield.has_star && !is_standalone) {
    return error(clause.procedure, "YIELD * is for a CALL on its own; name the columns");
  }
  CAIRN_TRY(call.registered == nullptr ? bind_arguments(clause, call)
                                       : bind_registered_arguments(clause, call));
  CAIRN_TRY(bind_yields(clause.yield, call));
  call.width = scope_->width();
  return Clause(std::move(call));
}

Status Binder::bind_arguments(const ast::Call& clause, CallClause& call) {
  for (const ast::Expression& argument : clause.arguments.values) {
    CAIRN_ASSIGN(auto bound, bind_untyped(argument));
    call.arguments.push_back(std::move(bound));
  }
  return {};
}

// Without parentheses each parameter that is needed is the parameter of the statement of the same name.
Status Binder::bind_registered_arguments(const ast::Call& clause, CallClause& call) {
  const Signature& signature = call.registered->signature;
  const std::size_t least = signature.least_arguments();
  if (call.implicit_arguments) {
    for (std::size_t i = 0; i < least; ++i) {
      auto parameter = make(ExpressionKind::parameter, clause.procedure);
      parameter->name = signature.parameters[i].name;
      call.arguments.push_back(std::move(parameter));
    }
    return {};
  }
  const std::size_t count = clause.arguments.values.size();
  if (count < least || count > signature.parameters.size())
    return error(clause.procedure, signature.text + " takes " +
                                       counted_arguments(least, signature.parameters.size()) +
                                       ", not " + std::to_string(count));
  for (const ast::Expression& argument : clause.arguments.values) {
    CAIRN_ASSIGN(Typed bound, bind(argument));
    CAIRN_TRY(check_argument(signature, call.arguments.size(), bound.type, argument));
    call.arguments.push_back(std::move(bound.expression));
  }
  return {};
}

Status Binder::bind_yields(const ast::Yield& yield, CallClause& call) {
  for (const ast::YieldItem& item : yield.items) {
    const ast::Name& name = item.alias.empty() ? item.column : item.alias;
    if (scope_->find(name.text)) return already_bound(name);
    CAIRN_ASSIGN(const StaticType type, yielded_type(item.column, call));
    call.yields.push_back({item.column.text, name.text, scope_->declare(name.text, type).slot});
  }
  return bind_conjuncts(yield.where, call.conjuncts);
}

// Columns of the language's procedures have no type that is known here.
Result<StaticType> Binder::yielded_type(const ast::Name& column, const CallClause& call) const {
  if (call.registered == nullptr) return StaticType();
  const Signature& signature = call.registered->signature;
  const auto found = std::ranges::find(signature.columns, column.text, &DeclaredName::name);
  if (found != signature.columns.end()) return static_type(found->type);
  return error(column, signature.name + "() gives no column `" + column.text + "`; " +
                           listed_columns(signature));
}

}  // namespace cairn::query
