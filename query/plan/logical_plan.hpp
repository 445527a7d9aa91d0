#pragma once
// LogicalPlan: what to compute, as operators by name. Rows flow through a pipeline from its first
// operator to its last; where a clause runs a query of its own for each row (OPTIONAL MATCH, MERGE,
// FOREACH, CALL { }) the operator holds an inner pipeline, which starts from that row.
//
// A plan points into the bound statement that it was made from and must not outlive it.

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
  std::uint32_t width = 0;   ///< of the rows that it gives
  std::uint32_t clause = 0;  ///< operators of one MATCH share a number, others have 0
  double rows = 0;           ///< expected
};

/// One pipeline for each part of a UNION.
struct LogicalPlan {
  std::vector<Pipeline> branches;
  bool distinct = false;
  bool is_writing = false;
  std::vector<std::string> columns;
  std::vector<ExpressionPtr> synthesized;  ///< conditions that are in no statement (MERGE)
};

/// The slots that an operator gives values to.
[[nodiscard]] SlotSet bound_by(const Operator& one);

/// Call `visit` for the pipeline and those inside its operators.
void for_each_pipeline(Pipeline& pipeline, const std::function<void(Pipeline&)>& visit);

/// True for the operators that lay out the pattern of a MATCH.
[[nodiscard]] bool is_pattern_step(const Operator& one);

/// By slot, whether it is read.
using ReadSlots = std::vector<bool>;

/// Call `visit` for each operator, from the last one to the first, with what the operators behind it read of its rows;
/// null where one of them may read any slot, or the rows leave the pipeline as they are.
void for_each_read_behind(const Pipeline& pipeline,
                          const std::function<void(std::size_t, const ReadSlots*)>& visit);

/// One function object out of a lambda for each alternative of a variant.
template <class... Cases>
struct Overload : Cases... {
  using Cases::operator()...;
};

}  // namespace cairn::query
