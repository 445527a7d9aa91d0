// Rules that move work towards the rows it is about: filters and limits.

#include "query/optimize/rules.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query {

// Conditions move from the end of a MATCH to the step that gives the last of their variables a
// value; what reads no variable of the MATCH is checked before it begins.
//    ScanNodes a, Expand (a)-->(b), Select a.x = 1 AND b.y = a.y
//    ->
//    ScanNodes a, Select a.x = 1, Expand (a)-->(b), Select b.y = a.y
//
// Sound within one MATCH: a row that a later condition drops is dropped earlier, and nothing
// between has an effect. Where a condition would fail with an error, it may fail on more or fewer
// rows. Conditions with rand() stay at the end, to be drawn once for each match.

namespace {

// The steps of one MATCH and its conditions behind them.
struct MatchedRun {
  std::size_t begin = 0;
  std::size_t end = 0;  ///< of the steps: where the conditions stand
};

/// A Select of clause 0 is a WHERE behind WITH or YIELD and stays where it is.
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

// Behind how many steps of the run the condition can be checked.
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

// Conditions of one place become one Select, in the order they were written in.
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
  // From the back, so that places in front stay as they are.
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) push_run(pipeline, *run);
  return {};
}

// LIMIT works on the operators before it: a sort keeps no more rows than are wanted, and columns are
// computed for those rows alone.
// Sound, because Project gives one row for each and has no effect; what it would compute for rows
// that are cut off is not computed, so that an error in one of those may not come up (LANGUAGE.md
// says so).

namespace {

template <class Content>
bool is(const Pipeline& pipeline, std::size_t i) {
  return i < pipeline.operators.size() &&
         std::holds_alternative<Content>(pipeline.operators[i].content);
}

/// Only a LIMIT that follows at once, or behind a SKIP. The Limit itself stays.
void limit_sort(Pipeline& pipeline, std::size_t i) {
  const std::size_t next = is<Skip>(pipeline, i + 1) ? i + 2 : i + 1;
  if (is<Limit>(pipeline, next)) std::get<Sort>(pipeline.operators[i].content).is_limited = true;
}

// Project, Skip, Limit -> Skip, Limit, Project.
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
