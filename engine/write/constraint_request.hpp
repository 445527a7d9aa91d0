#pragma once
// ConstraintRequest: a constraint to make, by name.

#include "codec/catalog_entry.hpp"
#include "codec/entity_kind.hpp"

#include <string>
#include <vector>

namespace cairn::engine {

class Catalog;

/// What CREATE CONSTRAINT asks for, names not yet resolved.
struct ConstraintRequest {
  std::string name;  ///< empty: made from the kind, label and properties
  codec::ConstraintKind constraint_kind = codec::ConstraintKind::unique;
  codec::EntityKind kind = codec::EntityKind::node;
  std::string label_or_type;
  std::vector<std::string> properties;
};

/// Whether the same constraint is there, or one with its name.
[[nodiscard]] bool is_defined(const ConstraintRequest& request, const Catalog& catalog);

}  // namespace cairn::engine
