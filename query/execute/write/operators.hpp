#pragma once
// The operators of this folder. Each is a class of its own file, seen by nobody else.

#include "query/execute/pipeline/physical_operator.hpp"

namespace cairn::query {

struct CreatePattern;
struct DeleteEntities;
struct Foreach;
struct MergePattern;
struct SetProperties;

[[nodiscard]] OperatorPtr make_operator(const CreatePattern& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const SetProperties& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const MergePattern& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const DeleteEntities& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const Foreach& content, Parts parts);

}  // namespace cairn::query
