// Rules for steps along single relationships.

#include "query/optimize/rules.hpp"
#include "query/plan/expression_traits.hpp"
#include "query/plan/logical_plan.hpp"
#include "query/plan/path_conditions.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query {

// Rule intersect_cycles: if two steps lead to the same node, the first step returns only nodes that
// the second step reaches too.
//    Expand (f)-->(g), ExpandInto (p)-->(g)   ->   Expand (f)-->(g) where (p)-->(g), ExpandInto (p)-->(g)
//
// The rule is sound because the second step drops the other rows anyway. The second step remains:
// it returns the relationships, including parallel ones, and ensures that none is used twice.
// Between the two steps there may be only other steps of the MATCH and conditions that cannot fail.
// A condition that can fail would fail on rows that the rule omits, and then the rule would hide
// the error.

namespace {

/// Returns a step between two bound nodes as a walk that ends at `node`. Returns nullopt if neither
/// end is `node`.
std::optional<Walk> walk_into(const Operator& one, Slot node) {
  const auto* const expand = std::get_if<Expand>(&one.content);
  if (expand == nullptr || !expand->walk.to_is_bound || expand->walk.from == expand->walk.to)
    return std::nullopt;
  Walk walk = expand->walk;
  if (walk.from == node) {
    std::swap(walk.from, walk.to);
    std::swap(walk.from_name, walk.to_name);
    walk.reversed = !walk.reversed;
  }
  return walk.to == node ? std::optional(std::move(walk)) : std::nullopt;
}

/// True if all slots that the operator binds hold nodes or relationships.
bool binds_entities(const Operator& one) {
  return std::holds_alternative<Expand>(one.content) ||
         std::holds_alternative<ScanNodes>(one.content) ||
         std::holds_alternative<ScanRelationships>(one.content);
}

/// Returns for each slot the last operator that binds it.
std::map<Slot, std::size_t> binders_of(const Pipeline& pipeline) {
  std::map<Slot, std::size_t> binders;
  for (std::size_t i = 0; i < pipeline.operators.size(); ++i)
    for (const Slot slot : bound_by(pipeline.operators[i])) binders[slot] = i;
  return binders;
}

/// Finds pairs of steps to the same node and adds the second step to the meetings of the first one.
class MeetingFinder {
 public:
  explicit MeetingFinder(Pipeline& pipeline)
      : operators_(pipeline.operators), binders_(binders_of(pipeline)) {}

  void find(std::size_t into) {
    const auto* const expand = std::get_if<Expand>(&operators_[into].content);
    if (expand == nullptr) return;
    for (const Slot node : {expand->walk.to, expand->walk.from})
      if (auto walk = walk_into(operators_[into], node)) meet(*std::move(walk), into);
  }

 private:
  // `walk` is the step of operator `into`, as a walk to the node that an earlier step finds.
  void meet(Walk walk, std::size_t into) {
    const auto binder = binders_.find(walk.to);
    const auto anchor = binders_.find(walk.from);
    if (binder == binders_.end()) return;
    const std::size_t step = binder->second;
    auto* const expand = std::get_if<Expand>(&operators_[step].content);
    const bool is_known = anchor == binders_.end() || anchor->second < step;
    if (expand == nullptr || step >= into || !is_known || expand->walk.to != walk.to ||
        expand->walk.to_is_bound || !are_between_steps(step, into))
      return;
    expand->meetings.push_back(std::move(walk));
  }

  // True if all operators after `step`, up to and including `into`, may follow a step that omits
  // rows.
  [[nodiscard]] bool are_between_steps(std::size_t step, std::size_t into) const {
    for (std::size_t i = step + 1; i <= into; ++i)
      if (operators_[i].clause != operators_[step].clause || !is_between_steps(operators_[i]))
        return false;
    return true;
  }

