// Decides which part of a plan runs on several threads: the operators before the first aggregation. Threads take rows of the
// operators before that part, a few at a time, and each has a copy of the part. Their groups are joined at the end.
//
// Expressions of the part must give the same value on any thread: without subqueries, random numbers and functions of the
// program, which need not be safe on several threads.
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

namespace cairn::query {
namespace {

bool is_subquery(ExpressionKind kind) {
  using enum ExpressionKind;
  return kind == pattern_exists || kind == pattern_comprehension || kind == exists_subquery ||
         kind == count_subquery || kind == collect_subquery;
}

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

// True for scans that return all rows, whatever the operators after them need.

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

/// True for operators that make rows from one input row after the other.
bool works_row_by_row(const Operator& one) {
  return std::visit(Overload{[](const Expand&) { return true; },
                             [](const ExpandVariable& expand) {
                               return may_be_shared(expand.relationships) &&
                                      may_be_shared(expand.nodes);
                             },
                             [](const Select& select) { return may_be_shared(select.conjuncts); },
                             [](const SemiJoinFilter& keep) { return may_be_shared(keep.filter); },
                             [](const auto& other) { return gives_all(other); }},
                    one.content);
}

/// True if the groups of several threads can be joined: every aggregate has at most one argument.
bool may_be_joined(const ProjectClause& clause) {
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

/// The estimated time in which one thread makes the rows after the first `before` operators and groups them, in microseconds.
double work_of(std::span<const Operator> operators, std::size_t before) {
  constexpr double start_of_row =
      0.03;  // for each row that an operator reads, such as to find the relationships of a node
  constexpr double row = 0.006;  // for each row that an operator returns, and that is grouped
  double time = row * operators.back().rows;
  for (std::size_t i = before; i < operators.size(); ++i)
    time += start_of_row * operators[i - 1].rows + row * operators[i].rows;
  return time;
}

/// True if a variable of the first operators is a key. Then there may be as many groups as rows of these operators.
bool is_grouped_by_source(const ProjectClause& clause, std::span<const Operator> source) {
  return std::ranges::any_of(clause.keys, [&](const ExpressionPtr& key) {
    return key->kind == ExpressionKind::variable &&
           std::ranges::any_of(
               source, [&](const Operator& one) { return bound_by(one).contains(key->slot); });
  });
}

/// The estimated time for joining the groups of all threads, in microseconds. Few groups are assumed otherwise.
double joining_of(const ProjectClause& clause, std::span<const Operator> source) {
  constexpr double group = 0.04;
  return is_grouped_by_source(clause, source) ? group * source.back().rows : 0;
}

/// When to use threads: rows at the place where rows are shared, microseconds of work, and rows at once.
struct Measure {
  double least_shared = 16;
  double least_work = 500;  // without that of joining
  std::size_t most_at_once = RowBatch::capacity;
};

/// Returns the part of a pipeline for several threads; one thread: none.
Aggregate::Shared part_of(std::span<const Operator> operators, const ProjectClause& clause,
                          std::uint32_t threads, const Measure& measure) {
  constexpr double turns = 8;  // how often each thread takes rows
  if (operators.empty() || !is_source(operators.front()) ||
      !std::ranges::all_of(operators.subspan(1), works_row_by_row))
    return {};
  const std::size_t before = operators_before(operators, measure.least_shared);
  if (before == 0) return {};
  const double work = work_of(operators, before) - joining_of(clause, operators.first(before));
  if (work < measure.least_work) return {};
  const double at_once = operators[before - 1].rows / (turns * threads);
  const double most = static_cast<double>(measure.most_at_once);
  return {threads, operators.data() + before, operators.size() - before,
          static_cast<std::size_t>(std::clamp(at_once, 1.0, most))};
}

void choose_threads(Pipeline& pipeline, std::uint32_t threads, const Measure& measure) {
  const auto is_aggregate = [](const Operator& one) {
    return std::holds_alternative<Aggregate>(one.content);
  };
  const auto found = std::ranges::find_if(pipeline.operators, is_aggregate);
  if (found == pipeline.operators.end()) return;
  auto& aggregate = std::get<Aggregate>(found->content);
  aggregate.shared = {};
  if (threads > 1 && may_be_joined(*aggregate.clause))
    aggregate.shared =
        part_of(std::span(pipeline.operators.begin(), found), *aggregate.clause, threads, measure);
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
