#pragma once
// The rules of the optimizer. A rule changes one pipeline; pipelines inside its operators come to it by
// themselves.

#include "query/optimize/optimizer.hpp"

namespace cairn::query {

/// Start each pattern at its smallest set of nodes or relationships, and take the steps that give
/// the fewest rows first.
[[nodiscard]] Status order_expansions(Pipeline& pipeline, const OptimizerInputs& inputs);
/// Check each condition as soon as the variables it reads have values.
[[nodiscard]] Status push_filters(Pipeline& pipeline, const OptimizerInputs& inputs);
/// Test every element of a path of variable length on the way.
[[nodiscard]] Status push_path_conditions(Pipeline& pipeline, const OptimizerInputs& inputs);
/// Find the ends of paths breadth first, each once, where nothing else of the paths is asked for.
[[nodiscard]] Status reach_ends(Pipeline& pipeline, const OptimizerInputs& inputs);
/// Answer conditions from indexes, as far as that is cheaper than reading records.
[[nodiscard]] Status choose_indexes(Pipeline& pipeline, const OptimizerInputs& inputs);
/// Step only to nodes that the other steps to them lead to as well.
[[nodiscard]] Status intersect_cycles(Pipeline& pipeline, const OptimizerInputs& inputs);
/// Carry no slot along a step that nobody reads behind it.
[[nodiscard]] Status carry_read_slots(Pipeline& pipeline, const OptimizerInputs& inputs);
/// Sort no more rows than LIMIT lets through, and make no more of them.
[[nodiscard]] Status push_limits(Pipeline& pipeline, const OptimizerInputs& inputs);
/// Count what a scan would give by the size of its bitmap.
[[nodiscard]] Status count_from_cardinality(Pipeline& pipeline, const OptimizerInputs& inputs);

/// Count what a scan would give by the value of one property, from the index.
[[nodiscard]] Status index_group_count(Pipeline& pipeline, const OptimizerInputs& inputs);
/// Scan only what can be among the first rows of a sort, by the order of an index.
[[nodiscard]] Status index_top_n(Pipeline& pipeline, const OptimizerInputs& inputs);

/// Scan only what can have the least or the greatest value of a property, by the order of an index.
[[nodiscard]] Status index_min_max(Pipeline& pipeline, const OptimizerInputs& inputs);

/// Scan nearest vectors first where a sort keeps the most similar, and stop where it keeps no more.
[[nodiscard]] Status similarity_top_n(Pipeline& pipeline, const OptimizerInputs& inputs);

/// What is scanned first.
struct ScannedEntity {
  Slot slot = 0;
  codec::EntityKind kind = codec::EntityKind::node;
};
/// What a sort keeps by the similarity of a vector of this entity. Nothing where the pipeline has no such sort, or
/// drops, adds up or cuts rows before it in another way than one by one.
[[nodiscard]] std::optional<SimilarityTopN> similarity_sort(const Pipeline& pipeline,
                                                            const ScannedEntity& scanned,
                                                            const engine::Catalog& catalog);

/// count(*), or count() of a variable that is never null and has each value once.
[[nodiscard]] bool counts_rows(const AggregateCall& call, Slot slot);
/// The property's name, if this is one of the entity in the slot.
[[nodiscard]] const std::string* property_of_slot(const Expression& expression, Slot slot);

}  // namespace cairn::query
