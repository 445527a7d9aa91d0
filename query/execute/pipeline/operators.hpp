#pragma once
// One factory for each operator of a plan; each operator is a class of its own file, seen by nobody
// else.

#include "query/execute/pipeline/physical_operator.hpp"

#include <cstdint>

namespace cairn::query {

struct Aggregate;
struct BindPath;
struct CallProcedure;
struct IndexGroupCount;
struct CountRows;
struct CreatePattern;
struct TrimColumns;
struct DeleteEntities;
struct Distinct;
struct Expand;
struct ExpandVariable;
struct FindShortest;
struct Foreach;
struct SemiJoinFilter;
struct Limit;
struct MergePattern;
struct Optional;
struct Project;
struct ScanNodes;
struct ScanRelationships;
struct SearchVectors;
struct Select;
struct SetProperties;
struct Skip;
struct Sort;
struct Unwind;
struct LateFilterWarning;

/// What every operator is made of.
struct Parts {
  ExecutionContext& context;
  OperatorPtr input;
  std::uint32_t width = 0;
};

[[nodiscard]] OperatorPtr make_operator(const ScanNodes& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const ScanRelationships& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Expand& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const ExpandVariable& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const FindShortest& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const BindPath& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const SemiJoinFilter& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const SearchVectors& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const LateFilterWarning& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Select& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Project& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Aggregate& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Distinct& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Sort& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Skip& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Limit& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const TrimColumns& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Unwind& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Optional& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const CountRows& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const IndexGroupCount& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const CreatePattern& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const SetProperties& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const MergePattern& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const DeleteEntities& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Foreach& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const CallProcedure& content, Parts parts);

}  // namespace cairn::query
