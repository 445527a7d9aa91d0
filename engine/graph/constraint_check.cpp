// Checks one record at a time. For uniqueness, the property indexes return the records that may have the same values, so the
// cost does not depend on the number of members. Indexes may return too much: for long texts and containers they are
// inexact, and they know neither namespaces nor expiry. So each candidate is compared by its record. Usually the only
// candidate is the record itself.
#include "engine/graph/constraint_check.hpp"

#include "codec/bitmap.hpp"
#include "codec/ordered_key.hpp"
#include "codec/record.hpp"
#include "codec/utf8.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/graph/record_reader.hpp"
#include "engine/view/lookup_result.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace cairn::engine {
namespace {

using codec::CatalogKind;
using codec::ConstraintKind;
using codec::EntityKind;

/// With more candidates than this, they are first intersected with the postings of the namespace and of the label or type.
constexpr std::size_t few = 8;

bool is_null(const Value& value) { return value.is_null(); }

bool is_vector(const Value& value) { return value.type() == ValueType::vector; }

/// True if a value is or contains a NaN, or contains a null. Such a value is not even equal to itself.
bool equals_nothing(const Value& value) {
  if (const List* list = value.list()) return std::ranges::any_of(*list, equals_nothing);
  if (const Map* map = value.map())
    return std::ranges::any_of(*map,
                               [](const auto& entry) { return equals_nothing(entry.second); });
  return value.is_null() || (value.type() == ValueType::floating && std::isnan(value.as_float()));
}

CatalogKind group_kind(EntityKind kind) {
  return kind == EntityKind::node ? CatalogKind::label : CatalogKind::relationship_type;
}

/// Returns values as text for a message, cut after 200 bytes.
std::string shown(const std::vector<Value>& values) {
  constexpr std::size_t most_bytes = 200;
  const Value shown = values.size() == 1 ? values.front() : Value(List(values));
  std::string text = shown.to_text();
  if (text.size() <= most_bytes) return text;
  text.resize(codec::utf8_prefix(std::string_view(text).substr(0, most_bytes)));
  return text + "...";
}

const std::string& property_name(const Catalog& catalog, std::uint32_t key) {
  return catalog.name(CatalogKind::property, key);
}

}  // namespace

/// What the check needs of a record.
struct ConstraintCheck::Member {
  bool counts = false;      ///< it has the label or type, and has not expired
  bool is_deleted = false;  ///< it is softly deleted
  std::uint32_t name_space = 0;
};

Result<codec::Bitmap> ConstraintCheck::members() const {
  return constraint_.entity == EntityKind::node ? view_.labelled(constraint_.label_or_type)
                                                : view_.typed(constraint_.label_or_type);
}

Result<ConstraintCheck::Member> ConstraintCheck::read_member(std::uint64_t id) const {
  const auto member = [&](const codec::RecordHeader& header, bool is_in_group) {
    const bool has_expired = header.expires_at && *header.expires_at <= now_;
    return Member{is_in_group && !has_expired, header.deleted_at.has_value(), header.name_space};
  };
  if (constraint_.entity == EntityKind::node) {
    CAIRN_ASSIGN(const auto node, view_.find_node(id));
    if (!node) return Member();
    return member(node->header,
                  std::ranges::binary_search(node->labels, constraint_.label_or_type));
  }
  CAIRN_ASSIGN(const auto relationship, view_.find_relationship(id));
  if (!relationship) return Member();
  return member(relationship->header, relationship->type == constraint_.label_or_type);
}

Result<std::vector<Value>> ConstraintCheck::values_of(std::uint64_t id) const {
  std::vector<Value> values;
  for (const std::uint32_t key : constraint_.properties) {
    CAIRN_ASSIGN(auto value, view_.property(constraint_.entity, id, key));
    values.push_back(std::move(value));
  }
  return values;
}

/// Returns all records with these values; the result may include others.
Result<codec::Bitmap> ConstraintCheck::with_values(const std::vector<Value>& values,
                                                   std::uint32_t name_space) const {
  const Catalog& catalog = view_.catalog();
  std::optional<codec::Bitmap> found;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string path = join_path({property_name(catalog, constraint_.properties[i])});
    const auto number = catalog.find_path(constraint_.entity, path);
    if (!number) return codec::Bitmap();
    IndexPredicate question;
    question.kind = constraint_.entity;
    question.path = *number;
    question.operation = IndexPredicate::Operation::equals;
    question.low = values[i];
    CAIRN_ASSIGN(auto answer, view_.lookup(question));
    found = found ? codec::intersect(*found, answer.ids) : std::move(answer.ids);
    if (found->cardinality() <= 1) return *std::move(found);
  }
  if (found->cardinality() <= few) return *std::move(found);
  CAIRN_ASSIGN(const codec::Bitmap all, members());
  CAIRN_ASSIGN(const codec::Bitmap own, view_.members(constraint_.entity, name_space));
  return codec::intersect(codec::intersect(*found, own), all);
}

