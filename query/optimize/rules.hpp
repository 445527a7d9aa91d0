#pragma once
// The rules of the optimizer. A rule changes one pipeline. The optimizer applies it to inner
// pipelines separately.

#include "query/optimize/optimizer.hpp"
#include "query/plan/expression_traits.hpp"

#include <span>
#include <string_view>

namespace cairn::query {

/// True if `rules`, a list of names of disabled rules, has the name.
[[nodiscard]] bool is_disabled(std::string_view rules, std::string_view name);

/// Starts each pattern at its smallest set of nodes or relationships, and takes steps that return
/// the fewest rows first.
[[nodiscard]] Status order_expansions(Pipeline& pipeline, const OptimizerInputs& inputs);
/// Checks each condition as soon as the variables that it reads have values.
[[nodiscard]] Status push_filters(Pipeline& pipeline, const OptimizerInputs& inputs);
/// Tests every element of a variable-length path during the walk.
[[nodiscard]] Status push_path_conditions(Pipeline& pipeline, const OptimizerInputs& inputs);
/// Finds the ends of paths breadth first, each once, if later operators need nothing else of the
/// paths.
[[nodiscard]] Status reach_ends(Pipeline& pipeline, const OptimizerInputs& inputs);
/// Answers conditions from indexes if that is cheaper than reading records.
[[nodiscard]] Status choose_indexes(Pipeline& pipeline, const OptimizerInputs& inputs);
/// Steps only to nodes that later steps to the same node reach as well.
[[nodiscard]] Status intersect_cycles(Pipeline& pipeline, const OptimizerInputs& inputs);
/// Counts the steps of a row without making a row for each, if an aggregation needs only their number.
[[nodiscard]] Status count_steps(Pipeline& pipeline, const OptimizerInputs& inputs);
/// Makes steps copy only the slots that a later operator reads.
[[nodiscard]] Status carry_read_slots(Pipeline& pipeline, const OptimizerInputs& inputs);
/// Sorts and projects only the rows that a LIMIT needs.
[[nodiscard]] Status push_limits(Pipeline& pipeline, const OptimizerInputs& inputs);
/// Counts the rows of a scan by the cardinality of its bitmap.
[[nodiscard]] Status count_from_cardinality(Pipeline& pipeline, const OptimizerInputs& inputs);

/// Counts the rows of a scan by the value of one property, using the index.
[[nodiscard]] Status index_group_count(Pipeline& pipeline, const OptimizerInputs& inputs);
/// Scans only nodes that can be among the first rows of a sort, by the order of an index.
[[nodiscard]] Status index_top_n(Pipeline& pipeline, const OptimizerInputs& inputs);

/// Scans only nodes that can have the least or greatest value of a property, by the order of an
/// index.
[[nodiscard]] Status index_min_max(Pipeline& pipeline, const OptimizerInputs& inputs);

/// Scans nearest vectors first if a later sort keeps the most similar rows, and stops when the sort
/// needs no more.
[[nodiscard]] Status similarity_top_n(Pipeline& pipeline, const OptimizerInputs& inputs);

/// The entity of the first scan.
struct ScannedEntity {
  Slot slot = 0;
  codec::EntityKind kind = codec::EntityKind::node;
};
/// Returns what a later sort keeps by the similarity of a vector of this entity. Returns nullopt if
/// the pipeline has no such sort, or if an operator before the sort aggregates, limits or otherwise
/// combines rows. Names no index that the plan must not show.
[[nodiscard]] Result<std::optional<SimilarityTopN>> similarity_sort(const Pipeline& pipeline,
                                                                    const ScannedEntity& scanned,
                                                                    Statistics& statistics);

/// True if the value of the expression depends on one of the slots, or on how often the expression is evaluated.
[[nodiscard]] bool varies_with(const Expression& expression, const SlotSet& slots);
[[nodiscard]] bool any_varies_with(std::span<const ExpressionPtr> expressions,
                                   const SlotSet& slots);
/// True if neither duplicates nor the order of rows change the result of the aggregate.
[[nodiscard]] bool counts_once(const AggregateCall& call);

/// True for count(*), and for count() of the scanned variable, which is never null and has each
/// value once.
[[nodiscard]] bool counts_rows(const AggregateCall& call, Slot slot);
/// Returns the name of the property if the expression is a property of the entity in the slot,
/// otherwise nullptr.
[[nodiscard]] const std::string* property_of_slot(const Expression& expression, Slot slot);

}  // namespace cairn::query