  // Operators that cannot fail and have no side effects.
  [[nodiscard]] bool is_between_steps(const Operator& one) const {
    if (const auto* select = std::get_if<Select>(&one.content))
      return std::ranges::all_of(select->conjuncts, [&](const Expression* condition) {
        return cannot_fail(*condition, [&](Slot slot) {
          const auto binder = binders_.find(slot);
          return binder != binders_.end() && binds_entities(operators_[binder->second]);
        });
      });
    return std::holds_alternative<Expand>(one.content) ||
           std::holds_alternative<SemiJoinFilter>(one.content);
  }

  std::vector<Operator>& operators_;
  std::map<Slot, std::size_t> binders_;
};

}  // namespace

Status intersect_cycles(Pipeline& pipeline, const OptimizerInputs&) {
  MeetingFinder finder(pipeline);
  for (std::size_t i = 0; i < pipeline.operators.size(); ++i) finder.find(i);
  return {};
}

// Rule count_steps: if an aggregation needs only the number of relationships that the last step
// follows, the step returns one row with this number for each input row.
//    Expand (p)-->(f), Aggregate count(f) by p   ->   ExpandCounted (p)-->(f), Aggregate count(f) by p
//
// The rule is sound if no key and no argument depends on the relationship or on its end, except
// count(f), which is never null here, and if duplicate rows do not change the other aggregates.

bool varies_with(const Expression& expression, const SlotSet& slots) {
  const SlotSet read = free_slots(expression);
  return !is_deterministic(expression) ||
         std::ranges::any_of(slots, [&](Slot slot) { return read.contains(slot); });
}

bool any_varies_with(std::span<const ExpressionPtr> expressions, const SlotSet& slots) {
  return std::ranges::any_of(expressions,
                             [&](const auto& one) { return varies_with(*one, slots); });
}

bool counts_once(const AggregateCall& call) {
  if (call.function == nullptr) return false;
  const std::string_view name = call.function->name;
  return name == "min" || name == "max" || (call.distinct && name == "count");
}

namespace {

// The slots that the step binds. A bound end has the same value in all rows of the step.
SlotSet slots_of_step(const Walk& walk) {
  SlotSet slots{walk.pattern->slot};
  if (!walk.to_is_bound) slots.insert(walk.to);
  return slots;
}

/// True if the aggregate can be computed from the number of steps.
bool needs_number_only(const AggregateCall& call, const SlotSet& step) {
  if (call.function == nullptr) return true;
  const bool is_count = call.function->name == "count" && !call.distinct;
  if (is_count && call.arguments[0]->kind == ExpressionKind::variable) return true;
  return (is_count || counts_once(call)) && !any_varies_with(call.arguments, step);
}

bool needs_number_only(const Aggregate& aggregate, const SlotSet& step) {
  const ProjectClause& clause = *aggregate.clause;
  return !any_varies_with(clause.keys, step) &&
         std::ranges::all_of(clause.aggregates, [&](const AggregateCall& call) {
           return needs_number_only(call, step);
         });
}

}  // namespace

Status count_steps(Pipeline& pipeline, const OptimizerInputs&) {
  auto& operators = pipeline.operators;
  for (std::size_t i = 1; i < operators.size(); ++i) {
    auto* const expand = std::get_if<Expand>(&operators[i - 1].content);
    auto* const aggregate = std::get_if<Aggregate>(&operators[i].content);
    if (expand == nullptr || aggregate == nullptr || expand->walk.pattern->is_bound ||
        !needs_number_only(*aggregate, slots_of_step(expand->walk)))
      continue;
    expand->is_counted = true;
    aggregate->weight = expand->walk.pattern->slot;
  }
  return {};
}

// Rule carry_read_slots: a step does not copy slots that no later operator reads.

Status carry_read_slots(Pipeline& pipeline, const OptimizerInputs&) {
  for_each_read_behind(pipeline, [&](std::size_t i, const ReadSlots* live) {
    OperatorContent& content = pipeline.operators[i].content;
    if (live == nullptr) return;
    if (auto* expand = std::get_if<Expand>(&content)) expand->carried = *live;
    if (auto* variable = std::get_if<ExpandVariable>(&content)) variable->carried = *live;
  });
  return {};
}

}  // namespace cairn::query
