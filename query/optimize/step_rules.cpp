// Rules for steps along single relationships.

#include "query/optimize/rules.hpp"
#include "query/plan/live_slots.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace cairn::query {

// A node that two steps lead to is taken only where the second one leads to it as well.
//    Expand (f)-->(g), ExpandInto (p)-->(g)   ->   Expand (f)-->(g) where (p)-->(g), ExpandInto (p)-->(g)
//
// Sound, because the second step drops the other rows anyway; it gives the relationships, parallel ones each, and sees
// to it that none is taken twice. Between the two are conditions and other steps of the MATCH alone.

namespace {

/// The step that goes into a node which is bound, seen from its other end; nothing where it does not go there.
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

bool is_between_steps(const Operator& one) {
  return std::holds_alternative<Expand>(one.content) ||
         std::holds_alternative<Select>(one.content) ||
         std::holds_alternative<SemiJoinFilter>(one.content);
}

std::vector<Walk> meetings_of(const Pipeline& pipeline, std::size_t step) {
  const auto& operators = pipeline.operators;
  const Slot node = std::get<Expand>(operators[step].content).walk.to;
  SlotSet bound = bound_by(operators[step]);
  std::vector<Walk> meetings;
  for (std::size_t i = step + 1; i < operators.size(); ++i) {
    if (operators[i].clause != operators[step].clause || !is_between_steps(operators[i])) break;
    if (auto walk = walk_into(operators[i], node); walk && !bound.contains(walk->from))
      meetings.push_back(*std::move(walk));
    bound.merge(bound_by(operators[i]));
  }
  return meetings;
}

}  // namespace

Status intersect_cycles(Pipeline& pipeline, const OptimizerInputs&) {
  for (std::size_t i = 0; i < pipeline.operators.size(); ++i) {
    auto* const expand = std::get_if<Expand>(&pipeline.operators[i].content);
    if (expand != nullptr && !expand->walk.to_is_bound) expand->meetings = meetings_of(pipeline, i);
  }
  return {};
}

// What nobody reads behind a step is not carried on.

Status carry_live_slots(Pipeline& pipeline, const OptimizerInputs&) {
  for (std::size_t i = 0; i < pipeline.operators.size(); ++i)
    if (auto* expand = std::get_if<Expand>(&pipeline.operators[i].content))
      expand->carried = live_behind(pipeline, i);
    else if (auto* variable = std::get_if<ExpandVariable>(&pipeline.operators[i].content))
      if (variable->ends_only) variable->carried = live_behind(pipeline, i);
  return {};
}

}  // namespace cairn::query
