// What one step along a relationship must pass: its type and direction (asked of the store),
// visibility of both, and that no other relationship of the MATCH is the same. Shared by Expand,
// ExpandVariable, FindShortest and ScanRelationships.
#include "query/execute/read/step_filter.hpp"

#include "engine/catalog/catalog.hpp"

#include <algorithm>
#include <string>

namespace cairn::query {
namespace {

bool is_relationship(const Value& value, std::uint64_t id) {
  const auto* relationship = value.get_if<Relationship>();
  return relationship != nullptr && relationship->id().value == id;
}

}  // namespace

// Types are names until here: an earlier clause of the statement may have made one.
Status StepFilter::refresh() {
  if (epoch_ == graph_.epoch()) return {};
  epoch_ = graph_.epoch();
  types_.clear();
  for (const std::string& name : walk_.pattern->types)
    if (const auto type = graph_.catalog().find_type(name)) types_.push_back(*type);
  std::sort(types_.begin(), types_.end());
  types_.erase(std::unique(types_.begin(), types_.end()), types_.end());
  CAIRN_ASSIGN(nodes_, graph_.restriction(codec::EntityKind::node));
  CAIRN_ASSIGN(relationships_, graph_.restriction(codec::EntityKind::relationship));
  return {};
}

// As the store sees it from the node at hand.
engine::Direction StepFilter::direction() const noexcept {
  const PatternDirection written = walk_.pattern->direction;
  if (written == PatternDirection::any) return engine::Direction::both;
  return (written == PatternDirection::right) != walk_.reversed ? engine::Direction::outgoing
                                                                : engine::Direction::incoming;
}

// Few slots, and few relationships in a list: a set would cost more than it saves.
bool StepFilter::is_new(std::uint64_t relationship, std::span<const Value> row) const {
  return std::none_of(walk_.unlike.begin(), walk_.unlike.end(), [&](Slot slot) {
    const Value& taken = row[slot];
    if (const List* list = taken.list())
      return std::any_of(list->begin(), list->end(),
                         [&](const Value& one) { return is_relationship(one, relationship); });
    return is_relationship(taken, relationship);
  });
}

// Null (of OPTIONAL MATCH) matches nothing, which is not an error; any other value that is not a node is
// one.
Result<std::optional<std::uint64_t>> node_in(std::span<const Value> row, Slot slot,
                                             const std::string& name) {
  const Value& value = row[slot];
  if (value.is_null()) return std::optional<std::uint64_t>();
  if (const Node* node = value.get_if<Node>()) return std::optional(node->id().value);
  return Error{ErrorCode::type_error,
               "a pattern needs a node" + (name.empty() ? "" : " in " + name) + ", got a " +
                   std::string(to_string(value.type())),
               std::nullopt};
}

}  // namespace cairn::query
