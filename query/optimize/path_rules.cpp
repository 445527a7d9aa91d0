// Rules for paths of variable length.

#include "query/optimize/rules.hpp"
#include "query/plan/expression_traits.hpp"
#include "query/plan/path_conditions.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace cairn::query {

// Rule push_path_conditions: tests conditions on every element of a path during the walk, which
// cuts off whole branches.
//    ExpandVariable (a)-[r*1..4]->(b), BindPath p, Select all(x IN relationships(p) WHERE x.w > 1) AND b.y = 2
//    ->
//    ExpandVariable (a)-[r*1..4]->(b) each x.w > 1, BindPath p, Select b.y = 2
//
// The rule is sound because WHERE keeps a path only if the test has the wanted result for each
// element. all() needs true, none() needs false, and unknown is neither. A condition that may fail
// also stays in its Select: an error at a step that is on no complete path must not end the
// statement.

namespace {

/// True if the operator only drops rows or binds a path, so that conditions after it still apply to
/// single paths.
bool keeps_rows_apart(const Operator& one) {
  return std::holds_alternative<Select>(one.content) ||
         std::holds_alternative<SemiJoinFilter>(one.content) ||
         std::holds_alternative<BindPath>(one.content);
}

/// Returns the path of the BindPath if the step is the only step of that path, otherwise nullptr.
const PathPattern* path_of_step(const BindPath& bind, const RelationshipPattern& step) {
  const auto& steps = bind.path->relationships;
  return steps.size() == 1 && steps[0].slot == step.slot ? bind.path : nullptr;
}

/// Moves conditions from the Selects after one step into the step, as far as the step can test
/// them.
class ConditionPush {
 public:
  ConditionPush(Pipeline& pipeline, std::size_t step)
      : pipeline_(pipeline),
        step_(step),
        expand_(std::get<ExpandVariable>(pipeline.operators[step].content)) {}

  // Visits the operators after the step until one combines or multiplies rows. Then removes empty
  // Selects.
  void run() {
    auto& operators = pipeline_.operators;
    for (std::size_t i = step_ + 1; i < operators.size() && keeps_rows_apart(operators[i]); ++i) {
      if (const auto* bind = std::get_if<BindPath>(&operators[i].content))
        if (const PathPattern* own = path_of_step(*bind, *expand_.walk.pattern)) path_ = own;
      auto* const select = std::get_if<Select>(&operators[i].content);
      if (select == nullptr) continue;
      std::erase_if(select->conjuncts, [&](const Expression* one) { return takes(*one); });
    }
    std::erase_if(operators, [](const Operator& one) {
      const auto* const select = std::get_if<Select>(&one.content);
      return select != nullptr && select->conjuncts.empty();
    });
  }

 private:
  /// Adds the condition to the step if possible. Returns true if the Select no longer needs to
  /// check the condition.
  bool takes(const Expression& condition) {
    const auto found = element_condition(condition, *expand_.walk.pattern, path_);
    if (!found || !is_deterministic(condition) || !is_known_before(condition)) return false;
    (found->is_of_nodes ? expand_.nodes : expand_.relationships).push_back(found->test);
    const Slot element = found->test.slot;
    return cannot_fail(*found->test.condition, [&](Slot slot) { return slot == element; });
  }

  /// True if everything that the condition reads besides the path has a value before the step.
  [[nodiscard]] bool is_known_before(const Expression& condition) const {
    SlotSet read = free_slots(condition);
    read.erase(expand_.walk.pattern->slot);
    if (path_ != nullptr) read.erase(*path_->slot);
    for (const Operator& one : std::span(pipeline_.operators).subspan(step_))
      for (const Slot slot : bound_by(one))
        if (read.contains(slot)) return false;
    return true;
  }

  Pipeline& pipeline_;
  std::size_t step_;
  ExpandVariable& expand_;
  const PathPattern* path_ = nullptr;
};

}  // namespace

