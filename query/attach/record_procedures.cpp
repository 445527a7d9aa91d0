// Procedures for records: reading them from a snapshot or transaction, and changing them in a transaction.

#include "engine/database/access.hpp"
#include "engine/database/record_batch.hpp"
#include "query/attach/procedure_table.hpp"

#include <cairn/system_fields.hpp>

#include <utility>
#include <vector>

namespace cairn::query::attach {
namespace {

using engine::number_value;

/// Finds a node by its external id, or else by its id.
template <class Place>
Result<std::optional<Node>> find_node_in(const Place& place, CallReader& arguments) {
  if (const Value* id = arguments.find("external_id"); id != nullptr && id->string() != nullptr)
    return place.find_node(*id->string());
  return place.find_node(NodeId{arguments.number("id")});
}

/// A lookup with a namespace is possible in a transaction only.
Result<Value> find_node_anywhere(CallReader& arguments, const CallPlace& place) {
  if (place.transaction != nullptr && arguments.find("name_space") != nullptr) {
    CAIRN_ASSIGN(const auto node, find_node(*place.transaction, arguments.text("name_space"),
                                            arguments.text("external_id")));
    return node_value(node);
  }
  if (place.transaction != nullptr) {
    CAIRN_ASSIGN(const auto node, find_node_in(*place.transaction, arguments));
    return node_value(node);
  }
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  CAIRN_ASSIGN(const auto node, find_node_in(*snapshot, arguments));
  return node_value(node);
}

Result<Value> find_relationship_anywhere(CallReader& arguments, const CallPlace& place) {
  const RelationshipId id{arguments.number("id")};
  auto found = place.transaction != nullptr ? find_relationship(*place.transaction, id)
               : place.snapshot != nullptr  ? place.snapshot->find_relationship(id)
                                            : wrong_place("on a snapshot");
  if (!found) return found.error();
  return *found ? Value(**found) : Value();
}

Result<Value> indexes(CallReader&, const CallPlace& place) {
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  return list_of_result(snapshot->indexes());
}

Result<Value> labels(CallReader&, const CallPlace& place) {
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  return list_of_result(snapshot->labels());
}

Result<Value> types(CallReader&, const CallPlace& place) {
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  return list_of_result(snapshot->relationship_types());
}

Result<Value> properties(CallReader&, const CallPlace& place) {
  CAIRN_ASSIGN(const Snapshot* snapshot, snapshot_of(place));
  return list_of_result(snapshot->properties());
}

Result<Value> create_node(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  const NewNode node = engine::read_new_node(arguments);
  CAIRN_TRY(arguments.check());
  CAIRN_ASSIGN(const NodeId id, transaction->create_node(node));
  return number_value(id.value);
}

Result<Value> put_node(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  const NewNode node = engine::read_new_node(arguments);
  CAIRN_TRY(arguments.check());
  CAIRN_ASSIGN(const PutNode put, transaction->put_node(node));
  return Value(Map{{"node", number_value(put.node.value)}, {"created", put.created}});
}

Result<Value> create_relationship(CallReader& arguments, const CallPlace& place) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  const NewRelationship relationship = engine::read_new_relationship(arguments);
  CAIRN_TRY(arguments.check());
  CAIRN_ASSIGN(const RelationshipId id, transaction->create_relationship(relationship));
  return number_value(id.value);
}

/// Reads a new record and, if present, its system fields.
template <class New>
engine::BatchRecord<New> read_batch_record(CallReader& reader, New record) {
  if (reader.find("fields") == nullptr) return {std::move(record), std::nullopt};
  CallReader fields(reader.map("fields"));
  engine::BatchRecord<New> read{std::move(record), engine::read_system_fields(fields)};
  reader.note(fields);
  return read;
}

engine::BatchNode read_batch_node(CallReader& reader) {
  return read_batch_record(reader, engine::read_new_node(reader));
}

engine::BatchRelationship read_batch_relationship(CallReader& reader) {
  return read_batch_record(reader, engine::read_new_relationship(reader));
}

/// Creates all records in the argument "records", each read by `read`.
template <class Record>
Result<Value> create_all_of(CallReader& arguments, const CallPlace& place,
                            Record (*read)(CallReader&)) {
  const auto check = arguments.boolean("checks") ? engine::ConstraintCheck::at_once
                                                 : engine::ConstraintCheck::with_commit;
  const Value* list = arguments.find("records");
  CAIRN_ASSIGN(const std::vector<Record> records,
               engine::read_items<Record>(list == nullptr ? Value() : *list, read));
  CAIRN_ASSIGN(Transaction * transaction, checked_transaction(arguments, place));
  CAIRN_ASSIGN(const auto made, engine::create_all(*transaction, std::span(records), check));
  List ids;
  ids.reserve(made.size());
  for (const auto id : made) ids.push_back(number_value(id.value));
  return Value(std::move(ids));
}

Result<Value> create_nodes(CallReader& arguments, const CallPlace& place) {
  return create_all_of(arguments, place, read_batch_node);
}

Result<Value> create_relationships(CallReader& arguments, const CallPlace& place) {
  return create_all_of(arguments, place, read_batch_relationship);
}

/// Changes the node or relationship that the arguments name.
template <class Change>
Result<Value> change_entity(CallReader& arguments, const CallPlace& place, const Change& change) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  const std::uint64_t id = arguments.number("id");
  const bool is_node = arguments.boolean("is_node");
  CAIRN_TRY(arguments.check());
  return nothing(is_node ? change(*transaction, NodeId{id})
                         : change(*transaction, RelationshipId{id}));
}

