// MATCH (n ...) RETURN n.p, count(*), RETURN DISTINCT n.p and RETURN count(DISTINCT n.p): the sizes of the
// intersections of one bitmap with the postings of the property's values; no row is made and no record
// read, but for values that the index does not tell.
//    ScanNodes (n) | filter                                    IndexGroupCount (n) by p
//    Aggregate count(*) by n.p                               ->    | filter
//
// Sound where every other column counts rows of the scan: count(*), count(n), or of the whole
// count(DISTINCT n.p). Groups come in the order of their first records, as an Aggregate gives them.

#include "query/optimize/rules.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace cairn::query {

const std::string* property_of_slot(const Expression& expression, Slot slot) {
  const bool is_own = expression.kind == ExpressionKind::property &&
                      expression.children[0]->kind == ExpressionKind::variable &&
                      expression.children[0]->slot == slot;
  return is_own ? &expression.name : nullptr;
}

namespace {

using Column = IndexGroupCount::Column;

/// What is asked of the values, and how many operators behind the scan ask it.
/// One of three forms; see grouped(), listed() and counted().
struct ValueQuestion {
  const std::string* property = nullptr;
  std::vector<Column> columns;
  bool is_grouped = true;
  std::size_t operators = 1;
};

///    RETURN n.p, count(*), count(n)
std::optional<ValueQuestion> grouped(const Pipeline& pipeline, Slot slot) {
  const auto* aggregate = std::get_if<Aggregate>(&pipeline.operators[1].content);
  if (aggregate == nullptr || aggregate->clause->keys.size() != 1) return std::nullopt;
  const auto& calls = aggregate->clause->aggregates;
  const auto* property = property_of_slot(*aggregate->clause->keys.front(), slot);
  const bool counts = std::ranges::all_of(
      calls, [&](const AggregateCall& call) { return counts_rows(call, slot); });
  if (property == nullptr || !counts) return std::nullopt;
  return ValueQuestion{property, std::vector(calls.size(), Column::rows)};
}

// A limit right behind would end the scan early, for which no value has to be counted.
//    RETURN DISTINCT n.p
std::optional<ValueQuestion> listed(const Pipeline& pipeline, Slot slot) {
  const auto& operators = pipeline.operators;
  if (operators.size() < 3) return std::nullopt;
  const auto* project = std::get_if<Project>(&operators[1].content);
  const auto* distinct = std::get_if<Distinct>(&operators[2].content);
  if (project == nullptr || distinct == nullptr || project->keep_input ||
      project->clause->items.size() != 1 || distinct->columns != 1)
    return std::nullopt;
  const bool ends_early =
      operators.size() > 3 && (std::holds_alternative<Limit>(operators[3].content) ||
                               std::holds_alternative<Skip>(operators[3].content));
  const auto* property = property_of_slot(*project->clause->items.front().expression, slot);
  if (property == nullptr || ends_early) return std::nullopt;
  return ValueQuestion{property, {}, true, 2};
}

const std::string* counted_distinctly(const AggregateCall& call, Slot slot) {
  const bool counts = call.function != nullptr && call.function->name == "count" && call.distinct &&
                      call.arguments.size() == 1;
  return counts ? property_of_slot(*call.arguments.front(), slot) : nullptr;
}

///    RETURN count(DISTINCT n.p), count(*)
/// All distinct counts must be of one property, for it is walked once.
std::optional<ValueQuestion> counted(const Pipeline& pipeline, Slot slot) {
  const auto* aggregate = std::get_if<Aggregate>(&pipeline.operators[1].content);
  if (aggregate == nullptr || !aggregate->clause->keys.empty()) return std::nullopt;
  ValueQuestion question{nullptr, {}, false};
  for (const AggregateCall& call : aggregate->clause->aggregates) {
    const std::string* property = counted_distinctly(call, slot);
    if (property == nullptr && !counts_rows(call, slot)) return std::nullopt;
    question.columns.push_back(property != nullptr ? Column::different_values : Column::rows);
    if (property == nullptr) continue;
    if (question.property != nullptr && *question.property != *property) return std::nullopt;
    question.property = property;
  }
  return question.property != nullptr ? std::optional(question) : std::nullopt;
}

}  // namespace

Status index_group_count(Pipeline& pipeline, const OptimizerInputs& inputs) {
  auto& operators = pipeline.operators;
  if (operators.size() < 2) return {};
  auto* scan = std::get_if<ScanNodes>(&operators[0].content);
  if (scan == nullptr) return {};
  const Slot slot = scan->filter.slot;
  std::optional<ValueQuestion> question = grouped(pipeline, slot);
  if (!question) question = listed(pipeline, slot);
  if (!question) question = counted(pipeline, slot);
  if (!question) return {};
  CAIRN_TRY(inputs.statistics.estimate(scan->filter));
  IndexGroupCount count{std::move(scan->filter), std::move(scan->name), *question->property,
                        std::move(question->columns), question->is_grouped};
  // The scanned entity needs its slot where records have to be checked.
  const std::uint32_t width = std::max(operators[1].width, pipeline.width);
  operators[0] = Operator{std::move(count), width, 0, 1};
  operators.erase(operators.begin() + 1,
                  operators.begin() + 1 + static_cast<std::ptrdiff_t>(question->operators));
  return {};
}

}  // namespace cairn::query
