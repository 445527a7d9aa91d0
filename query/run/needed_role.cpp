// The role of a statement is the highest of its parts'. Subqueries in expressions cannot hold clauses that change
// something, but they can call procedures, which the binder gathers wherever they stand.
#include "query/run/needed_role.hpp"

#include "query/execute/call/procedures.hpp"

#include <algorithm>
#include <variant>
#include <vector>

namespace cairn::query {
namespace {

Role role_of_clauses(const std::vector<Clause>& clauses) noexcept;
Role role_of_parts(const Query& query) noexcept;

/// Who gives a record an expiry lets it go, at once where that is past.
Role role_of_items(const std::vector<SetItem>& items) noexcept {
  const auto lets_go = [](const SetItem& item) {
    return item.kind == SetItem::Kind::expiry && item.value != nullptr;
  };
  return std::ranges::any_of(items, lets_go) ? Role::forget : Role::write;
}

/// Every clause is listed, so that a new one is not taken for harmless.
struct RoleOfClause {
  Role operator()(const MatchClause&) const { return Role::read; }
  Role operator()(const UnwindClause&) const { return Role::read; }
  Role operator()(const ProjectClause&) const { return Role::read; }
  /// By its procedure, which is among the statement's calls.
  Role operator()(const CallClause&) const { return Role::read; }
  Role operator()(const CallSubqueryClause& clause) const {
    return role_of_parts(*clause.subquery->subquery);
  }
  Role operator()(const CreateClause&) const { return Role::write; }
  Role operator()(const SetClause& clause) const { return role_of_items(clause.items); }
  /// A record that the statement makes may have any expiry.
  Role operator()(const MergeClause& clause) const { return role_of_items(clause.on_match); }
  Role operator()(const DeleteClause&) const { return Role::forget; }
  Role operator()(const std::unique_ptr<ForeachClause>& clause) const {
    return role_of_clauses(clause->updates);
  }
};

Role role_of_clauses(const std::vector<Clause>& clauses) noexcept {
  Role role = Role::read;
  for (const Clause& clause : clauses) role = std::max(role, std::visit(RoleOfClause{}, clause));
  return role;
}

Role role_of_parts(const Query& query) noexcept {
  Role role = Role::read;
  for (const SingleQuery& part : query.parts) role = std::max(role, role_of_clauses(part.clauses));
  return role;
}

/// Nobody knows what a procedure of the program does.
Role role_of_call(const CalledProcedure& call) noexcept {
  return call.is_registered ? Role::admin : role_to_call(call.name);
}

}  // namespace

Role needed_role(const BoundStatement& statement) noexcept {
  if (statement.mode == StatementMode::explain) return Role::read;
  const auto* query = std::get_if<Query>(&statement.content);
  if (query == nullptr) return Role::admin;  // indexes and namespaces
  Role role = role_of_parts(*query);
  for (const CalledProcedure& call : statement.calls) role = std::max(role, role_of_call(call));
  return role;
}

}  // namespace cairn::query
