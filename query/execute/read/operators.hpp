#pragma once
// Makes the operators of this folder. Their classes are private to the .cpp files.

#include "query/execute/pipeline/physical_operator.hpp"

namespace cairn::query {

struct BindPath;
struct CountRows;
struct Expand;
struct ExpandVariable;
struct FindShortest;
struct IndexGroupCount;
struct LateFilterWarning;
struct Optional;
struct ScanNodes;
struct ScanRelationships;
struct SearchVectors;
struct SemiJoinFilter;

[[nodiscard]] OperatorPtr make_operator(const ScanNodes& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const ScanRelationships& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Expand& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const ExpandVariable& content, Parts parts);
/// For an operator with `ends_only`.
[[nodiscard]] OperatorPtr make_reach_operator(const ExpandVariable& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const FindShortest& content, Parts parts);
/// For a path with a selector.
[[nodiscard]] OperatorPtr make_select_operator(const FindShortest& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const BindPath& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const SemiJoinFilter& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const SearchVectors& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const LateFilterWarning& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Optional& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const CountRows& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const IndexGroupCount& content, Parts parts);

}  // namespace cairn::query
