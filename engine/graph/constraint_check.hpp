#pragma once
// ConstraintCheck: checks records against a constraint of the catalog (uniqueness, existence of properties, keys).

#include "codec/catalog_entry.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cairn::codec {
class Bitmap;
}

namespace cairn::engine {

class Catalog;
class GraphView;

/// How a record violates a constraint.
struct Violation {
  std::string text;         ///< a sentence that names the record, or both records of a conflict
  std::uint64_t other = 0;  ///< the other record of a conflict; 0 without a conflict
};

/// Checks records of a view against one constraint.
///
/// - Values are equal as in the query language: 1 equals 1.0, and a value that contains a NaN equals nothing.
/// - A vector is not allowed as a unique value, as indexes cannot find it.
/// - Records of different namespaces never conflict.
/// - A record that has expired at `now` (microseconds since 1970) never conflicts. A softly deleted record does, as it may
///   be restored.
///
/// The view and the constraint must outlive the object.
class ConstraintCheck {
 public:
  ConstraintCheck(const GraphView& view, const codec::ConstraintEntry& constraint, std::int64_t now)
      : view_(view), constraint_(constraint), now_(now) {}

  /// Returns every record with the label or type, including hidden records. Cost: one posting.
  [[nodiscard]] Result<codec::Bitmap> members() const;
  /// Returns how a record violates the constraint; nullopt if it does not, is not a member or does not exist. Cost: reads
  /// the record, one posting for each property, and each record that has the same values.
  [[nodiscard]] Result<std::optional<Violation>> find_violation(std::uint64_t id) const;

 private:
  struct Member;
  [[nodiscard]] Result<Member> read_member(std::uint64_t id) const;
  [[nodiscard]] Result<std::vector<Value>> values_of(std::uint64_t id) const;
  [[nodiscard]] Result<codec::Bitmap> with_values(const std::vector<Value>& values,
                                                  std::uint32_t name_space) const;
  [[nodiscard]] Result<bool> is_twin(std::uint64_t id, std::uint32_t name_space,
                                     const std::vector<Value>& values) const;
  [[nodiscard]] Result<std::optional<Violation>> find_twin(std::uint64_t id, const Member& member,
                                                           const std::vector<Value>& values) const;
  [[nodiscard]] std::string vector_text(std::uint64_t id) const;
  [[nodiscard]] std::string lack_text(std::uint64_t id, const std::vector<Value>& values) const;

  const GraphView& view_;
  const codec::ConstraintEntry& constraint_;
  std::int64_t now_;
};

/// Returns the type of a constraint as Neo4j names it, such as "UNIQUENESS", "NODE_KEY" or
/// "RELATIONSHIP_PROPERTY_EXISTENCE".
[[nodiscard]] std::string type_text(const codec::ConstraintEntry& constraint);
/// Returns the label or type and the properties of a constraint, such as ":Person(name, born)".
[[nodiscard]] std::string target_text(const codec::ConstraintEntry& constraint,
                                      const Catalog& catalog);

}  // namespace cairn::engine
