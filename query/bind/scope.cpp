// A scope is a table of names with a list of what was declared, in order, so that leaving a frame
// restores exactly what was there. Lookups walk from the innermost scope outwards; there are two of
// them at most where ORDER BY sees columns before variables, and one more for each subquery around.
#include "query/bind/scope.hpp"

namespace cairn::query {

// The nearest scope wins; every scope passed on the way adds its shift.
std::optional<Variable> Scope::find(std::string_view name) const {
  Slot shift = 0;
  for (const Scope* scope = this; scope != nullptr; scope = scope->behind_) {
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

// Slots are never given out twice within a scope, also after the name is gone: a row may still hold
// the old value, and nothing that reads it can be meant by the new name.
Variable Scope::declare(std::string_view name, StaticType type) {
  const Variable variable{allocate(), type};
  declare_at(name, variable);
  return variable;
}

// The undo list is also the order of declaration.
void Scope::declare_at(std::string_view name, Variable variable) {
  const auto found = own_.find(name);
  std::optional<Variable> before;
  if (found != own_.end()) before = found->second;
  undo_.push_back({std::string(name), before});
  own_.insert_or_assign(std::string(name), variable);
}

// What * stands for. Variables that are only carried along for a subquery are left out.
std::vector<std::pair<std::string, Variable>> Scope::visible() const {
  std::vector<std::pair<std::string, Variable>> result;
  for (const Undo& declared : undo_) {
    const auto found = own_.find(declared.name);
    // A name that was declared again stands where it first was.
    if (found == own_.end() || declared.before || found->second.is_carried) continue;
    result.emplace_back(declared.name, found->second);
  }
  return result;
}

std::vector<std::string_view> Scope::names() const {
  std::vector<std::string_view> result;
  for (const Scope* scope = this; scope != nullptr; scope = scope->behind_) {
    for (const auto& [name, variable] : scope->own_) result.push_back(name);
  }
  return result;
}

// Newest first, so that a name declared twice gets its first meaning back.
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
