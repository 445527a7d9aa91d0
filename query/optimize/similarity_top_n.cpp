// Rule similarity_top_n. Clients that do not use SEARCH ask for the nearest vectors like this:
//    MATCH (n:Entity) WITH n, vector.similarity.cosine(n.p, $q) AS score WHERE score > $least
//    RETURN n ORDER BY score DESC LIMIT k
// The scan returns the nearest vectors first, from a vector index. The scan ends as soon as the sort would drop all
// later rows.
//    ScanNodes (n)               ScanNodes (n) nearest in index to $q at least $least
//    Project score           ->  Project score
//    Select score > $least       Select score > $least
//    SortFirst score limit k     SortFirst score limit k
//
// The rule is sound because all later operators remain, and the scan omits only rows whose score is
// too low. The search is exact, and records without a vector in the index are scanned as well.
// Operators between the scan and the sort may drop or multiply rows, but must handle each row
// independently.

#include "codec/catalog_entry.hpp"
#include "engine/catalog/catalog.hpp"
#include "query/optimize/rules.hpp"
#include "query/plan/expression_traits.hpp"

#include <algorithm>

namespace cairn::query {
namespace {

/// Where a value comes from: an expression over the output rows of operators[at - 1], or a slot of
/// the first scan.
struct Origin {
  const Expression* expression = nullptr;
  std::size_t at = 0;
  std::optional<Slot> slot = std::nullopt;
};

// Finds the sort, and traces its key back to a similarity of a property of the scanned entity.
class SimilaritySort {
 public:
  SimilaritySort(const Pipeline& pipeline, Slot slot)
      : operators_(pipeline.operators), slot_(slot) {}

  // Requires ORDER BY score DESC LIMIT, where the score is the first key.
  [[nodiscard]] std::optional<SimilarityTopN> find() const {
    const std::optional<std::size_t> at = find_sort();
    if (!at) return std::nullopt;
    const ProjectClause& clause = *std::get<Sort>(operators_[*at].content).clause;
    if (!clause.limit || !clause.order.front().descending) return std::nullopt;
    const Origin score = origin(*clause.order.front().expression, *at);
    std::optional<SimilarityTopN> found = similarity(score);
    if (!found) return std::nullopt;
    found->sort = &clause;
    found->least = least_score(score.expression, *at);
    return found;
  }

 private:
  /// True if the operator handles each input row independently.
  static bool is_row_by_row(const OperatorContent& content) {
    return std::holds_alternative<ScanNodes>(content) ||
           std::holds_alternative<ScanRelationships>(content) ||
           std::holds_alternative<Expand>(content) ||
           std::holds_alternative<ExpandVariable>(content) ||
           std::holds_alternative<BindPath>(content) ||
           std::holds_alternative<SemiJoinFilter>(content) ||
           std::holds_alternative<Select>(content) || std::holds_alternative<Project>(content) ||
           std::holds_alternative<TrimColumns>(content) ||
           std::holds_alternative<Distinct>(content) || std::holds_alternative<Unwind>(content) ||
           std::holds_alternative<Optional>(content);
  }

  [[nodiscard]] std::optional<std::size_t> find_sort() const {
    for (std::size_t i = 0; i < operators_.size(); ++i) {
      if (std::holds_alternative<Sort>(operators_[i].content)) return i;
      if (!is_row_by_row(operators_[i].content)) return std::nullopt;
    }
    return std::nullopt;
  }

  /// Traces a slot back through projections. A slot after the columns of a projection belongs to
  /// the row before it.
  [[nodiscard]] Origin origin(Slot slot, std::size_t at) const {
    for (; at > 0; --at) {
      const auto* project = std::get_if<Project>(&operators_[at - 1].content);
      if (project == nullptr) continue;
      const auto& items = project->clause->items;
      if (slot < items.size()) return origin(*items[slot].expression, at - 1);
      if (!project->keep_input) return {};
      slot -= static_cast<Slot>(items.size());
    }
    return {nullptr, 0, slot};
  }

  [[nodiscard]] Origin origin(const Expression& expression, std::size_t at) const {
    if (expression.kind == ExpressionKind::variable) return origin(expression.slot, at);
    return {&expression, at};
  }

  // Returns the property name if the value is a property of the scanned entity, otherwise nullptr.
  [[nodiscard]] const std::string* scanned_property(const Origin& value) const {
    if (value.expression == nullptr || value.expression->kind != ExpressionKind::property)
      return nullptr;
    return origin(*value.expression->children[0], value.at).slot == slot_ ? &value.expression->name
                                                                          : nullptr;
  }

