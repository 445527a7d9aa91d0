#pragma once
// ConstraintRequest: a constraint to create, with names instead of numbers.

#include "codec/catalog_entry.hpp"
#include "codec/entity_kind.hpp"

#include <string>
#include <vector>

namespace cairn::engine {

class Catalog;

/// The parts of a CREATE CONSTRAINT. Names are not resolved yet.
struct ConstraintRequest {
  std::string name;  ///< empty: the name is made from the kind, the label and the properties
  codec::ConstraintKind constraint_kind = codec::ConstraintKind::unique;
  codec::EntityKind kind = codec::EntityKind::node;
  std::string label_or_type;
  std::vector<std::string> properties;
};

/// True if the catalog has a constraint with this name, or an equal one under another name.
[[nodiscard]] bool is_defined(const ConstraintRequest& request, const Catalog& catalog);

}  // namespace cairn::engine
