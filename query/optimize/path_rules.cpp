// Rules for paths of a variable number of relationships.

#include "query/optimize/rules.hpp"
#include "query/plan/expression_traits.hpp"
#include "query/plan/path_conditions.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace cairn::query {

// Conditions on every element of a path hold on the way already, which cuts off whole branches.
//    ExpandVariable (a)-[r*1..4]->(b), BindPath p, Select all(x IN relationships(p) WHERE x.w > 1) AND b.y = 2
//    ->
//    ExpandVariable (a)-[r*1..4]->(b) each x.w > 1, BindPath p, Select b.y = 2
//
// Sound, because WHERE keeps a path only where the test gives what is wanted for each of its elements: unknown is
// neither true, which all() wants, nor false, which none() does. A condition stays in its Select too where it may
// fail: a step that no path takes must not end the statement.

namespace {

/// The operators behind a step that are about the same MATCH, or nothing that changes what it gives.
bool keeps_rows_apart(const Operator& one) {
  return std::holds_alternative<Select>(one.content) ||
         std::holds_alternative<SemiJoinFilter>(one.content) ||
         std::holds_alternative<BindPath>(one.content);
}

/// The path that is this step and nothing else.
const PathPattern* path_of_step(const BindPath& bind, const RelationshipPattern& step) {
  const auto& steps = bind.path->relationships;
  return steps.size() == 1 && steps[0].slot == step.slot ? bind.path : nullptr;
}

/// Takes conditions out of the Selects behind one step, as far as it can test them itself.
class ConditionPush {
 public:
  ConditionPush(Pipeline& pipeline, std::size_t step)
      : pipeline_(pipeline),
        step_(step),
        expand_(std::get<ExpandVariable>(pipeline.operators[step].content)) {}

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
  /// Whether the step tests the condition, so that nobody else has to.
  bool takes(const Expression& condition) {
    const auto found = element_condition(condition, *expand_.walk.pattern, path_);
    if (!found || !is_deterministic(condition) || !is_known_before(condition)) return false;
    (found->is_of_nodes ? expand_.nodes : expand_.relationships).push_back(found->test);
    const Slot element = found->test.slot;
    return cannot_fail(*found->test.condition, [&](Slot slot) { return slot == element; });
  }

  /// Whether what the condition reads besides the path has its value before the step.
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

// Where only the different ends of paths matter, they are found breadth first, each once.
//    ExpandVariable (a)-[*1..4]->(b), Aggregate count(DISTINCT b)   ->   ExpandReach (a)-[*1..4]->(b), ...
//
// Sound with a least length of 0 or 1 and a direction: an end that a walk reaches is reached by a path without a
// repetition that is no longer. With a least length of 2 a longer path may need a detour; without a direction the start
// would be reached by going back. And only where no other relationship of the MATCH could be one of the path.

namespace {

bool reads(const Expression& expression, const SlotSet& slots) {
  const SlotSet read = free_slots(expression);
  return std::ranges::any_of(slots, [&](Slot slot) { return read.contains(slot); });
}

/// Whether how often an expression is evaluated matters, or what of the path it reads.
bool is_about_paths(const Expression& expression, const SlotSet& path) {
  return reads(expression, path) || !is_deterministic(expression);
}

bool are_about_paths(std::span<const ExpressionPtr> expressions, const SlotSet& path) {
  return std::ranges::any_of(expressions,
                             [&](const auto& one) { return is_about_paths(*one, path); });
}

/// Whether equal rows more or less change nothing.
bool counts_once(const AggregateCall& call) {
  if (call.function == nullptr) return false;
  const std::string_view name = call.function->name;
  return name == "min" || name == "max" || (call.distinct && name == "count");
}

bool is_about_ends(const Aggregate& aggregate, const SlotSet& path) {
  const ProjectClause& clause = *aggregate.clause;
  return !are_about_paths(clause.keys, path) &&
         std::ranges::all_of(clause.aggregates, [&](const AggregateCall& call) {
           return counts_once(call) && !are_about_paths(call.arguments, path);
         });
}

bool is_about_ends(const Project& project, const SlotSet& path) {
  return !project.keep_input &&
         std::ranges::none_of(project.clause->items, [&](const ProjectionItem& item) {
           return is_about_paths(*item.expression, path);
         });
}

bool has_reach(const ExpandVariable& expand) {
  const RelationshipPattern& pattern = *expand.walk.pattern;
  return pattern.hops && pattern.hops->least <= 1 && pattern.direction != PatternDirection::any &&
         !pattern.is_bound && expand.walk.unlike.empty();
}

/// The operators behind the step that bind its path, if all that follows is about the ends alone.
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
                              [&](const auto* one) { return is_about_paths(*one, path); }))
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
