// Public functions that read and write system fields of records, and list all records of a namespace. They ignore
// visibility: hidden records are included. For an attached handle each function is forwarded to the host.

#include "codec/keys.hpp"
#include "codec/record.hpp"
#include "engine/database/access.hpp"
#include "engine/database/call_values.hpp"
#include "engine/database/handles.hpp"
#include "engine/database/transaction_writer.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/view/list_reader.hpp"

#include <cairn/system_fields.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

namespace cairn {
namespace {

using codec::EntityKind;

/// Reads the header of a record, without its properties. Returns nullopt if there is no such record.
Result<std::optional<SystemFields>> fields_of(const engine::GraphView& reader, EntityKind kind,
                                              std::uint64_t id) {
  CAIRN_ASSIGN(const auto bytes,
               reader.records().get(engine::records_of(kind), codec::record_key(id)));
  if (!bytes) return std::optional<SystemFields>();
  const auto header = codec::decode_header(*bytes);
  if (!header)
    return Error{ErrorCode::corruption,
                 engine::entity_text(kind, id) + ": " + header.error().message, std::nullopt};
  auto author = codec::decode_author(*bytes);
  if (!author)
    return Error{ErrorCode::corruption,
                 engine::entity_text(kind, id) + ": " + author.error().message, std::nullopt};
  const auto& name = reader.catalog().name(codec::CatalogKind::name_space, header->name_space);
  return std::optional(SystemFields{name, header->created, header->updated, header->deleted_at,
                                    header->expires_at, header->valid_from, header->valid_to,
                                    *std::move(author)});
}

/// Errors: conflict if the transaction has ended.
Status check_open(const Transaction& transaction) {
  if (transaction.is_open()) return {};
  return Error{ErrorCode::conflict, "the transaction has ended; begin a new one", std::nullopt};
}

/// Returns the writer of a transaction. Errors: conflict; unsupported for a reading transaction.
Result<engine::TransactionWriter*> writer_of(Transaction& transaction) {
  CAIRN_TRY(check_open(transaction));
  if (auto* writer = Access::transaction_writer(transaction)) return writer;
  return Error{ErrorCode::unsupported,
               "this transaction was begun for reading; begin one of TransactionMode::write",
               std::nullopt};
}

// Functions named ..._there call the host of an attached handle.

Map entity_arguments(EntityKind kind, std::uint64_t id) {
  return {{"is_node", kind == EntityKind::node}, {"id", engine::number_value(id)}};
}

Result<std::optional<SystemFields>> fields_there(engine::Forwarding& way, EntityKind kind,
                                                 std::uint64_t id) {
  CAIRN_ASSIGN(const Value found, way.call("system_fields", entity_arguments(kind, id)));
  if (found.is_null()) return std::optional<SystemFields>();
  CAIRN_ASSIGN(auto fields, engine::read_result<SystemFields>(found, engine::read_system_fields));
  return std::optional(std::move(fields));
}

Result<std::uint64_t> restore_there(engine::Forwarding& way, std::string_view call, Map record,
                                    const SystemFields& fields) {
  record.emplace("fields", engine::call_value(fields));
  CAIRN_ASSIGN(const Value id, way.call(call, std::move(record)));
  const auto* number = id.get_if<std::int64_t>();
  return number == nullptr ? 0 : static_cast<std::uint64_t>(*number);
}

/// Visits ids that the host returns in pages. Each page begins after the last id of the page before.
template <class Id>
Status visit_there(engine::Forwarding& way, EntityKind kind, std::string_view name_space,
                   const std::function<Status(Id)>& visit) {
  std::uint64_t after = 0;
  while (true) {
    Map arguments = entity_arguments(kind, after);
    arguments.emplace("name_space", name_space);
    CAIRN_ASSIGN(const Value page, way.call("record_ids", std::move(arguments)));
    if (page.list() == nullptr || page.list()->empty()) return {};
    for (const Value& id : *page.list()) {
      after = static_cast<std::uint64_t>(id.as_integer());
      CAIRN_TRY(visit(Id{after}));
    }
  }
}

// Bitmap::for_each() cannot be ended early, so after an error the remaining ids are skipped.
template <class Id>
Status visit_all(const Snapshot& snapshot, EntityKind kind, std::string_view name_space,
                 const std::function<Status(Id)>& visit) {
  if (auto* const way = Access::forwarding(snapshot))
    return visit_there<Id>(*way, kind, name_space, visit);
  const auto view = Access::graph_view(snapshot);
  const auto number = view->catalog().find_name_space(name_space);
  if (!number) return {};
  CAIRN_ASSIGN(const codec::Bitmap ids, view->members(kind, *number));
  Status status;
  ids.for_each([&](std::uint64_t id) {
    if (status) status = visit(Id{id});
  });
  return status;
}

}  // namespace

Result<std::vector<std::string>> name_spaces(const Snapshot& snapshot) {
  if (auto* const way = Access::forwarding(snapshot)) {
    CAIRN_ASSIGN(const Value found, way->call("name_spaces", {}));
    return engine::texts_of(found);
  }
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
  if (auto* const way = Access::forwarding(snapshot))
    return fields_there(*way, EntityKind::node, node.value);
  return fields_of(*Access::graph_view(snapshot), EntityKind::node, node.value);
}

Result<std::optional<SystemFields>> system_fields(const Snapshot& snapshot,
                                                  RelationshipId relationship) {
  if (auto* const way = Access::forwarding(snapshot))
    return fields_there(*way, EntityKind::relationship, relationship.value);
  return fields_of(*Access::graph_view(snapshot), EntityKind::relationship, relationship.value);
}

Result<std::optional<SystemFields>> system_fields(const Transaction& transaction, NodeId node) {
  if (auto* const way = Access::forwarding(transaction))
    return fields_there(*way, EntityKind::node, node.value);
  CAIRN_TRY(check_open(transaction));
  return fields_of(Access::graph_view(transaction), EntityKind::node, node.value);
}

Result<std::optional<SystemFields>> system_fields(const Transaction& transaction,
                                                  RelationshipId relationship) {
  if (auto* const way = Access::forwarding(transaction))
    return fields_there(*way, EntityKind::relationship, relationship.value);
  CAIRN_TRY(check_open(transaction));
  return fields_of(Access::graph_view(transaction), EntityKind::relationship, relationship.value);
}

Result<NodeId> restore_node(Transaction& transaction, const NewNode& node,
                            const SystemFields& fields) {
  CAIRN_TRY(check_open(transaction));
  if (auto* const way = Access::forwarding(transaction)) {
    CAIRN_ASSIGN(const std::uint64_t made,
                 restore_there(*way, "restore_node", engine::call_map(node), fields));
    return NodeId{made};
  }
  CAIRN_ASSIGN(engine::TransactionWriter * writer, writer_of(transaction));
  CAIRN_ASSIGN(const std::uint64_t id,
               writer->restore_node(node.labels, node.properties, node.external_id, fields));
  return NodeId{id};
}

Result<RelationshipId> restore_relationship(Transaction& transaction,
                                            const NewRelationship& relationship,
                                            const SystemFields& fields) {
  CAIRN_TRY(check_open(transaction));
  if (auto* const way = Access::forwarding(transaction)) {
    CAIRN_ASSIGN(const std::uint64_t made, restore_there(*way, "restore_relationship",
                                                         engine::call_map(relationship), fields));
    return RelationshipId{made};
  }
  CAIRN_ASSIGN(engine::TransactionWriter * writer, writer_of(transaction));
  CAIRN_ASSIGN(
      const std::uint64_t id,
      writer->restore_relationship(relationship.source.value, relationship.type,
                                   relationship.target.value, relationship.properties, fields));
  return RelationshipId{id};
}

namespace {

Status set_deleted(Transaction& transaction, EntityKind kind, std::uint64_t id,
                   std::optional<std::int64_t> deleted_at) {
  if (auto* const way = Access::forwarding(transaction)) {
    Map arguments = entity_arguments(kind, id);
    if (deleted_at) arguments.emplace("deleted_at", *deleted_at);
    CAIRN_TRY(way->call("set_deleted", std::move(arguments)));
    return {};
  }
  CAIRN_ASSIGN(engine::TransactionWriter * writer, writer_of(transaction));
  return writer->set_deleted(kind, id, deleted_at);
}

}  // namespace

Status set_deleted(Transaction& transaction, NodeId node, std::optional<std::int64_t> deleted_at) {
  return set_deleted(transaction, EntityKind::node, node.value, deleted_at);
}

Status set_deleted(Transaction& transaction, RelationshipId relationship,
                   std::optional<std::int64_t> deleted_at) {
  return set_deleted(transaction, EntityKind::relationship, relationship.value, deleted_at);
}

namespace {

Result<std::optional<NodeId>> find_id_there(engine::Forwarding& way, std::string_view name_space,
                                            std::string_view external_id) {
  CAIRN_ASSIGN(const Value found, way.call("find_node_id", {{"name_space", name_space},
                                                            {"external_id", external_id}}));
  const auto* id = found.get_if<std::int64_t>();
  return id == nullptr ? std::nullopt : std::optional(NodeId{static_cast<std::uint64_t>(*id)});
}

Result<std::vector<AdjacentRelationship>> adjacent_there(engine::Forwarding& way, NodeId node,
                                                         std::string_view type, std::size_t limit) {
  Map request = {{"id", engine::number_value(node.value)}, {"type", type}};
  if (limit < std::numeric_limits<std::uint32_t>::max())
    request.emplace("limit", static_cast<std::int64_t>(limit));
  CAIRN_ASSIGN(const Value found, way.call("adjacent_relationships", std::move(request)));
  return engine::read_items<AdjacentRelationship>(found, engine::read_adjacent);
}

Result<std::optional<NodeId>> find_id(const engine::View& view, std::string_view name_space,
                                      std::string_view external_id) {
  const auto number = view.catalog().find_name_space(name_space);
  if (!number) return std::optional<NodeId>();
  CAIRN_ASSIGN(const auto id, view.find_external(*number, external_id));
  return id ? std::optional(NodeId{*id}) : std::nullopt;
}

}  // namespace

Result<std::optional<NodeId>> find_node_id(const Snapshot& snapshot, std::string_view name_space,
                                           std::string_view external_id) {
  if (auto* const way = Access::forwarding(snapshot))
    return find_id_there(*way, name_space, external_id);
  return find_id(*Access::view(snapshot), name_space, external_id);
}

Result<std::optional<NodeId>> find_node_id(const Transaction& transaction,
                                           std::string_view name_space,
                                           std::string_view external_id) {
  CAIRN_TRY(check_open(transaction));
  if (auto* const way = Access::forwarding(transaction))
    return find_id_there(*way, name_space, external_id);
  return find_id(Access::view(transaction), name_space, external_id);
}

Result<std::optional<Node>> find_node(const Transaction& transaction, std::string_view name_space,
                                      std::string_view external_id) {
  CAIRN_TRY(check_open(transaction));
  if (auto* const way = Access::forwarding(transaction)) {
    CAIRN_ASSIGN(const Value found, way->call("find_node", {{"name_space", name_space},
                                                            {"external_id", external_id}}));
    const Node* node = found.get_if<Node>();
    return node == nullptr ? std::optional<Node>() : std::optional(*node);
  }
  const engine::View& view = Access::view(transaction);
  CAIRN_ASSIGN(const auto id, find_id(view, name_space, external_id));
  return id ? view.load_node(id->value) : Result<std::optional<Node>>(std::nullopt);
}

Result<std::optional<Relationship>> find_relationship(const Transaction& transaction,
                                                      RelationshipId id) {
  CAIRN_TRY(check_open(transaction));
  if (auto* const way = Access::forwarding(transaction)) {
    CAIRN_ASSIGN(const Value found,
                 way->call("find_relationship", {{"id", engine::number_value(id.value)}}));
    const auto* relationship = found.get_if<Relationship>();
    return relationship == nullptr ? std::optional<Relationship>() : std::optional(*relationship);
  }
  return Access::view(transaction).load_relationship(id.value);
}

Result<std::vector<AdjacentRelationship>> adjacent_relationships(const Transaction& transaction,
                                                                 NodeId node, std::string_view type,
                                                                 std::size_t limit) {
  CAIRN_TRY(check_open(transaction));
  if (auto* const way = Access::forwarding(transaction))
    return adjacent_there(*way, node, type, limit);
  const engine::View& view = Access::view(transaction);
  std::vector<AdjacentRelationship> found;
  std::vector<std::uint32_t> types;
  if (!type.empty()) {
    const auto number = view.catalog().find_type(type);
    if (!number) return found;
    types.push_back(*number);
  }
  std::vector<engine::Adjacent> adjacent;
  engine::ListRequest request;
  request.node = node.value;
  request.types = types;
  request.limit = limit;
  CAIRN_TRY(view.lists()->read(request, adjacent));
  for (const engine::Adjacent& step : adjacent)
    found.push_back({RelationshipId{step.relationship}, NodeId{step.other}, step.outgoing});
  return found;
}

Result<std::vector<RelationshipId>> find_relationships(const Transaction& transaction,
                                                       NodeId source, std::string_view type,
                                                       NodeId target) {
  CAIRN_TRY(check_open(transaction));
  if (auto* const way = Access::forwarding(transaction)) {
    CAIRN_ASSIGN(const Value ids,
                 way->call("find_relationships", {{"source", engine::number_value(source.value)},
                                                  {"type", type},
                                                  {"target", engine::number_value(target.value)}}));
    std::vector<RelationshipId> there;
    if (ids.list() == nullptr) return there;
    for (const Value& id : *ids.list())
      there.push_back(RelationshipId{static_cast<std::uint64_t>(id.as_integer())});
    return there;
  }
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
