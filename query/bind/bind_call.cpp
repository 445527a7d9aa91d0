// Calls of functions and procedures. Checks the number of arguments, DISTINCT, and the types that are known before a
// run. The functions themselves check all other types. Bound calls point to entries of the registry, which live as long
// as the program.

#include "query/bind/binder.hpp"
#include "query/bind/scope.hpp"
#include "query/bind/static_type.hpp"
#include "query/builtins/foreign_names.hpp"
#include "query/builtins/registry.hpp"
#include "query/syntax/lexical.hpp"

#include <algorithm>

namespace cairn::query {
namespace {

// The allowed number of arguments in words: "1 argument", "1 to 3 arguments".
std::string arity_text(const FunctionEntry& entry) {
  const std::string least = std::to_string(entry.least_arguments);
  if (entry.least_arguments == entry.most_arguments) {
    return least + (entry.least_arguments == 1 ? " argument" : " arguments");
  }
  return least + " to " + std::to_string(entry.most_arguments) + " arguments";
}

/// True if this argument may be a keyword without quotes.
bool takes_word(std::string_view function, std::size_t place) {
  if (function == "normalize") return place == 1;
  return place == 2 && (function == "vector" || function == "vector_distance");
}

}  // namespace

// exists() and the filter functions, which take patterns or fields, are handled first. All other functions are in the
// registry. Arguments are bound from left to right, and the first error is reported.
Result<Typed> Binder::bind_part(const ast::FunctionCall& part, const ast::Expression& whole) {
  const std::string& name = part.name.text;
  if (lexical::is_keyword(name, "EXISTS")) return bind_exists_function(part, whole);
  CAIRN_ASSIGN(auto filter, bind_filter_call(part, whole));
  if (filter) return std::move(*filter);
  CAIRN_ASSIGN(const FunctionEntry* entry, find_called(part.name));
  CAIRN_TRY(check_call(part, *entry));
  if (entry->make_aggregator != nullptr) {
    return bind_aggregate(entry, part.is_distinct, part.arguments, whole);
  }
  auto result = make(ExpressionKind::function_call, whole);
  result->function = entry;
  StaticType first;
  for (const ast::Expression& argument : part.arguments) {
    const std::size_t place = result->children.size();
    CAIRN_ASSIGN(Typed bound, bind_argument(*entry, place, argument));
    if (entry->registered != nullptr)
      CAIRN_TRY(check_argument(entry->registered->signature, place, bound.type, argument));
    if (place == 0) first = bound.type;
    result->children.push_back(std::move(bound.expression));
  }
  if (entry->registered != nullptr)
    return Typed{std::move(result), static_type(entry->registered->signature.result)};
  const std::string_view expected = argument_refusal(entry->name, first);
  if (!expected.empty()) return wrong_type(part.arguments.front(), first, expected);
  return Typed{std::move(result), function_type(entry->name, first)};
}

// Names of built-in functions take precedence. A program cannot register a function with such a name.
Result<const FunctionEntry*> Binder::find_called(const ast::Name& name) const {
  if (const FunctionEntry* entry = find_function(name.text)) return entry;
  const RegisteredFunction* function =
      registered_ == nullptr ? nullptr : registered_->function(lexical::lower_case(name.text));
  if (function != nullptr) return &function->entry;
  return error(name, "there is no function `" + name.text + "`" + advice_for_unknown(name.text));
}

// A name of Neo4j's libraries gets what to use in its place, because a similar name does something else.
std::string Binder::advice_for_unknown(const std::string& name) const {
  const std::string lower = lexical::lower_case(name);
  if (is_procedure_ != nullptr && is_procedure_(lower))
    return "; it is a procedure: CALL " + name + "(...) YIELD ...";
  if (const std::string_view fix = advice_for_foreign(lower); !fix.empty())
    return "; " + std::string(fix);
  if (const std::string_view near = nearest_function(name); !near.empty())
    return ", did you mean " + std::string(near) + "()?";
  const std::string_view rest = advice_for_library(lower);
  return rest.empty() ? "" : "; " + std::string(rest);
}

// Refuses types that can never fit. All other types are checked at run time.
Status Binder::check_argument(const Signature& signature, std::size_t place, StaticType type,
                              const ast::Expression& argument) const {
  const DeclaredName& parameter = signature.parameters[place];
  if (may_fit(parameter.type, type)) return {};
  return error(argument, signature.name + "() takes " + parameter.type.text() + " for `" +
                             parameter.name + "`, not " + std::string(type.text()));
}

// Some arguments of Neo4j functions are keywords without quotes: vector([1.0], 1, FLOAT32). A variable with such a
// name takes precedence.
Result<Typed> Binder::bind_argument(const FunctionEntry& entry, std::size_t place,
                                    const ast::Expression& argument) {
  const auto* word = argument.get_if<ast::Name>();
  const bool is_word =
      word != nullptr && takes_word(entry.name, place) && !scope_->find(word->text);
  return is_word ? bind_part(ast::Literal{word->text}, argument) : bind(argument);
}

// Refuses a wrong number of arguments, DISTINCT for functions that do not aggregate, and calls such as count(rand()),
// because the number of evaluations of rand() is not defined.
Status Binder::check_call(const ast::FunctionCall& call, const FunctionEntry& entry) const {
  const std::size_t count = call.arguments.size();
  if (count < entry.least_arguments || count > entry.most_arguments) {
    return error(call.name, std::string(entry.signature) + " takes " + arity_text(entry) +
                                ", not " + std::to_string(count));
  }
  if (call.is_distinct && entry.make_aggregator == nullptr) {
    return error(call.name,
                 "DISTINCT is for aggregating functions, and `" + call.name.text + "` is not one");
  }
  if (in_aggregate_ && !entry.is_deterministic) {
    return error(call.name, "`" + call.name.text +
                                "` differs from call to call and cannot stand inside an "
                                "aggregating function; compute it in a WITH before");
  }
  return {};
}

Result<Typed> Binder::bind_part(const ast::CountAll&, const ast::Expression& whole) {
  static const std::vector<ast::Expression> no_arguments;
  return bind_aggregate(nullptr, false, no_arguments, whole);
}

// Moves the call to the projection and returns a variable for its slot of the group row. Slots of calls follow those
// of the keys, in the order of the text.
//
// `grouping_` is nullptr if an aggregate is not allowed: outside of an aggregating projection, in the arguments of an
// aggregate, and in an expression with local variables, such as a comprehension.
Result<Typed> Binder::bind_aggregate(const FunctionEntry* function, bool is_distinct,
                                     const std::vector<ast::Expression>& arguments,
                                     const ast::Expression& whole) {
  Grouping* grouping = grouping_;
  if (grouping == nullptr) {
    return error(whole, in_aggregate_
                            ? "aggregating functions cannot be nested; compute the inner one in a "
                              "WITH before"
                            : "an aggregating function can only be in the items of WITH and "
                              "RETURN, outside of comprehensions");
  }
  AggregateCall call{function, is_distinct, {}};
  StaticType first;
  {
    // The arguments are over the input row, in which keys and other aggregates do not exist.
    const Restored<Scope*> input(scope_, grouping->input);
    const Restored<Grouping*> outside(grouping_, nullptr);
    const Restored<const KnownExpressions*> nothing(known_, nullptr);
    const Restored<Unseen> seen(unseen_, {});
    const Restored<bool> inside(in_aggregate_, true);
    for (const ast::Expression& argument : arguments) {
      CAIRN_ASSIGN(Typed bound, bind(argument));
      if (call.arguments.empty()) first = bound.type;
      call.arguments.push_back(std::move(bound.expression));
    }
  }
  if (function != nullptr && function->name == "count" && arguments.empty()) {
    if (is_distinct)
      return error(whole, "count(DISTINCT) needs a value, as in count(DISTINCT n.name)");
    call.function = nullptr;  // counts rows, as count(*) does
  }
  const Slot slot = grouping->first_call + static_cast<Slot>(grouping->calls.size());
  grouping->calls.push_back(std::move(call));
  const std::string_view name = function != nullptr ? function->name : "count";
  return Typed{make_variable(slot, whole), function_type(name, first)};
}

// exists(pattern) is true if the pattern matches; exists(value) is true if the value is not null.
Result<Typed> Binder::bind_exists_function(const ast::FunctionCall& call,
                                           const ast::Expression& whole) {
  if (call.arguments.size() != 1 || call.is_distinct) {
    return error(call.name, "exists(pattern or property) takes 1 argument, not " +
                                std::to_string(call.arguments.size()));
  }
  const ast::Expression& argument = call.arguments.front();
  if (const auto* path = argument.get_if<ast::PathPattern>()) {
    return bind_pattern_condition(*path, argument);
  }
  auto result = make(ExpressionKind::is_not_null, whole);
  CAIRN_ASSIGN(auto value, bind_untyped(argument));
  result->children.push_back(std::move(value));
  return Typed{std::move(result), TypeKind::boolean};
}

// CALL. Names and columns of built-in procedures are checked when a run begins, and their arguments at the call. Calls of
// the program's procedures are checked here against their signatures.

namespace {

// Does the same as arity_text() for a procedure.
std::string counted_arguments(std::size_t least, std::size_t most) {
  std::string text = std::to_string(least);
  if (least < most) text += " to " + std::to_string(most);
  return text + (text == "1" ? " argument" : " arguments");
}

// Lists the columns of a procedure, for the message about an unknown column.
std::string listed_columns(const Signature& signature) {
  if (signature.columns.empty()) return "it has no columns";
  std::string text;
  for (const DeclaredName& column : signature.columns)
    text += (text.empty() ? "it has " : ", ") + column.name;
  return text;
}

}  // namespace

// Names of procedures are compared in lower case.
Result<Clause> Binder::bind_clause(const ast::Call& clause, const ast::Clause& whole) {
  CallClause call;
  call.procedure = lexical::lower_case(clause.procedure.text);
  call.where = source_.range(whole.begin, whole.end);
  call.implicit_arguments = !clause.arguments.is_present;
  call.registered = registered_ == nullptr ? nullptr : registered_->procedure(call.procedure);
  note_call(clause, call);
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

// The table of procedures is not known here; check_calls() looks up the names when a run begins.
void Binder::note_call(const ast::Call& clause, const CallClause& call) {
  const ast::Name& name = clause.procedure;
  CalledProcedure called{call.procedure,
                         call.registered != nullptr,
                         name.text,
                         source_.range(name.begin, name.end),
                         {}};
  for (const ast::YieldItem& item : clause.yield.items)
    called.columns.push_back({item.column.text, source_.range(item.column.begin, item.column.end)});
  calls_.push_back(std::move(called));
}

Status Binder::bind_arguments(const ast::Call& clause, CallClause& call) {
  for (const ast::Expression& argument : clause.arguments.values) {
    CAIRN_ASSIGN(auto bound, bind_untyped(argument));
    call.arguments.push_back(std::move(bound));
  }
  return {};
}

// Without parentheses, the required arguments are the statement parameters with the same names.
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

// Each yielded column becomes a new variable, under its alias if it has one.
Status Binder::bind_yields(const ast::Yield& yield, CallClause& call) {
  for (const ast::YieldItem& item : yield.items) {
    const ast::Name& name = item.alias.empty() ? item.column : item.alias;
    if (scope_->find(name.text)) return already_bound(name);
    CAIRN_ASSIGN(const StaticType type, yielded_type(item.column, call));
    call.yields.push_back({item.column.text, name.text, scope_->declare(name.text, type).slot});
  }
  return bind_conjuncts(yield.where, call.conjuncts);
}

// The types of columns of built-in procedures are not known here.
Result<StaticType> Binder::yielded_type(const ast::Name& column, const CallClause& call) const {
  if (call.registered == nullptr) return StaticType();
  const Signature& signature = call.registered->signature;
  const auto found = std::ranges::find(signature.columns, column.text, &DeclaredName::name);
  if (found != signature.columns.end()) return static_type(found->type);
  return error(column, signature.name + "() gives no column `" + column.text + "`; " +
                           listed_columns(signature));
}

}  // namespace cairn::query
