// A scope is a table of names and a list of declarations in their order. Leaving a frame undoes its declarations from
// the end of the list.
//
// Lookups walk from the innermost scope outwards. The chain is short: ORDER BY has two scopes, the columns and the
// input row, and each enclosing subquery adds one.
#include "query/bind/scope.hpp"

namespace cairn::query {

// The innermost scope wins. Slots of an outer scope are shifted by all scopes in between.
std::optional<Variable> Scope::find(std::string_view name) const {
  Slot shift = 0;
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer_) {
    const auto found = scope->own_.find(name);
    if (found != scope->own_.end()) {
      Variable result = found->second;
      result.slot += shift;
      return result;
    }
    shift += scope->shift_;
  }
  return std::nullopt;
}

// A slot is never reused within a scope, even after its name was removed, because the row may still contain the old
// value.
Variable Scope::declare(std::string_view name, StaticType type) {
  const Variable variable{allocate(), type};
  declare_at(name, variable);
  return variable;
}

// The undo list also records the order of declarations.
void Scope::declare_at(std::string_view name, Variable variable) {
  const auto found = own_.find(name);
  std::optional<Variable> before;
  if (found != own_.end()) before = found->second;
  undo_.push_back({std::string(name), before});
  own_.insert_or_assign(std::string(name), variable);
}

// Returns the columns of *. Variables that are only carried on for a subquery are skipped.
std::vector<std::pair<std::string, Variable>> Scope::visible() const {
  std::vector<std::pair<std::string, Variable>> result;
  for (const Undo& declared : undo_) {
    const auto found = own_.find(declared.name);
    // A variable that was declared again keeps its first place in the order.
    if (found == own_.end() || declared.before || found->second.is_carried) continue;
    result.emplace_back(declared.name, found->second);
  }
  return result;
}

std::vector<std::string_view> Scope::names() const {
  std::vector<std::string_view> result;
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer_) {
    for (const auto& [name, variable] : scope->own_) result.push_back(name);
  }
  return result;
}

// Undoes the newest declaration first, so a name declared twice gets its first meaning back.
void Scope::undo_to(std::size_t mark) {
  while (undo_.size() > mark) {
    Undo& last = undo_.back();
    if (last.before) {
      own_.insert_or_assign(std::move(last.name), *last.before);
    } else {
      own_.erase(last.name);
    }
    undo_.pop_back();
  }
}

}  // namespace cairn::query
