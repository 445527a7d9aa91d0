#pragma once
// Ids as text, unique among all elements of a database. Nodes and relationships are numbered
// separately, so the number alone would not be unique.

#include <cairn/graph.hpp>

#include <string>

namespace cairn::codec {

/// The result of elementId(): "n5" for node 5, "r5" for relationship 5.
[[nodiscard]] inline std::string element_id(NodeId id) { return "n" + std::to_string(id.value); }
[[nodiscard]] inline std::string element_id(RelationshipId id) {
  return "r" + std::to_string(id.value);
}

}  // namespace cairn::codec
