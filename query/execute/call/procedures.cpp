// Finds procedures: those of the table, and those that the program registered.
#include "query/execute/call/procedures.hpp"

#include "query/bind/bound_query.hpp"
#include "query/builtins/foreign_names.hpp"
#include "query/builtins/registry.hpp"
#include "query/execute/call/builtin_procedures.hpp"
#include "query/registered/registered_calls.hpp"
#include "query/syntax/lexical.hpp"
#include "query/syntax/nearest_name.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

/// Compares names without regard to case. The binder has already converted `lower` to lower case.
bool same_name(std::string_view name, std::string_view lower) {
  return std::equal(name.begin(), name.end(), lower.begin(), lower.end(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  });
}

/// The most similar name; empty if there is none. SHOW PROCEDURES shows all names to every caller, also those of the
/// program.
std::string_view nearest_procedure(std::string_view name, const RegisteredCalls* registered) {
  std::vector<std::string_view> names;
  for (const Procedure& procedure : builtin_procedures()) names.push_back(procedure.name);
  if (registered != nullptr)
    for (const auto& [key, procedure] : registered->procedures())
      names.push_back(procedure->signature.name);
  return nearest_name(name, names);
}

// A name of Neo4j's libraries gets what to use in its place, because a similar name does something else.
std::string advice_for(std::string_view name, const RegisteredCalls* registered) {
  const std::string lower = lexical::lower_case(name);
  const bool is_function = find_function(lower) != nullptr ||
                           (registered != nullptr && registered->function(lower) != nullptr);
  if (is_function) return "it is a function: RETURN " + std::string(name) + "(...)";
  if (const std::string_view fix = advice_for_foreign(lower); !fix.empty()) return std::string(fix);
  if (const std::string_view near = nearest_procedure(name, registered); !near.empty())
    return "did you mean " + std::string(near) + "()?";
  return std::string(advice_for_library(lower));
}

Error no_such_procedure(std::string_view name, const RegisteredCalls* registered) {
  const std::string advice = advice_for(name, registered);
  return {
      ErrorCode::not_found,
      "there is no procedure " + std::string(name) + "()" + (advice.empty() ? "" : "; ") + advice,
      std::nullopt};
}

std::string listed_columns(const Procedure& procedure) {
  if (procedure.columns.empty()) return "it has no columns";
  std::string text;
  for (const std::string_view column : procedure.columns)
    (text += text.empty() ? "it has " : ", ") += column;
  return text;
}

Status check_columns(const Procedure& procedure, const CalledProcedure& call) {
  for (const CalledProcedure::Column& column : call.columns) {
    if (std::ranges::find(procedure.columns, column.name) != procedure.columns.end()) continue;
    const std::string_view nearest = nearest_name(column.name, procedure.columns);
    return Error{ErrorCode::not_found,
                 std::string(procedure.name) + "() gives no column " + column.name + "; " +
                     (nearest.empty() ? "" : "did you mean " + std::string(nearest) + "? ") +
                     listed_columns(procedure),
                 column.where};
  }
  return {};
}

}  // namespace

// The binder has checked the calls of the program's procedures.
Status check_procedures(const BoundStatement& statement) {
  for (const CalledProcedure& call : statement.calls) {
    if (call.is_registered) continue;
    const auto procedure = find_procedure(call.name);
    if (procedure) {
      CAIRN_TRY(check_columns(**procedure, call));
      continue;
    }
    Error error = no_such_procedure(call.written, statement.registered.get());
    error.where = call.where;
    return error;
  }
  return {};
}

// Returns the least role that a caller of the procedure needs.
Role role_to_call(std::string_view name) noexcept {
  for (const Procedure& procedure : builtin_procedures())
    if (same_name(procedure.name, name)) return procedure.role;
  return Role::read;
}

// The names in the result point into the registered procedure, which the clause keeps alive.
Result<Procedure> procedure_of(const CallClause& clause) {
  if (clause.registered == nullptr) {
    CAIRN_ASSIGN(const Procedure* procedure, find_procedure(clause.procedure));
    return *procedure;
  }
  const Signature& signature = clause.registered->signature;
  Procedure procedure;
  procedure.name = signature.name;
  for (const DeclaredName& column : signature.columns) procedure.columns.push_back(column.name);
  return procedure;
}

bool is_procedure(std::string_view name) {
  return std::ranges::any_of(builtin_procedures(), [&](const Procedure& procedure) {
    return same_name(procedure.name, name);
  });
}

// A linear search suffices for a table of this size.
Result<const Procedure*> find_procedure(std::string_view name) {
  for (const Procedure& procedure : builtin_procedures())
    if (same_name(procedure.name, name)) return &procedure;
  return no_such_procedure(name, nullptr);
}

}  // namespace cairn::query
