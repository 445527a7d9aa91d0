// Database::register_function() and register_procedure(). A signature is parsed and added to a copy of the registered
// calls, which then replaces the old set. Statements that were parsed before still use the old set.
#include "engine/database/access.hpp"
#include "query/bind/parser.hpp"
#include "query/builtins/registry.hpp"
#include "query/execute/call/procedures.hpp"
#include "query/registered/registered_calls.hpp"
#include "query/syntax/lexical.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <variant>

namespace cairn {
namespace query {
namespace {

// An empty std::function was passed.
Error no_body(const Signature& signature) {
  return {ErrorCode::invalid_argument,
          signature.name + "() has no body, because the given std::function is empty",
          std::nullopt};
}

// The error of a signature that belongs to the other function.
Error other_kind(const Signature& signature, std::string_view advice) {
  return {ErrorCode::invalid_argument, "\"" + signature.text + "\": " + std::string(advice),
          std::nullopt};
}

Error of_the_language(const Signature& signature) {
  return {ErrorCode::already_exists,
          signature.name + "() is part of the language; choose another name, such as app." +
              signature.name,
          std::nullopt};
}

/// Names that have a special meaning in the language, at least in some forms.
bool is_reserved(std::string_view key) {
  constexpr std::array words = {"all",  "allshortestpaths", "any",          "exists",
                                "none", "reduce",           "shortestpath", "single"};
  return key.starts_with("filter.") || std::ranges::find(words, key) != words.end();
}

/// True if a statement that calls the function by its name reaches it. The grammar treats words such as `not` and `case`
/// specially, so a test statement is parsed.
bool is_reached(const RegisteredCalls::FunctionPtr& function) {
  const auto alone = std::make_shared<RegisteredCalls>();
  alone->put(function->key, function);
  std::string text = "RETURN " + function->signature.name + "(";
  for (std::size_t i = 0; i < function->signature.parameters.size(); ++i)
    text += i == 0 ? "$p" : ", $p";
  const auto bound = parse_statement(text + ")", {}, nullptr, alone);
  const auto* query = bound ? std::get_if<Query>(&bound->content) : nullptr;
  if (query == nullptr) return false;
  const auto* returned = std::get_if<ProjectClause>(&query->parts.front().clauses.front());
  const Expression* call = returned == nullptr ? nullptr : returned->items.front().expression.get();
  return call != nullptr && call->function != nullptr &&
         call->function->registered == function.get();
}

/// Lets `edit` change a copy of the calls, then replaces the old set with it.
template <class Edit>
void change_calls(const Database& database, const Edit& edit) {
  Access::extension(database).change([&](const std::shared_ptr<const engine::Extension>& before) {
    const auto* known = static_cast<const RegisteredCalls*>(before.get());
    auto next = known == nullptr ? std::make_shared<RegisteredCalls>()
                                 : std::make_shared<RegisteredCalls>(*known);
    edit(*next);
    return next;
  });
}

// `entry` is the form in which the binder sees every function.
RegisteredCalls::FunctionPtr make_function(Signature signature, std::string key, FunctionBody body,
                                           const CallOptions& options) {
  const auto made = std::make_shared<RegisteredFunction>();
  made->signature = std::move(signature);
  made->body = std::move(body);
  made->options = options;
  made->key = std::move(key);
  FunctionEntry& entry = made->entry;
  entry.name = made->key;
  entry.signature = made->signature.text;
  entry.least_arguments = made->signature.least_arguments();
  entry.most_arguments = made->signature.parameters.size();
  entry.is_deterministic = options.is_deterministic;
  entry.registered = made.get();
  return made;
}

}  // namespace

// Only the query layer stores something in this extension of a database.
RegisteredCallsPtr registered_calls(const Database& database) {
  return std::static_pointer_cast<const RegisteredCalls>(Access::extension(database).get());
}

}  // namespace query

Status Database::register_function(std::string_view signature, FunctionBody body,
                                   const CallOptions& options) {
  CAIRN_ASSIGN(query::Signature parsed, query::parse_signature(signature));
  if (!parsed.is_function)
    return query::other_kind(parsed,
                             "a function returns a value, as in \":: STRING\"; "
                             "use register_procedure() for columns");
  if (!body) return query::no_body(parsed);
  std::string key = query::lexical::lower_case(parsed.name);
  if (query::is_reserved(key) || query::find_function(key) != nullptr)
    return query::of_the_language(parsed);
  const auto function = query::make_function(std::move(parsed), key, std::move(body), options);
  if (!query::is_reached(function)) return query::of_the_language(function->signature);
  query::change_calls(*this, [&](query::RegisteredCalls& calls) { calls.put(key, function); });
  return {};
}

Status Database::register_procedure(std::string_view signature, ProcedureBody body,
                                    const CallOptions& options) {
  CAIRN_ASSIGN(query::Signature parsed, query::parse_signature(signature));
  if (parsed.is_function)
    return query::other_kind(parsed,
                             "a procedure returns columns, as in \":: (name :: STRING)\"; "
                             "use register_function() for a value");
  if (!body) return query::no_body(parsed);
  const std::string key = query::lexical::lower_case(parsed.name);
  if (key.starts_with("db.") || query::find_procedure(key)) return query::of_the_language(parsed);
  const auto made = std::make_shared<query::RegisteredProcedure>();
  made->signature = std::move(parsed);
  made->body = std::move(body);
  made->options = options;
  query::change_calls(*this, [&](query::RegisteredCalls& calls) {
    calls.put(key, query::RegisteredCalls::ProcedurePtr(made));
  });
  return {};
}

bool Database::unregister_function(std::string_view name) {
  bool was_there = false;
  query::change_calls(*this, [&](query::RegisteredCalls& calls) {
    was_there = calls.erase_function(query::lexical::lower_case(name));
  });
  return was_there;
}

bool Database::unregister_procedure(std::string_view name) {
  bool was_there = false;
  query::change_calls(*this, [&](query::RegisteredCalls& calls) {
    was_there = calls.erase_procedure(query::lexical::lower_case(name));
  });
  return was_there;
}

}  // namespace cairn
