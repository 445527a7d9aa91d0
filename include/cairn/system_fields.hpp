#pragma once
// What a record carries beside its labels and properties, and every record of every namespace: for
// programs that copy a whole database, as an export does.
//
//     std::uint64_t deleted = 0;
//     CAIRN_ASSIGN(const auto names, cairn::name_spaces(snapshot));
//     for (const std::string& name : names)
//       CAIRN_TRY(cairn::visit_nodes(snapshot, name, [&](NodeId id) -> Status {
//         CAIRN_ASSIGN(const auto fields, cairn::system_fields(snapshot, id));
//         if (fields && fields->deleted_at) ++deleted;
//         return {};
//       }));
//
// Statements and searches see one namespace, and nothing of it that is hidden. The calls here see it
// all.

#include <cairn/database.hpp>
#include <cairn/graph.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/transaction.hpp>
#include <cairn/visibility.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// The system fields of a node or a relationship. Times are in microseconds since 1970 UTC.
///
/// A record is hidden where it has a `deleted_at`, and from its `expires_at` on.
struct SystemFields {
  std::string name_space = {};  ///< empty is the default one
  std::optional<std::int64_t> created = std::nullopt;
  std::optional<std::int64_t> updated = std::nullopt;
  std::optional<std::int64_t> deleted_at = std::nullopt;  ///< softly
  std::optional<std::int64_t> expires_at = std::nullopt;
  std::optional<std::int64_t> valid_from = std::nullopt;
  std::optional<std::int64_t> valid_to = std::nullopt;
  std::string author = {};  ///< who made it; empty where nobody said so
  friend bool operator==(const SystemFields&, const SystemFields&) = default;
};

/// The names of all namespaces that were used and not dropped: the default one, "", then the others by name.
[[nodiscard]] CAIRN_EXPORT Result<std::vector<std::string>> name_spaces(const Snapshot& snapshot);

/// Erase every record of a namespace, hidden ones too, and then its name; gives how many records went.
///
/// Relationships of other namespaces go with the nodes that they lead to, and count. It is done in many short
/// transactions of at most 2,000 records, between which other writers get their turn; what they add to the
/// namespace meanwhile is erased as well. What a call that failed or a process that died has erased stays
/// erased, and another call erases the rest. Snapshots from before see all of it. The name may be used again.
/// Errors: invalid_argument for the default namespace; not_found if there is no such namespace; those of
/// Database::begin() and Transaction::commit().
/// Cost: that of erasing each record, and a commit for 2,000 of them.
[[nodiscard]] CAIRN_EXPORT Result<std::uint64_t> drop_name_space(Database& database,
                                                                 std::string_view name);

/// Call `visit` with every record of a namespace, hidden ones too, ascending by id. None where there is no
/// such namespace. Errors: corruption and io_error of the index; the first that `visit` gives, which ends it.
/// Cost: about a bit a record in memory; the records themselves are not read.
[[nodiscard]] CAIRN_EXPORT Status visit_nodes(const Snapshot& snapshot, std::string_view name_space,
                                              const std::function<Status(NodeId)>& visit);
[[nodiscard]] CAIRN_EXPORT Status
visit_relationships(const Snapshot& snapshot, std::string_view name_space,
                    const std::function<Status(RelationshipId)>& visit);

/// The system fields of a record; nullopt if it does not exist. Of a snapshot or a transaction, with its own
/// changes. Errors: corruption, naming the record. Cost: one read of the store.
[[nodiscard]] CAIRN_EXPORT Result<std::optional<SystemFields>> system_fields(
    const Snapshot& snapshot, NodeId node);
[[nodiscard]] CAIRN_EXPORT Result<std::optional<SystemFields>> system_fields(
    const Snapshot& snapshot, RelationshipId relationship);
[[nodiscard]] CAIRN_EXPORT Result<std::optional<SystemFields>> system_fields(
    const Transaction& transaction, NodeId node);
[[nodiscard]] CAIRN_EXPORT Result<std::optional<SystemFields>> system_fields(
    const Transaction& transaction, RelationshipId relationship);

/// Make a record that was elsewhere before, with its namespace, its marks and its times. Times of creation and
/// change that are not given are now.
/// Errors: those of Transaction::create_node() and create_relationship(); invalid_argument for a name that no
/// namespace can have.
[[nodiscard]] CAIRN_EXPORT Result<NodeId> restore_node(Transaction& transaction,
                                                       const NewNode& node,
                                                       const SystemFields& fields);
[[nodiscard]] CAIRN_EXPORT Result<RelationshipId> restore_relationship(
    Transaction& transaction, const NewRelationship& relationship, const SystemFields& fields);

/// Hide a record softly from `deleted_at` on, or show it again with nullopt; the moment is stored as
/// SystemFields::deleted_at. It is still read by its id and in Snapshot::with_deleted(). Errors: not_found; of a node, its
/// relationships stay as they are. Cost: reads and writes the record.
[[nodiscard]] CAIRN_EXPORT Status set_deleted(Transaction& transaction, NodeId node,
                                              std::optional<std::int64_t> deleted_at);
[[nodiscard]] CAIRN_EXPORT Status set_deleted(Transaction& transaction, RelationshipId relationship,
                                              std::optional<std::int64_t> deleted_at);

/// The id of the node of a namespace with this external id, hidden or not. Cost: one read of the store.
[[nodiscard]] CAIRN_EXPORT Result<std::optional<NodeId>> find_node_id(const Snapshot& snapshot,
                                                                      std::string_view name_space,
                                                                      std::string_view external_id);
[[nodiscard]] CAIRN_EXPORT Result<std::optional<NodeId>> find_node_id(
    const Transaction& transaction, std::string_view name_space, std::string_view external_id);
/// The node of a namespace with this external id, hidden or not.
[[nodiscard]] CAIRN_EXPORT Result<std::optional<Node>> find_node(const Transaction& transaction,
                                                                 std::string_view name_space,
                                                                 std::string_view external_id);
/// As Snapshot::find_relationship(), with the changes of the transaction.
[[nodiscard]] CAIRN_EXPORT Result<std::optional<Relationship>> find_relationship(
    const Transaction& transaction, RelationshipId id);
/// A relationship of a node, seen from there.
struct AdjacentRelationship {
  RelationshipId relationship;
  NodeId other;             ///< the node at its other end
  bool is_outgoing = true;  ///< it starts at the node that was asked for
};
/// All relationships of a node, of every namespace, hidden ones too, outgoing ones first; one of the node to itself once,
/// as outgoing. With a `type` those of it alone. Cost: one read of the relationships of the node.
[[nodiscard]] CAIRN_EXPORT Result<std::vector<AdjacentRelationship>> adjacent_relationships(
    const Transaction& transaction, NodeId node, std::string_view type = {});
/// All relationships of a type from one node to another, of every namespace, hidden ones too, ascending.
/// Cost: one read of the relationships between the two.
[[nodiscard]] CAIRN_EXPORT Result<std::vector<RelationshipId>> find_relationships(
    const Transaction& transaction, NodeId source, std::string_view type, NodeId target);

}  // namespace cairn
