#pragma once
// Makes the operators of this folder. Their classes are private to the .cpp files.

#include "query/execute/pipeline/physical_operator.hpp"

namespace cairn::query {

struct Aggregate;
struct Distinct;
struct Limit;
struct Project;
struct Select;
struct Skip;
struct Sort;
struct TrimColumns;
struct Unwind;

[[nodiscard]] OperatorPtr make_operator(const Select& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Project& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Aggregate& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Distinct& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Sort& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Skip& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Limit& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const TrimColumns& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Unwind& content, Parts parts);

}  // namespace cairn::query
