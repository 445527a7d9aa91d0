#pragma once
// Ids as text that no other element of a database has: nodes and relationships are counted apart, so the number alone
// would not do.

#include <cairn/graph.hpp>

#include <string>

namespace cairn::codec {

/// What elementId() gives: "n5" of the node 5, "r5" of the relationship 5.
[[nodiscard]] inline std::string element_id(NodeId id) { return "n" + std::to_string(id.value); }
[[nodiscard]] inline std::string element_id(RelationshipId id) {
  return "r" + std::to_string(id.value);
}

}  // namespace cairn::codec
