// Makes one path for one row: nodes that are not bound, then relationships, then the path's value.
// Used by CREATE and MERGE, which differ in where the properties come from.
#include "query/execute/write/pattern_creator.hpp"

#include <utility>

namespace cairn::query {

Status PatternCreator::create(Row row) {
  for (std::size_t i = 0; i < path_.nodes.size(); ++i) CAIRN_TRY(create_node(i, row));
  for (std::size_t i = 0; i < path_.relationships.size(); ++i)
    CAIRN_TRY(create_relationship(i, row));
  bind_path(row);
  return {};
}

// A node that stood before, in this pattern or in a clause, is taken as it is; binding has refused
// labels and properties of it.
Status PatternCreator::create_node(std::size_t position, Row row) {
  const NodePattern& node = path_.nodes[position];
  if (node.is_bound) return {};
  CAIRN_ASSIGN(const MadeRecord made, properties_.of_node(position, row));
  CAIRN_ASSIGN(row[node.slot], editor_.create_node(node.labels, made));
  return {};
}

// A direction left open is taken as from left to right.
// A null end (from OPTIONAL MATCH) is an error and makes nothing.
Status PatternCreator::create_relationship(std::size_t position, Row row) {
  const RelationshipPattern& step = path_.relationships[position];
  const Value* source = &row[path_.nodes[position].slot];
  const Value* target = &row[path_.nodes[position + 1].slot];
  if (step.direction == PatternDirection::left) std::swap(source, target);
  CAIRN_ASSIGN(const MadeRecord record, properties_.of_relationship(position, row));
  CAIRN_ASSIGN(Value made,
               editor_.create_relationship(*source, step.types.front(), *target, record));
  row[step.slot] = std::move(made);
  return {};
}

// Behind all parts, as a path is made of what was created. In the order of the text, whatever the
// arrows say.
void PatternCreator::bind_path(Row row) const {
  if (!path_.slot) return;
  Path path;
  for (const NodePattern& node : path_.nodes) path.nodes.push_back(row[node.slot].as_node());
  for (const RelationshipPattern& step : path_.relationships)
    path.relationships.push_back(row[step.slot].as_relationship());
  row[*path_.slot] = std::move(path);
}

}  // namespace cairn::query
