// System fields of records, and which records there are: past what statements may see.

#include "codec/keys.hpp"
#include "codec/record.hpp"
#include "engine/database/access.hpp"
#include "engine/database/transaction_writer.hpp"
#include "engine/graph/graph_view.hpp"

#include <cairn/system_fields.hpp>

#include <algorithm>
#include <utility>

namespace cairn {
namespace {

using codec::EntityKind;

/// The engine has no other views.
const engine::GraphView& reader_of(const engine::View& view) {
  return static_cast<const engine::GraphView&>(view);
}

// The header alone is looked at; for the rest read the record.
Result<std::optional<SystemFields>> fields_of(const engine::GraphView& reader, EntityKind kind,
                                              std::uint64_t id) {
  CAIRN_ASSIGN(const auto bytes,
               reader.records().get(engine::records_of(kind), codec::record_key(id)));
  if (!bytes) return std::optional<SystemFields>();
  const auto header = codec::decode_header(*bytes);
  if (!header)
    return Error{ErrorCode::corruption,
                 engine::entity_text(kind, id) + ": " + header.error().message, std::nullopt};
  const auto& name = reader.catalog().name(codec::CatalogKind::name_space, header->name_space);
  return std::optional(SystemFields{name, header->created, header->updated, header->deleted_at,
                                    header->expires_at, header->valid_from, header->valid_to});
}

/// Errors: conflict.
Status check_open(const Transaction& transaction) {
  if (transaction.is_open()) return {};
  return Error{ErrorCode::conflict, "the transaction has ended; begin a new one", std::nullopt};
}

/// The engine has no other writers.
Result<engine::TransactionWriter*> writer_of(Transaction& transaction) {
  CAIRN_TRY(check_open(transaction));
  if (auto* writer = Access::writer(transaction))
    return static_cast<engine::TransactionWriter*>(writer);
  return Error{ErrorCode::unsupported,
               "this transaction was begun for reading; begin one of TransactionMode::write",
               std::nullopt};
}

// A set cannot be left in the middle: after an error the rest is passed over.
template <class Id>
Status visit_all(const Snapshot& snapshot, EntityKind kind, std::string_view name_space,
                 const std::function<Status(Id)>& visit) {
  const auto view = Access::view(snapshot);
  const auto number = view->catalog().find_name_space(name_space);
  if (!number) return {};
  CAIRN_ASSIGN(const codec::Bitmap ids, reader_of(*view).members(kind, *number));
  Status status;
  ids.for_each([&](std::uint64_t id) {
    if (status) status = visit(Id{id});
  });
  return status;
}

}  // namespace

Result<std::vector<std::string>> name_spaces(const Snapshot& snapshot) {
  std::vector<std::string> names{""};
  for (auto& [id, name] : Access::view(snapshot)->catalog().names(codec::CatalogKind::name_space))
    names.push_back(std::move(name));
  std::sort(names.begin(), names.end());
  return names;
}

Status visit_nodes(const Snapshot& snapshot, std::string_view name_space,
                   const std::function<Status(NodeId)>& visit) {
  return visit_all(snapshot, EntityKind::node, name_space, visit);
}

Status visit_relationships(const Snapshot& snapshot, std::string_view name_space,
                           const std::function<Status(RelationshipId)>& visit) {
  return visit_all(snapshot, EntityKind::relationship, name_space, visit);
}

Result<std::optional<SystemFields>> system_fields(const Snapshot& snapshot, NodeId node) {
  return fields_of(reader_of(*Access::view(snapshot)), EntityKind::node, node.value);
}

Result<std::optional<SystemFields>> system_fields(const Snapshot& snapshot,
                                                  RelationshipId relationship) {
  return fields_of(reader_of(*Access::view(snapshot)), EntityKind::relationship,
                   relationship.value);
}

Result<std::optional<SystemFields>> system_fields(const Transaction& transaction, NodeId node) {
  CAIRN_TRY(check_open(transaction));
  return fields_of(reader_of(Access::view(transaction)), EntityKind::node, node.value);
}

Result<std::optional<SystemFields>> system_fields(const Transaction& transaction,
                                                  RelationshipId relationship) {
  CAIRN_TRY(check_open(transaction));
  return fields_of(reader_of(Access::view(transaction)), EntityKind::relationship,
                   relationship.value);
}

Result<NodeId> restore_node(Transaction& transaction, const NewNode& node,
                            const SystemFields& fields) {
  CAIRN_ASSIGN(engine::TransactionWriter * writer, writer_of(transaction));
  CAIRN_ASSIGN(const std::uint64_t id,
               writer->restore_node(node.labels, node.properties, node.external_id, fields));
  return NodeId{id};
}

Result<RelationshipId> restore_relationship(Transaction& transaction,
                                            const NewRelationship& relationship,
                                            const SystemFields& fields) {
  CAIRN_ASSIGN(engine::TransactionWriter * writer, writer_of(transaction));
  CAIRN_ASSIGN(
      const std::uint64_t id,
      writer->restore_relationship(relationship.source.value, relationship.type,
                                   relationship.target.value, relationship.properties, fields));
  return RelationshipId{id};
}

Result<std::optional<Node>> find_node(const Transaction& transaction, std::string_view name_space,
                                      std::string_view external_id) {
  CAIRN_TRY(check_open(transaction));
  const engine::View& view = Access::view(transaction);
  const auto number = view.catalog().find_name_space(name_space);
  if (!number) return std::optional<Node>();
  CAIRN_ASSIGN(const auto id, view.find_external(*number, external_id));
  return id ? view.load_node(*id) : Result<std::optional<Node>>(std::nullopt);
}

Result<std::optional<Relationship>> find_relationship(const Transaction& transaction,
                                                      RelationshipId id) {
  CAIRN_TRY(check_open(transaction));
  return Access::view(transaction).load_relationship(id.value);
}

Result<std::vector<RelationshipId>> find_relationships(const Transaction& transaction,
                                                       NodeId source, std::string_view type,
                                                       NodeId target) {
  CAIRN_TRY(check_open(transaction));
  const engine::View& view = Access::view(transaction);
  std::vector<RelationshipId> found;
  const auto number = view.catalog().find_type(type);
  if (!number) return found;
  std::vector<engine::Adjacent> adjacent;
  CAIRN_TRY(view.expand_into(source.value, target.value, engine::Direction::outgoing, {&*number, 1},
                             adjacent));
  for (const engine::Adjacent& step : adjacent) found.push_back(RelationshipId{step.relationship});
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace cairn
