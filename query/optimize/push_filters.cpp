// Conditions move from the end of a MATCH to the step that gives the last of their variables a
// value; what reads no variable of the MATCH is checked before it begins.
//    ScanNodes a, Expand (a)-->(b), Select a.x = 1 AND b.y = a.y
//    ->
//    ScanNodes a, Select a.x = 1, Expand (a)-->(b), Select b.y = a.y
//
// Sound within one MATCH: a row that a later condition drops is dropped earlier, and nothing
// between has an effect. Where a condition would fail with an error, it may fail on more or fewer
// rows. Conditions with rand() stay at the end, to be drawn once for each match.

#include "query/optimize/rules.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query {
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

}  // namespace cairn::query
