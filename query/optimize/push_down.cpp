// Rules that move filters and limits closer to the operators that they affect.

#include "query/optimize/rules.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query {

// Rule push_filters: moves each condition from the end of a MATCH to the step that binds the last
// of its variables. Conditions that read no variable of the MATCH are checked before it starts.
//    ScanNodes a, Expand (a)-->(b), Select a.x = 1 AND b.y = a.y
//    ->
//    ScanNodes a, Select a.x = 1, Expand (a)-->(b), Select b.y = a.y
//
// The rule is sound within one MATCH: rows that a later condition drops are dropped earlier, and no
// operator between has side effects. A condition that can fail with an error may be evaluated on
// more or fewer rows. Conditions with rand() stay at the end, so that they are evaluated once per
// match.

namespace {

// The steps of one MATCH. Its conditions follow them.
struct MatchedRun {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< end of the steps, where the Select is
};

/// A Select with clause number 0 is a WHERE after WITH or YIELD and is not moved.
std::vector<MatchedRun> find_runs(const Pipeline& pipeline) {
  std::vector<MatchedRun> runs;
  const auto& operators = pipeline.operators;
  for (std::size_t i = 0; i < operators.size(); ++i) {
    if (operators[i].clause == 0 || !std::holds_alternative<Select>(operators[i].content)) continue;
    std::size_t begin = i;
    while (begin > 0 && operators[begin - 1].clause == operators[i].clause) --begin;
    runs.push_back({begin, i});
  }
  return runs;
}

// Returns the number of steps of the run after which the condition can be checked.
std::size_t place_of(const Expression& condition, const Pipeline& pipeline, const MatchedRun& run) {
  if (!is_deterministic(condition)) return run.end - run.begin;
  const SlotSet needed = free_slots(condition);
  for (std::size_t i = run.end; i > run.begin; --i) {
    const SlotSet bound = bound_by(pipeline.operators[i - 1]);
    const bool is_needed =
        std::any_of(bound.begin(), bound.end(), [&](Slot slot) { return needed.contains(slot); });
    if (is_needed) return i - run.begin;
  }
  return 0;
}

// Conditions with the same place become one Select and stay in the order as written.
void push_run(Pipeline& pipeline, const MatchedRun& run) {
  auto& operators = pipeline.operators;
  std::vector<Select> selects(run.end - run.begin + 1);
  for (const Expression* condition : std::get<Select>(operators[run.end].content).conjuncts)
    selects[place_of(*condition, pipeline, run)].conjuncts.push_back(condition);
  const std::uint32_t clause = operators[run.end].clause;
  const std::uint32_t width = operators[run.end].width;
  operators.erase(operators.begin() + static_cast<std::ptrdiff_t>(run.end));
  for (std::size_t place = selects.size(); place-- > 0;)
    if (!selects[place].conjuncts.empty())
      operators.insert(operators.begin() + static_cast<std::ptrdiff_t>(run.begin + place),
                       Operator{std::move(selects[place]), width, clause, 0});
}

}  // namespace

Status push_filters(Pipeline& pipeline, const OptimizerInputs&) {
  const std::vector<MatchedRun> runs = find_runs(pipeline);
  // Goes from the last run to the first, so that the positions of earlier runs stay valid.
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) push_run(pipeline, *run);
  return {};
}

// Rule push_limits: LIMIT affects the operators before it. A sort keeps only as many rows as are
// needed, and columns are computed for those rows only.
// The rule is sound because Project returns one row per row and has no side effects. Columns of
// dropped rows are not computed, so an error in one of these rows is not reported (see
// LANGUAGE.md).

namespace {

template <class Content>
bool is(const Pipeline& pipeline, std::size_t i) {
  return i < pipeline.operators.size() &&
         std::holds_alternative<Content>(pipeline.operators[i].content);
}

/// Limits a sort if a LIMIT follows immediately or after a SKIP. The Limit operator remains.
void limit_sort(Pipeline& pipeline, std::size_t i) {
  const std::size_t next = is<Skip>(pipeline, i + 1) ? i + 2 : i + 1;
  if (is<Limit>(pipeline, next)) std::get<Sort>(pipeline.operators[i].content).is_limited = true;
}

// Reorders Project, Skip, Limit to Skip, Limit, Project. The moved operators now have rows of the
// width before the Project.
void project_late(Pipeline& pipeline, std::size_t i) {
  auto& operators = pipeline.operators;
  std::size_t end = i + 1;
  while (is<Skip>(pipeline, end) || is<Limit>(pipeline, end)) ++end;
  if (end == i + 1) return;
  const std::uint32_t width = i == 0 ? pipeline.width : operators[i - 1].width;
  const auto at = [&](std::size_t place) {
    return operators.begin() + static_cast<std::ptrdiff_t>(place);
  };
  std::rotate(at(i), at(i + 1), at(end));
  for (std::size_t moved = i; moved + 1 < end; ++moved) operators[moved].width = width;
}

}  // namespace

Status push_limits(Pipeline& pipeline, const OptimizerInputs&) {
  for (std::size_t i = 0; i < pipeline.operators.size(); ++i) {
    if (is<Sort>(pipeline, i)) limit_sort(pipeline, i);
    if (is<Project>(pipeline, i)) project_late(pipeline, i);
  }
  return {};
}

}  // namespace cairn::query