Result<Value> set_property(CallReader& arguments, const CallPlace& place) {
  const std::string name = arguments.text("name");
  const Value* value = arguments.find("value");
  return change_entity(arguments, place, [&](Transaction& transaction, auto id) {
    return transaction.set_property(id, name, value == nullptr ? Value() : *value);
  });
}

Result<Value> set_properties(CallReader& arguments, const CallPlace& place) {
  const Properties& values = arguments.map("properties");
  return change_entity(arguments, place, [&](Transaction& transaction, auto id) {
    return transaction.set_properties(id, values);
  });
}

Result<Value> set_expiry(CallReader& arguments, const CallPlace& place) {
  const auto expires_at = arguments.maybe_integer("expires_at");
  return change_entity(arguments, place, [&](Transaction& transaction, auto id) {
    return transaction.set_expiry(id, expires_at);
  });
}

Result<Value> add_label(CallReader& arguments, const CallPlace& place) {
  const NodeId node{arguments.number("id")};
  const std::string label = arguments.text("label");
  CAIRN_ASSIGN(Transaction * transaction, checked_transaction(arguments, place));
  return nothing(transaction->add_label(node, label));
}

Result<Value> remove_label(CallReader& arguments, const CallPlace& place) {
  const NodeId node{arguments.number("id")};
  const std::string label = arguments.text("label");
  CAIRN_ASSIGN(Transaction * transaction, checked_transaction(arguments, place));
  return nothing(transaction->remove_label(node, label));
}

Result<Value> erase_node(CallReader& arguments, const CallPlace& place) {
  const NodeId node{arguments.number("id")};
  CAIRN_ASSIGN(Transaction * transaction, checked_transaction(arguments, place));
  return nothing(transaction->erase_node(node));
}

Result<Value> erase_node_and_relationships(CallReader& arguments, const CallPlace& place) {
  const NodeId node{arguments.number("id")};
  CAIRN_ASSIGN(Transaction * transaction, checked_transaction(arguments, place));
  return nothing(transaction->erase_node_and_relationships(node));
}

Result<Value> erase_relationship(CallReader& arguments, const CallPlace& place) {
  const RelationshipId relationship{arguments.number("id")};
  CAIRN_ASSIGN(Transaction * transaction, checked_transaction(arguments, place));
  return nothing(transaction->erase_relationship(relationship));
}

Result<Value> check_constraints(CallReader&, const CallPlace& place) {
  CAIRN_ASSIGN(Transaction * transaction, transaction_of(place));
  return nothing(Access::check_constraints(*transaction));
}

// The names are part of the protocol and must not change.
constexpr NamedProcedure record_table[] = {
    {"add_label", add_label},
    {"check_constraints", check_constraints},
    {"create_node", create_node},
    {"create_nodes", create_nodes},
    {"create_relationship", create_relationship},
    {"create_relationships", create_relationships},
    {"erase_node", erase_node},
    {"erase_node_and_relationships", erase_node_and_relationships},
    {"erase_relationship", erase_relationship},
    {"find_node", find_node_anywhere},
    {"find_relationship", find_relationship_anywhere},
    {"indexes", indexes},
    {"labels", labels},
    {"properties", properties},
    {"put_node", put_node},
    {"remove_label", remove_label},
    {"set_expiry", set_expiry},
    {"set_properties", set_properties},
    {"set_property", set_property},
    {"types", types},
};

}  // namespace

std::span<const NamedProcedure> record_procedures() { return record_table; }

}  // namespace cairn::query::attach
