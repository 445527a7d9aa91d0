// Recognises the records of an earlier, interrupted import of the same file.
#include "query/transfer/earlier_records.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

/// True if the number, stored as a 32-bit component, is `component`.
bool is_component(const Value& number, float component) {
  if (const auto* integer = number.get_if<std::int64_t>())
    return static_cast<float>(*integer) == component;
  const auto* floating = number.get_if<double>();
  return floating != nullptr && static_cast<float>(*floating) == component;
}

/// True if storing `wanted` gives `stored`. A list of numbers may have been stored as a vector.
bool is_stored_as(const Value& wanted, const Value& stored) {
  const auto* vector = stored.get_if<Vector>();
  if (vector == nullptr || wanted.list() == nullptr) return wanted == stored;
  return std::ranges::equal(*wanted.list(), vector->components(), is_component);
}

}  // namespace

// Both must have the same properties, without nulls.
bool are_stored_as(const Properties& wanted, const Properties& stored) {
  std::size_t count = 0;
  for (const auto& [name, value] : wanted) {
    if (value.is_null()) continue;
    const auto found = stored.find(name);
    if (found == stored.end() || !is_stored_as(value, found->second)) return false;
    ++count;
  }
  return count == stored.size();
}

// The times of creation and last change are not compared.
bool are_same_marks(const SystemFields& wanted, const SystemFields& stored) {
  return wanted.name_space == stored.name_space && wanted.deleted_at == stored.deleted_at &&
         wanted.expires_at == stored.expires_at && wanted.valid_from == stored.valid_from &&
         wanted.valid_to == stored.valid_to && wanted.author == stored.author;
}

void EarlierRecords::keep_batch() {
  batch_nodes_.clear();
  batch_relationships_.clear();
}

void EarlierRecords::take_batch_back() {
  for (const std::uint64_t node : batch_nodes_) {
    made_.erase(node);
    nodes_.erase(node);
  }
  for (const std::uint64_t relationship : batch_relationships_) taken_.erase(relationship);
  keep_batch();
}

// A found node is remembered in nodes_, so a second line with the same external id is an error.
Result<Node> EarlierRecords::find(const Transaction& transaction, const NewNode& node,
                                  const std::optional<SystemFields>& fields) {
  const std::string name_space = fields ? fields->name_space : "";
  CAIRN_ASSIGN(auto found, find_node(transaction, name_space, node.external_id));
  if (!found)
    return Error{ErrorCode::not_found, "no node has the external id \"" + node.external_id + "\"",
                 std::nullopt};
  if (made_.contains(found->id().value) || !nodes_.insert(found->id().value).second)
    return Error{ErrorCode::already_exists,
                 "external id \"" + node.external_id + "\" was used by an earlier line",
                 std::nullopt};
  batch_nodes_.push_back(found->id().value);
  return *std::move(found);
}

// Labels are compared as sets: their order in a file means nothing.
Result<bool> EarlierRecords::is_equal(const Transaction& transaction, const Node& node,
                                      const NewNode& wanted,
                                      const std::optional<SystemFields>& fields) {
  const std::set<std::string> labels(wanted.labels.begin(), wanted.labels.end());
  if (labels != std::set<std::string>(node.labels().begin(), node.labels().end())) return false;
  if (!are_stored_as(wanted.properties, node.properties())) return false;
  CAIRN_ASSIGN(const auto stored, system_fields(transaction, node.id()));
  return !fields || (stored && are_same_marks(*fields, *stored));
}

// Both ends are known, so only the relationships between the two nodes are read.
Result<bool> EarlierRecords::take(const Transaction& transaction, const NewRelationship& wanted,
                                  const std::optional<SystemFields>& fields) {
  if (!nodes_.contains(wanted.source.value) || !nodes_.contains(wanted.target.value)) return false;
  CAIRN_ASSIGN(const std::vector<RelationshipId> there,
               find_relationships(transaction, wanted.source, wanted.type, wanted.target));
  for (const RelationshipId id : there) {
    if (taken_.contains(id.value)) continue;
    CAIRN_ASSIGN(const auto stored, system_fields(transaction, id));
    const bool is_same =
        stored && (fields ? are_same_marks(*fields, *stored) : stored->name_space.empty());
    if (!is_same) continue;
    CAIRN_ASSIGN(const auto relationship, find_relationship(transaction, id));
    if (!relationship || !are_stored_as(wanted.properties, relationship->properties())) continue;
    take_relationship(id);
    return true;
  }
  return false;
}

}  // namespace cairn::query
