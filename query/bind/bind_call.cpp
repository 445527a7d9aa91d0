// Calls of functions, aggregating ones among them.
// Arity, DISTINCT and what can be known of the first argument's type are checked here; all other
// types when the function runs. The registry's entry is kept by pointer: it lives as long as the
// program.

#include "query/bind/binder.hpp"
#include "query/bind/declared_type.hpp"
#include "query/bind/function_types.hpp"
#include "query/builtins/registry.hpp"
#include "query/syntax/lexical.hpp"

namespace cairn::query {
namespace {

std::string arity_text(const FunctionEntry& entry) {
  const std::string least = std::to_string(entry.least_arguments);
  if (entry.least_arguments == entry.most_arguments) {
    return least + (entry.least_arguments == 1 ? " argument" : " arguments");
  }
  return least + " to " + std::to_string(entry.most_arguments) + " arguments";
}

/// Whether a word may stand at this place of the arguments, in quotes or without.
bool takes_word(std::string_view function, std::size_t place) {
  if (function == "normalize") return place == 1;
  return place == 2 && (function == "vector" || function == "vector_distance");
}

}  // namespace

// exists() is part of the language, for it takes patterns; all others are in the registry.
// The order of the questions is the order of precedence of names: exists, the filters, then the
// registry. Arguments are bound from left to right, and the first mistake is the one reported.
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

// Names of the language come first; no program can take one.
Result<const FunctionEntry*> Binder::find_called(const ast::Name& name) const {
  if (const FunctionEntry* entry = find_function(name.text)) return entry;
  const RegisteredFunction* function =
      registered_ == nullptr ? nullptr : registered_->function(lexical::lower_case(name.text));
  if (function != nullptr) return &function->entry;
  const std::string_view near = nearest_function(name.text);
  const std::string advice = near.empty() ? "" : ", did you mean " + std::string(near) + "()?";
  return error(name, "there is no function `" + name.text + "`" + advice);
}

// What can never fit; the rest is seen when it runs.
Status Binder::check_argument(const Signature& signature, std::size_t place, StaticType type,
                              const ast::Expression& argument) const {
  const DeclaredName& parameter = signature.parameters[place];
  if (may_fit(parameter.type, type)) return {};
  return error(argument, signature.name + "() takes " + parameter.type.text() + " for `" +
                             parameter.name + "`, not " + std::string(type.text()));
}

// A word of Neo4j's, without quotes: vector([1.0], 1, FLOAT32). A variable of the name comes first.
Result<Typed> Binder::bind_argument(const FunctionEntry& entry, std::size_t place,
                                    const ast::Expression& argument) {
  const auto* word = argument.get_if<ast::Name>();
  const bool is_word =
      word != nullptr && takes_word(entry.name, place) && !scope_->find(word->text);
  return is_word ? bind_part(ast::Literal{word->text}, argument) : bind(argument);
}

// count(rand()) would give another answer each time for no reason anybody has.
// Also refused: DISTINCT where nothing is aggregated, and too few or too many arguments.
Status Binder::check_call(const ast::FunctionCall& call, const FunctionEntry& entry) const {
  const std::size_t count = call.arguments.size();
  if (count < entry.least_arguments || count > entry.most_arguments) {
    return error(call.name, std::string(entry.signature) + " takes " + arity_text(entry) +
                                ", not " + std::to_string(count));
  }
  if (call.is_distinct && entry.make_aggregator == nullptr) {
    return error(call.name,
                 "DISTINCT is for aggregating functions, and `" + call.name.text + "` is none");
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

// Becomes a slot of the group row; the call itself goes to the projection.
// Where it may stand is known by `grouping_`: null outside of the items of an aggregating
// projection, within an aggregate's own arguments and within anything that has a variable of its
// own, as a comprehension has. Slots of calls follow those of the keys, in the order of the text.
Result<Typed> Binder::bind_aggregate(const FunctionEntry* function, bool is_distinct,
                                     const std::vector<ast::Expression>& arguments,
                                     const ast::Expression& whole) {
  Grouping* grouping = grouping_;
  if (grouping == nullptr) {
    return error(whole, in_aggregate_
                            ? "aggregating functions cannot be nested; compute the inner one in a "
                              "WITH before"
                            : "an aggregating function can only stand in the items of WITH and "
                              "RETURN, outside of comprehensions");
  }
  AggregateCall call{function, is_distinct, {}};
  StaticType first;
  {
    // The arguments are over the input row, where keys and aggregates are not known.
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
  const Slot slot = grouping->first_call + static_cast<Slot>(grouping->calls.size());
  grouping->calls.push_back(std::move(call));
  const std::string_view name = function != nullptr ? function->name : "count";
  return Typed{make_variable(slot, whole), function_type(name, first)};
}

// Of a pattern whether it matches, of anything else whether it is there.
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

}  // namespace cairn::query
