#pragma once
// Makes the operators of this folder. Their classes are private to the .cpp files.

#include "query/bind/bound_query.hpp"
#include "query/execute/pipeline/physical_operator.hpp"
#include "query/execute/write/graph_editor.hpp"

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

// Applies the items of SET and REMOVE, and those of ON CREATE and ON MATCH in MERGE.

[[nodiscard]] Status apply_items(const std::vector<SetItem>& items, ExecutionContext& context,
                                 GraphEditor& editor, Row row);

}  // namespace cairn::query
