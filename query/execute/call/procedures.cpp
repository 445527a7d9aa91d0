// Finds procedures: those of the table, and those that the program registered.
#include "query/execute/call/procedures.hpp"

#include "query/bind/bound_query.hpp"
#include "query/builtins/foreign_names.hpp"
#include "query/execute/call/builtin_procedures.hpp"
#include "query/registered/registered_calls.hpp"
#include "query/syntax/nearest_name.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

/// Compares names without regard to case. The binder has already converted `lower` to lower case.
bool same_name(std::string_view name, std::string_view lower) {
  return std::equal(name.begin(), name.end(), lower.begin(), lower.end(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  });
}

}  // namespace

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

// A linear search suffices for a table of this size. A name of Neo4j's libraries gets what to use in its place.
Result<const Procedure*> find_procedure(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Procedure& procedure : builtin_procedures()) {
    if (same_name(procedure.name, name)) return &procedure;
    names.push_back(procedure.name);
  }
  const std::string_view nearest = nearest_name(name, names);
  std::string message = "there is no procedure " + std::string(name) + "()";
  const std::string advice = advice_for_foreign(name);
  if (!nearest.empty())
    message += "; did you mean " + std::string(nearest) + "()?";
  else if (!advice.empty())
    message += "; " + advice;
  return Error{ErrorCode::not_found, std::move(message), std::nullopt};
}

}  // namespace cairn::query