  /// True if the value reads no variable and is the same at each evaluation.
  static bool is_constant(const Origin& value) {
    return value.expression != nullptr && free_slots(*value.expression).empty() &&
           is_deterministic(*value.expression);
  }

  // Returns the metric of a similarity function, or nullopt for any other expression.
  static std::optional<codec::Metric> metric_of(const Expression& call) {
    if (call.kind != ExpressionKind::function_call) return std::nullopt;
    if (call.function->name == "vector.similarity.cosine") return codec::Metric::cosine;
    if (call.function->name == "vector.similarity.euclidean") return codec::Metric::euclidean;
    return std::nullopt;
  }

  /// Recognises a similarity of the scanned property and a constant. The property may be either
  /// argument.
  [[nodiscard]] std::optional<SimilarityTopN> similarity(const Origin& score) const {
    if (score.expression == nullptr) return std::nullopt;
    const std::optional<codec::Metric> metric = metric_of(*score.expression);
    if (!metric) return std::nullopt;
    const Origin first = origin(*score.expression->children[0], score.at);
    const Origin second = origin(*score.expression->children[1], score.at);
    const bool is_first = scanned_property(first) != nullptr;
    const std::string* property = scanned_property(is_first ? first : second);
    const Origin& query = is_first ? second : first;
    if (property == nullptr || !is_constant(query)) return std::nullopt;
    return SimilarityTopN{.property = *property, .metric = *metric, .query = query.expression};
  }

  /// Returns the bound of a condition such as score > $least before the sort, or nullptr without
  /// such a condition.
  [[nodiscard]] const Expression* least_score(const Expression* score, std::size_t end) const {
    for (std::size_t at = 0; at < end; ++at) {
      const auto* select = std::get_if<Select>(&operators_[at].content);
      if (select == nullptr) continue;
      for (const Expression* condition : select->conjuncts)
        if (const Expression* least = least_score(*condition, score, at)) return least;
    }
    return nullptr;
  }

  // Returns the constant of `score > constant` or `score >= constant`, written in either order. Returns nullptr for any
  // other condition.
  [[nodiscard]] const Expression* least_score(const Expression& condition, const Expression* score,
                                              std::size_t at) const {
    const bool is_greater = condition.kind == ExpressionKind::greater ||
                            condition.kind == ExpressionKind::greater_equal;
    const bool is_less =
        condition.kind == ExpressionKind::less || condition.kind == ExpressionKind::less_equal;
    if (!is_greater && !is_less) return nullptr;
    const Origin larger = origin(*condition.children[is_greater ? 0 : 1], at);
    const Origin smaller = origin(*condition.children[is_greater ? 1 : 0], at);
    return larger.expression == score && is_constant(smaller) ? smaller.expression : nullptr;
  }

  const std::vector<Operator>& operators_;
  Slot slot_;
};

}  // namespace

// Also finds the vector index of the property, if there is one with the metric of the function that
// the plan may show.
Result<std::optional<SimilarityTopN>> similarity_sort(const Pipeline& pipeline,
                                                      const ScannedEntity& scanned,
                                                      Statistics& statistics) {
  const engine::Catalog& catalog = statistics.catalog();
  std::optional<SimilarityTopN> found = SimilaritySort(pipeline, scanned.slot).find();
  const auto property = found ? catalog.find_property(found->property) : std::nullopt;
  if (!property) return found;
  for (const auto& [id, index] : catalog.indexes()) {
    if (index.kind != codec::IndexKind::vector || index.entity != scanned.kind ||
        index.metric != found->metric || index.properties != std::vector{*property})
      continue;
    CAIRN_ASSIGN(const bool may_show, statistics.may_show(index.name));
    if (may_show) found->index = index.name;
  }
  return found;
}

// The scan must be the first operator, so that it runs once and the sort receives all its rows.
// `nearest` is set even without an index, because a cached plan can use an index that is created
// later.
Status similarity_top_n(Pipeline& pipeline, const OptimizerInputs& inputs) {
  if (pipeline.operators.empty()) return {};
  OperatorContent& first = pipeline.operators.front().content;
  const auto set_sort = [&](const FilterPlan& filter,
                            std::optional<SimilarityTopN>& nearest) -> Status {
    CAIRN_ASSIGN(nearest, similarity_sort(pipeline, {filter.slot, filter.kind}, inputs.statistics));
    return {};
  };
  if (auto* scan = std::get_if<ScanNodes>(&first)) return set_sort(scan->filter, scan->nearest);
  if (auto* scan = std::get_if<ScanRelationships>(&first); scan != nullptr && !scan->is_bound)
    return set_sort(scan->filter, scan->nearest);
  return {};
}

}  // namespace cairn::query
