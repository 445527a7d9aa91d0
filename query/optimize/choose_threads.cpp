// Decides which part of a plan runs on several threads. The part begins after the first operator with enough rows to
// share, and ends before the first operator that gathers rows: an aggregation, a sort or a DISTINCT. Each thread has a
// copy of the part, and takes a few input rows at a time. The partial results of the threads are merged at the end.
//
// Expressions of the part must have the same value on any thread. They must not contain subqueries, random numbers, or
// functions of the program, which may not be thread-safe.
#include "query/execute/row_batch.hpp"
#include "query/optimize/optimizer.hpp"
#include "query/optimize/rules.hpp"
#include "query/plan/logical_plan.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <thread>
#include <variant>
#include <vector>

namespace cairn::query {
namespace {

bool is_subquery(ExpressionKind kind) {
  using enum ExpressionKind;
  return kind == pattern_exists || kind == pattern_comprehension || kind == exists_subquery ||
         kind == count_subquery || kind == collect_subquery;
}

// True if every thread computes the same value for a row. Functions of the program and subqueries
// must run on the thread of the statement.
bool may_be_shared(const Expression& expression) {
  bool may = is_deterministic(expression);
  walk(expression, [&](const Expression& part) {
    const bool is_of_program = part.function != nullptr && part.function->registered != nullptr;
    may = may && !is_of_program && !is_subquery(part.kind);
  });
  return may;
}

bool may_be_shared(std::span<const Expression* const> expressions) {
  return std::ranges::all_of(expressions, [](const auto* one) { return may_be_shared(*one); });
}

bool may_be_shared(const FilterPlan& filter) {
  return std::ranges::all_of(filter.conjuncts, [](const FilterConjunct& conjunct) {
    return may_be_shared(conjunct.sources);
  });
}

bool may_be_shared(std::span<const ElementTest> tests) {
  return std::ranges::all_of(tests,
                             [](const auto& test) { return may_be_shared(*test.condition); });
}

// True for scans that return all rows, whatever later operators need.

bool gives_all(const ScanNodes& scan) {
  return !scan.first && scan.extremes.empty() && !scan.nearest && may_be_shared(scan.filter);
}

bool gives_all(const ScanRelationships& scan) {
  return !scan.nearest && may_be_shared(scan.filter);
}

bool gives_all(const Unwind& unwind) { return may_be_shared(*unwind.clause->list); }

template <class Other>
bool gives_all(const Other& /*other*/) {
  return false;
}

/// True for a first operator that may have rows for several threads.
bool is_source(const Operator& one) {
  return std::visit([](const auto& content) { return gives_all(content); }, one.content);
}

bool may_be_shared(const Project& project) {
  return std::ranges::all_of(project.clause->items,
                             [](const auto& item) { return may_be_shared(*item.expression); });
}

/// True for operators that process each input row separately.
bool works_row_by_row(const Operator& one) {
  return std::visit(
      Overload{[](const Expand&) { return true; }, [](const BindPath&) { return true; },
               [](const Project& project) { return may_be_shared(project); },
               [](const Optional& optional) {
                 return std::ranges::all_of(optional.inner.operators, works_row_by_row);
               },
               [](const ExpandVariable& expand) {
                 return may_be_shared(expand.relationships) && may_be_shared(expand.nodes);
               },
               [](const Select& select) { return may_be_shared(select.conjuncts); },
               [](const SemiJoinFilter& keep) { return may_be_shared(keep.filter); },
               [](const auto& other) { return gives_all(other); }},
      one.content);
}

bool may_be_joined(const Sort& sort) {
  return std::ranges::all_of(sort.clause->order,
                             [](const SortKey& key) { return may_be_shared(*key.expression); });
}

/// True if the groups of several threads can be merged: every aggregate has at most one argument,
/// and all expressions may be shared.
bool may_be_joined(const Aggregate& aggregate) {
  const ProjectClause& clause = *aggregate.clause;
  const auto is_ready = [](const ExpressionPtr& one) { return may_be_shared(*one); };
  return std::ranges::all_of(clause.keys, is_ready) &&
         std::ranges::all_of(clause.aggregates, [&](const AggregateCall& call) {
           return call.arguments.size() <= 1 && std::ranges::all_of(call.arguments, is_ready);
         });
}

/// Returns the number of operators up to the first one that has enough rows to share.
std::size_t operators_before(std::span<const Operator> operators, double enough) {
  const auto first =
      std::ranges::find_if(operators, [&](const Operator& one) { return one.rows >= enough; });
  return first == operators.end() ? 0 : static_cast<std::size_t>(first - operators.begin()) + 1;
}

/// Returns the estimated time, in microseconds, in which one thread computes and groups the rows of the operators after the
/// first `before` ones.
double work_of(std::span<const Operator> operators, std::size_t before) {
  constexpr double start_of_row =
      0.03;  // for each input row of an operator, for example to find the relationships of a node
  constexpr double row = 0.006;  // for each output row of an operator, and for grouping a row
  double time = row * operators.back().rows;
  for (std::size_t i = before; i < operators.size(); ++i)
    time += start_of_row * operators[i - 1].rows + row * operators[i].rows;
  return time;
}

/// True if the slot, after all operators, has a variable that the first `before` operators bind.
bool is_of_source(std::span<const Operator> operators, std::size_t before, Slot slot) {
  while (operators.size() > before) {
    const Operator& last = operators.back();
    if (const auto* project = std::get_if<Project>(&last.content)) {
      const std::vector<ProjectionItem>& items = project->clause->items;
      if (slot >= items.size()) return false;
      if (items[slot].expression->kind != ExpressionKind::variable) return false;
      slot = items[slot].expression->slot;
    }
    operators = operators.first(operators.size() - 1);
  }
  return std::ranges::any_of(operators,
                             [&](const Operator& one) { return bound_by(one).contains(slot); });
}

/// Returns the slots of the grouping keys that are variables.
std::vector<Slot> key_slots(const Operator& last) {
  std::vector<Slot> slots;
  if (const auto* distinct = std::get_if<Distinct>(&last.content)) {
    for (std::size_t i = 0; i < distinct->columns; ++i) slots.push_back(static_cast<Slot>(i));
  } else if (const auto* aggregate = std::get_if<Aggregate>(&last.content)) {
    for (const ExpressionPtr& key : aggregate->clause->keys)
      if (key->kind == ExpressionKind::variable) slots.push_back(key->slot);
  }
  return slots;
}

/// Returns the estimated time for merging the groups of all threads, in microseconds. If a key is a variable that the first
/// `before` operators bind, assumes as many groups as these operators have rows; otherwise assumes few groups.
double joining_of(std::span<const Operator> operators, std::size_t before, const Operator& last) {
  constexpr double group = 0.04;
  const auto slots = key_slots(last);
  const bool has_many =
      std::ranges::any_of(slots, [&](Slot slot) { return is_of_source(operators, before, slot); });
  return has_many ? group * operators[before - 1].rows : 0;
}

/// When to use threads: the least number of shared rows, the least work in microseconds, and the most
/// rows that a thread takes at a time.
struct Measure {
  double least_shared = 16;
  double least_work = 500;  // without the time for merging
  std::size_t most_at_once = RowBatch::capacity;
};

/// Returns the part of a pipeline that several threads run, or an empty part if one thread should run it. `last`
/// gathers the rows of the operators.
SharedPart part_of(std::span<const Operator> operators, const Operator& last, std::uint32_t threads,
                   const Measure& measure) {
  constexpr double turns = 8;  // number of times that each thread takes rows
  if (operators.empty() || !is_source(operators.front()) ||
      !std::ranges::all_of(operators.subspan(1), works_row_by_row))
    return {};
  const std::size_t before = operators_before(operators, measure.least_shared);
  if (before == 0) return {};
  const double work = work_of(operators, before) - joining_of(operators, before, last);
  if (work < measure.least_work) return {};
  const double at_once = operators[before - 1].rows / (turns * threads);
  const double most = static_cast<double>(measure.most_at_once);
  return {threads, operators.data() + before, operators.size() - before,
          static_cast<std::size_t>(std::clamp(at_once, 1.0, most))};
}

/// True if a LIMIT may end the operators before all of their rows are known.
bool may_end_early(std::span<const Operator> operators) {
  for (const Operator& one : operators) {
    if (std::holds_alternative<Limit>(one.content)) return true;
    if (std::holds_alternative<Sort>(one.content) || std::holds_alternative<Aggregate>(one.content))
      return false;
  }
  return false;
}

/// True if several threads may gather rows for the operator at `place`.
bool may_be_joined(std::span<const Operator> operators, std::size_t place) {
  const auto is_distinct_ready = [&] {
    const auto* project =
        place == 0 ? nullptr : std::get_if<Project>(&operators[place - 1].content);
    return project != nullptr && !project->keep_input && !may_end_early(operators.subspan(place));
  };
  return std::visit(Overload{[&](const Distinct&) { return is_distinct_ready(); },
                             [](const Sort& sort) { return may_be_joined(sort); },
                             [](const Aggregate& aggregate) { return may_be_joined(aggregate); },
                             [](const auto&) { return false; }},
                    operators[place].content);
}

void set_part(Operator& one, const SharedPart& part) {
  std::visit(Overload{[&](Distinct& distinct) { distinct.shared = part; },
                      [&](Sort& sort) { sort.shared = part; },
                      [&](Aggregate& aggregate) { aggregate.shared = part; }, [](auto&) {}},
             one.content);
}

void choose_threads(Pipeline& pipeline, std::uint32_t threads, const Measure& measure) {
  const std::span<Operator> operators(pipeline.operators);
  for (Operator& one : operators) set_part(one, {});
  const auto found = std::ranges::find_if(
      operators, [](const Operator& one) { return shared_part_of(one) != nullptr; });
  if (found == operators.end() || threads <= 1) return;
  const auto place = static_cast<std::size_t>(found - operators.begin());
  if (may_be_joined(operators, place))
    set_part(*found, part_of(operators.first(place), *found, threads, measure));
}

}  // namespace

std::uint32_t threads_of(std::uint32_t wanted) {
  constexpr std::uint32_t usual = 4;
  constexpr std::uint32_t most = 64;
  static const std::uint32_t cores = std::max(1U, std::thread::hardware_concurrency());
  return wanted == 0 ? std::min(cores, usual) : std::min(wanted, most);
}

// Inner pipelines run once for each row, and are mostly short.
void choose_threads(LogicalPlan& plan, std::uint32_t threads, std::string_view disabled_rules) {
  const bool is_any = is_disabled(disabled_rules, "one_thread_for_few_rows");
  const Measure measure = is_any ? Measure{0, std::numeric_limits<double>::lowest(), 3} : Measure{};
  for (Pipeline& branch : plan.branches)
    choose_threads(branch, plan.is_writing ? 1 : threads_of(threads), measure);
}

}  // namespace cairn::query
