#include "query/execute/read/path_value.hpp"

#include "codec/record.hpp"

namespace cairn::query {
namespace {

// The nodes between the relationships of a list are in no slot.
// The other end of each relationship, as seen from the node the path has come to. The list is in
// the order of the pattern, whichever way it was walked.
Result<bool> add_list(const List& list, Path& path, GraphReader& graph) {
  for (const Value& step : list) {
    const auto* relationship = step.get_if<Relationship>();
    if (relationship == nullptr) return false;
    CAIRN_ASSIGN(const auto record, graph.relationship(relationship->id().value));
    if (!record) return false;
    const std::uint64_t here = path.nodes.back().id().value;
    path.relationships.push_back(*relationship);
    path.nodes.emplace_back(NodeId{record->source == here ? record->target : record->source});
  }
  return true;
}

// A step is one relationship, or a list of them where its length is variable.
Result<bool> add_step(const PathPattern& pattern, Row row, std::size_t i, Path& path,
                      GraphReader& graph) {
  const Value& step = row[pattern.relationships[i].slot];
  if (const List* list = step.list()) return add_list(*list, path, graph);
  const auto* relationship = step.get_if<Relationship>();
  const Node* node = row[pattern.nodes[i + 1].slot].get_if<Node>();
  if (relationship == nullptr || node == nullptr) return false;
  path.relationships.push_back(*relationship);
  path.nodes.push_back(*node);
  return true;
}

}  // namespace

Result<std::optional<Path>> path_of(const PathPattern& pattern, Row row, GraphReader& graph) {
  Path path;
  const Node* first = row[pattern.nodes[0].slot].get_if<Node>();
  if (first == nullptr) return std::optional<Path>();
  path.nodes.push_back(*first);
  for (std::size_t i = 0; i < pattern.relationships.size(); ++i) {
    CAIRN_ASSIGN(const bool is_whole, add_step(pattern, row, i, path, graph));
    if (!is_whole) return std::optional<Path>();
  }
  return std::optional(std::move(path));
}

}  // namespace cairn::query