/// True if a record is a member in the namespace and has exactly these values.
Result<bool> ConstraintCheck::is_twin(std::uint64_t id, std::uint32_t name_space,
                                      const std::vector<Value>& values) const {
  CAIRN_ASSIGN(const Member other, read_member(id));
  if (!other.counts || other.name_space != name_space) return false;
  CAIRN_ASSIGN(const auto others, values_of(id));
  return std::ranges::equal(values, others, [](const Value& a, const Value& b) {
    return codec::compare_ordered(a, b) == 0;
  });
}

/// Looks for another member with the same values.
Result<std::optional<Violation>> ConstraintCheck::find_twin(
    std::uint64_t id, const Member& member, const std::vector<Value>& values) const {
  CAIRN_ASSIGN(const codec::Bitmap candidates, with_values(values, member.name_space));
  if (candidates.cardinality() <= 1) return std::nullopt;
  for (const std::uint64_t other : candidates.to_vector()) {
    if (other == id) continue;
    CAIRN_ASSIGN(const bool is_same, is_twin(other, member.name_space, values));
    if (!is_same) continue;
    CAIRN_ASSIGN(const Member twin, read_member(other));
    const std::string hidden = twin.is_deleted ? " (softly deleted)" : "";
    return Violation{entity_text(constraint_.entity, other) + hidden + " and " +
                         entity_text(constraint_.entity, id) + " both have " +
                         target_text(constraint_, view_.catalog()) + " = " + shown(values),
                     other};
  }
  return std::nullopt;
}

std::string ConstraintCheck::vector_text(std::uint64_t id) const {
  return entity_text(constraint_.entity, id) + " has a vector in " +
         target_text(constraint_, view_.catalog()) +
         ", whose values must be unique, but only SEARCH compares vectors; use another "
         "property";
}

std::string ConstraintCheck::lack_text(std::uint64_t id, const std::vector<Value>& values) const {
  const auto place = std::ranges::find_if(values, is_null) - values.begin();
  const std::uint32_t key = constraint_.properties[static_cast<std::size_t>(place)];
  const Catalog& catalog = view_.catalog();
  return entity_text(constraint_.entity, id) + " lacks the property " +
         property_name(catalog, key) + ", which every :" +
         catalog.name(group_kind(constraint_.entity), constraint_.label_or_type) + " must have";
}

// A record that lacks a property breaks a key or an existence constraint, but not a unique constraint. A value that
// equals nothing, as NaN, has no twin.
Result<std::optional<Violation>> ConstraintCheck::find_violation(std::uint64_t id) const {
  CAIRN_ASSIGN(const Member member, read_member(id));
  if (!member.counts) return std::nullopt;
  CAIRN_ASSIGN(const auto values, values_of(id));
  const bool lacks_one = std::ranges::any_of(values, is_null);
  if (lacks_one && constraint_.kind == ConstraintKind::unique) return std::nullopt;
  if (lacks_one) return Violation{lack_text(id, values)};
  if (constraint_.kind == ConstraintKind::not_null) return std::nullopt;
  if (std::ranges::any_of(values, is_vector)) return Violation{vector_text(id)};
  if (std::ranges::any_of(values, equals_nothing)) return std::nullopt;
  return find_twin(id, member, values);
}

std::string type_text(const codec::ConstraintEntry& constraint) {
  const bool of_nodes = constraint.entity == EntityKind::node;
  switch (constraint.kind) {
    case ConstraintKind::unique:
      return of_nodes ? "UNIQUENESS" : "RELATIONSHIP_UNIQUENESS";
    case ConstraintKind::key:
      return of_nodes ? "NODE_KEY" : "RELATIONSHIP_KEY";
    case ConstraintKind::not_null:
      break;
  }
  return of_nodes ? "NODE_PROPERTY_EXISTENCE" : "RELATIONSHIP_PROPERTY_EXISTENCE";
}

std::string target_text(const codec::ConstraintEntry& constraint, const Catalog& catalog) {
  std::string text =
      ":" + catalog.name(group_kind(constraint.entity), constraint.label_or_type) + "(";
  for (std::size_t i = 0; i < constraint.properties.size(); ++i)
    text += (i == 0 ? "" : ", ") + property_name(catalog, constraint.properties[i]);
  return text + ")";
}

}  // namespace cairn::engine