Status push_path_conditions(Pipeline& pipeline, const OptimizerInputs&) {
  for (std::size_t i = 0; i < pipeline.operators.size(); ++i)
    if (std::holds_alternative<ExpandVariable>(pipeline.operators[i].content))
      ConditionPush(pipeline, i).run();
  return {};
}

// Rule reach_ends: if only the distinct ends of paths matter, finds each end once by a
// breadth-first search.
//    ExpandVariable (a)-[*1..4]->(b), Aggregate count(DISTINCT b)   ->   ExpandReach (a)-[*1..4]->(b), ...
//
// The rule is sound for a least length of 0 or 1 and a directed pattern. For these, if a walk reaches a node, then a
// path without repeated relationships reaches the node too and is not longer. With a least length of 2, a path may need
// a detour. Without a direction, the walk could return to the start along the same relationship. The rule also requires
// that no other relationship of the MATCH can occur in the path.

namespace {

// True if the operator's result depends only on the set of end nodes.
bool is_about_ends(const Aggregate& aggregate, const SlotSet& path) {
  const ProjectClause& clause = *aggregate.clause;
  return !any_varies_with(clause.keys, path) &&
         std::ranges::all_of(clause.aggregates, [&](const AggregateCall& call) {
           return counts_once(call) && !any_varies_with(call.arguments, path);
         });
}

bool is_about_ends(const Project& project, const SlotSet& path) {
  return !project.keep_input &&
         std::ranges::none_of(project.clause->items, [&](const ProjectionItem& item) {
           return varies_with(*item.expression, path);
         });
}

// True if a breadth-first search finds the same ends as the walk.
bool has_reach(const ExpandVariable& expand) {
  const RelationshipPattern& pattern = *expand.walk.pattern;
  return pattern.hops && pattern.hops->least <= 1 && pattern.direction != PatternDirection::any &&
         !pattern.is_bound && expand.walk.unlike.empty();
}

/// Returns the BindPath operators of the step if all later operators read only the ends of the
/// paths, otherwise nullopt.
std::optional<std::vector<std::size_t>> paths_nobody_reads(const Pipeline& pipeline,
                                                           std::size_t step) {
  const auto& operators = pipeline.operators;
  const auto& expand = std::get<ExpandVariable>(operators[step].content);
  SlotSet path{expand.walk.pattern->slot};
  std::vector<std::size_t> bound;
  for (std::size_t i = step + 1; i < operators.size(); ++i) {
    const OperatorContent& content = operators[i].content;
    if (const auto* bind = std::get_if<BindPath>(&content)) {
      if (path_of_step(*bind, *expand.walk.pattern) == nullptr) return std::nullopt;
      path.insert(*bind->path->slot);
      bound.push_back(i);
    } else if (const auto* select = std::get_if<Select>(&content)) {
      if (std::ranges::any_of(select->conjuncts,
                              [&](const auto* one) { return varies_with(*one, path); }))
        return std::nullopt;
    } else if (const auto* aggregate = std::get_if<Aggregate>(&content)) {
      return is_about_ends(*aggregate, path) ? std::optional(bound) : std::nullopt;
    } else if (const auto* project = std::get_if<Project>(&content)) {
      const bool is_distinct =
          i + 1 < operators.size() && std::holds_alternative<Distinct>(operators[i + 1].content);
      return is_distinct && is_about_ends(*project, path) ? std::optional(bound) : std::nullopt;
    } else if (!std::holds_alternative<SemiJoinFilter>(content)) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace

Status reach_ends(Pipeline& pipeline, const OptimizerInputs&) {
  auto& operators = pipeline.operators;
  for (std::size_t i = 0; i < operators.size(); ++i) {
    auto* const expand = std::get_if<ExpandVariable>(&operators[i].content);
    if (expand == nullptr || !has_reach(*expand)) continue;
    const auto bound = paths_nobody_reads(pipeline, i);
    if (!bound) continue;
    expand->ends_only = true;
    for (auto at = bound->rbegin(); at != bound->rend(); ++at)
      operators.erase(operators.begin() + static_cast<std::ptrdiff_t>(*at));
  }
  return {};
}

}  // namespace cairn::query
