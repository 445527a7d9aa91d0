#pragma once
// Whether records keep to the constraints of the catalog.

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

/// How a record breaks a constraint.
struct Violation {
  std::string text;         ///< a sentence that names the record, or both where it is two
  std::uint64_t other = 0;  ///< the second record; 0: the first alone breaks it
};

/// One constraint against the records of a view.
///
/// Equality is the language's: 1 equals 1.0, and what holds a NaN equals nothing. A vector is not a value of a unique
/// property: indexes do not find it. Records of different namespaces never conflict. A
/// record that has expired at `now` (microseconds) blocks no other; one that is softly deleted does, as it may come
/// back. Both the view and the entry must outlive it.
class ConstraintCheck {
 public:
  ConstraintCheck(const GraphView& view, const codec::ConstraintEntry& constraint, std::int64_t now)
      : view_(view), constraint_(constraint), now_(now) {}

  /// Every record with the label or type, hidden ones too. Cost: one posting.
  [[nodiscard]] Result<codec::Bitmap> members() const;
  /// What is wrong with a record; empty where nothing is, as for one that is not a member or does not exist. Cost: the record
  /// and one posting a property; a record more for each that has the same values.
  [[nodiscard]] Result<std::optional<Violation>> find_violation(std::uint64_t id) const;

 private:
  /// What of a record counts: nothing if it is not a member or has expired.
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

/// "UNIQUENESS", "NODE_KEY", "RELATIONSHIP_PROPERTY_EXISTENCE" and so on, as Neo4j calls them.
[[nodiscard]] std::string type_text(const codec::ConstraintEntry& constraint);
/// ":Person(name, born)".
[[nodiscard]] std::string target_text(const codec::ConstraintEntry& constraint,
                                      const Catalog& catalog);

}  // namespace cairn::engine
