#pragma once
// LogicalPlan: what a statement computes, as a list of operators. Rows flow through a pipeline from its first
// operator to its last. Some clauses run a query of their own for each row (OPTIONAL MATCH, MERGE, FOREACH,
// CALL { }). Their operator holds an inner pipeline, which starts from that row.
//
// A plan points into the bound statement from which it was made and must not outlive it.

#include "query/plan/expression_traits.hpp"
#include "query/plan/operator_content.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace cairn::query {

using OperatorContent =
    std::variant<ScanNodes, ScanRelationships, Expand, ExpandVariable, FindShortest, BindPath,
                 SemiJoinFilter, SearchVectors, LateFilterWarning, Select, Project, Aggregate,
                 Distinct, Sort, Skip, Limit, TrimColumns, Unwind, Optional, CountRows,
                 IndexGroupCount, CreatePattern, SetProperties, MergePattern, DeleteEntities,
                 Foreach, CallProcedure, CallSubquery>;

/// One step of a plan.
struct Operator {
  OperatorContent content;
  std::uint32_t width = 0;   ///< number of slots in the output rows
  std::uint32_t clause = 0;  ///< number of the MATCH that the operator belongs to; 0: none
  double rows = 0;           ///< expected number of output rows
};

/// One pipeline for each part of a UNION.
struct LogicalPlan {
  std::vector<Pipeline> branches;
  bool distinct = false;  ///< UNION without ALL
  bool is_writing = false;
  std::vector<std::string> columns;
  std::vector<ExpressionPtr> synthesized;  ///< conditions that occur in no statement (MERGE)
};

/// Returns the slots that an operator gives values to.
[[nodiscard]] SlotSet bound_by(const Operator& one);

/// Calls `visit` for the pipeline and for every pipeline inside its operators.
void for_each_pipeline(Pipeline& pipeline, const std::function<void(Pipeline&)>& visit);

/// Returns the part that runs on the same threads as the operator; nullptr for operators that always run on one thread.
[[nodiscard]] const SharedPart* shared_part_of(const Operator& one);

/// True for operators that bind a part of the pattern of a MATCH.
[[nodiscard]] bool is_pattern_step(const Operator& one);

/// For each slot, whether it is read. Slots past the end are not read.
using ReadSlots = std::vector<bool>;

/// Calls `visit` for each operator, from the last one to the first, with the slots that later operators read from its
/// output rows. The argument is nullptr if a later operator may read any slot, or if the rows leave the pipeline
/// unchanged.
void for_each_read_behind(const Pipeline& pipeline,
                          const std::function<void(std::size_t, const ReadSlots*)>& visit);

/// Combines lambdas, one for each alternative of a variant, into one visitor.
template <class... Cases>
struct Overload : Cases... {
  using Cases::operator()...;
};

}  // namespace cairn::query
