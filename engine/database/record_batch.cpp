// Creates records one by one in a local transaction, or sends them to the host in one message. If one record is refused, the
// records before it are erased again, in reverse order.
#include "engine/database/record_batch.hpp"

#include "engine/database/access.hpp"
#include "engine/database/call_values.hpp"
#include "engine/database/handles.hpp"

#include <ranges>
#include <string_view>
#include <utility>

namespace cairn::engine {
namespace {

Result<NodeId> create_one(Transaction& transaction, const BatchNode& node) {
  return node.fields ? restore_node(transaction, node.record, *node.fields)
                     : transaction.create_node(node.record);
}

Result<RelationshipId> create_one(Transaction& transaction, const BatchRelationship& one) {
  return one.fields ? restore_relationship(transaction, one.record, *one.fields)
                    : transaction.create_relationship(one.record);
}

Status erase_one(Transaction& transaction, NodeId node) { return transaction.erase_node(node); }

Status erase_one(Transaction& transaction, RelationshipId relationship) {
  return transaction.erase_relationship(relationship);
}

/// Creates records until one is refused, and notes the ids of those before it.
template <class Id, class Record>
Status create_each(Transaction& transaction, std::span<const Record> records, ConstraintCheck check,
                   std::vector<Id>& made) {
  for (const Record& record : records) {
    CAIRN_ASSIGN(const Id id, create_one(transaction, record));
    made.push_back(id);
  }
  return check == ConstraintCheck::at_once ? Access::check_constraints(transaction) : Status();
}

/// Creates records in a local transaction: all or none.
template <class Id, class Record>
Result<std::vector<Id>> create_here(Transaction& transaction, std::span<const Record> records,
                                    ConstraintCheck check) {
  std::vector<Id> made;
  made.reserve(records.size());
  const Status created = create_each(transaction, records, check, made);
  if (created) return made;
  // If erasing fails, the transaction has failed as a whole and can only be rolled back.
  for (const Id id : std::views::reverse(made))
    if (!erase_one(transaction, id)) break;
  return created.error();
}

template <class Record>
Value value_of(const Record& one) {
  Map map = call_map(one.record);
  if (one.fields) map.emplace("fields", call_value(*one.fields));
  return map;
}

/// Reads the ids of the created records from the result of the host.
template <class Id>
Result<std::vector<Id>> ids_of(const Value& answer, std::size_t wanted) {
  std::vector<Id> ids;
  ids.reserve(wanted);
  if (const List* const list = answer.list())
    for (const Value& id : *list)
      if (const auto* number = id.get_if<std::int64_t>())
        ids.push_back(Id{static_cast<std::uint64_t>(*number)});
  if (ids.size() == wanted) return ids;
  return Error{
      ErrorCode::io_error,
      "the host did not return one id for each record that it was sent; use one version of the "
      "library in both processes",
      {}};
}

/// Creates records in the host of an attached transaction, by one message.
template <class Id, class Record>
Result<std::vector<Id>> create_there(Forwarding& way, std::string_view call,
                                     std::span<const Record> records, ConstraintCheck check) {
  List list;
  list.reserve(records.size());
  for (const Record& record : records) list.push_back(value_of(record));
  CAIRN_ASSIGN(const Value answer, way.call(call, {{"records", std::move(list)},
                                                   {"checks", check == ConstraintCheck::at_once}}));
  return ids_of<Id>(answer, records.size());
}

}  // namespace

Result<std::vector<NodeId>> create_all(Transaction& transaction, std::span<const BatchNode> nodes,
                                       ConstraintCheck check) {
  if (auto* const way = Access::forwarding(transaction))
    return create_there<NodeId>(*way, "create_nodes", nodes, check);
  return create_here<NodeId>(transaction, nodes, check);
}

Result<std::vector<RelationshipId>> create_all(Transaction& transaction,
                                               std::span<const BatchRelationship> relationships,
                                               ConstraintCheck check) {
  if (auto* const way = Access::forwarding(transaction))
    return create_there<RelationshipId>(*way, "create_relationships", relationships, check);
  return create_here<RelationshipId>(transaction, relationships, check);
}

}  // namespace cairn::engine
