#pragma once
// The indexes and constraints of labels and relationship types, as far as the caller may know them. Automatic indexes
// of properties are not among them.

#include "codec/entity_kind.hpp"

#include <cairn/result.hpp>

#include <string>
#include <vector>

namespace cairn::query {

struct ExecutionContext;

/// An index that a statement or a call has made, or a constraint.
struct SchemaRule {
  enum class Kind : std::uint8_t { index, unique, key, not_null };
  Kind kind = Kind::index;
  std::string name;
  std::string type;  ///< as in SHOW INDEXES and SHOW CONSTRAINTS
  codec::EntityKind entity = codec::EntityKind::node;
  std::vector<std::string> labels_or_types;  ///< one for a constraint
  std::vector<std::string> properties;
  std::string state;  ///< of an index: "ONLINE" and others
};

/// Describes a rule as Neo4j does, without an id and an index of its own: "Index( name='n', type='RANGE', schema=(:A
/// {x}) )".
[[nodiscard]] std::string description_of(const SchemaRule& rule);

/// What is known of one property of a label or type.
struct PropertyRules {
  bool is_indexed = false;   ///< an index, or a uniqueness or key constraint, names the property
  bool is_unique = false;    ///< no two records have the same value
  bool is_required = false;  ///< every record has the property
};

class SchemaRules {
 public:
  /// Reads the catalog. Indexes come first, then constraints. Leaves out the indexes that may_know() hides.
  [[nodiscard]] static Result<SchemaRules> read(ExecutionContext& context);

  [[nodiscard]] const std::vector<SchemaRule>& all() const noexcept { return rules_; }
  /// Returns the rules of a label or type.
  [[nodiscard]] std::vector<const SchemaRule*> of(codec::EntityKind entity,
                                                  const std::string& name) const;
  [[nodiscard]] PropertyRules of(codec::EntityKind entity, const std::string& name,
                                 const std::string& property) const;

 private:
  std::vector<SchemaRule> rules_;
};

}  // namespace cairn::query
