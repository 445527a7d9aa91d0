#pragma once
// System fields of records, and access to every record of every namespace, for programs that copy a
// whole database, such as an export.
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
// Statements and searches see one namespace without its hidden records. The calls here see
// everything.

#include <cairn/database.hpp>
#include <cairn/graph.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/transaction.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn {

/// The system fields of a node or relationship. Times are in microseconds since 1970 UTC.
///
/// A record is hidden if it has a `deleted_at`, and after its `expires_at`.
struct SystemFields {
  std::string name_space = {};  ///< empty is the default one
  std::optional<std::int64_t> created = std::nullopt;
  std::optional<std::int64_t> updated = std::nullopt;
  std::optional<std::int64_t> deleted_at = std::nullopt;  ///< time of soft deletion
  std::optional<std::int64_t> expires_at = std::nullopt;
  std::optional<std::int64_t> valid_from = std::nullopt;
  std::optional<std::int64_t> valid_to = std::nullopt;
  std::string author = {};  ///< who created it; empty if unknown
  friend bool operator==(const SystemFields&, const SystemFields&) = default;
};

/// Returns the names of all existing namespaces: the default one, "", then the others by name.
[[nodiscard]] CAIRN_EXPORT Result<std::vector<std::string>> name_spaces(const Snapshot& snapshot);

/// Erases all records of a namespace, hidden ones included, then its name; returns the number of
/// erased records.
///
/// Relationships of other namespaces to erased nodes are erased too, and counted. Works in many
/// short transactions of at most 2,000 records, between which other writers can commit; records
/// that they add to the namespace meanwhile are erased as well. After a failure or a crash, erased
/// records stay erased, and another call erases the rest. Older snapshots still see the whole
/// namespace. The name may be used again. Errors: invalid_argument for the default namespace;
/// not_found if the namespace does not exist; those of Database::begin() and Transaction::commit().
/// Cost: erasing each record, and a commit for each 2,000 of them.
[[nodiscard]] CAIRN_EXPORT Result<std::uint64_t> drop_name_space(Database& database,
                                                                 std::string_view name);

/// Calls `visit` with every record of a namespace, hidden ones included, in ascending order of ids.
/// Visits nothing if the namespace does not exist. Errors: corruption and io_error of the index;
/// the first error of `visit`, which ends the call. Cost: about one bit of memory per record; the
/// records are not read.
[[nodiscard]] CAIRN_EXPORT Status visit_nodes(const Snapshot& snapshot, std::string_view name_space,
                                              const std::function<Status(NodeId)>& visit);
[[nodiscard]] CAIRN_EXPORT Status
visit_relationships(const Snapshot& snapshot, std::string_view name_space,
                    const std::function<Status(RelationshipId)>& visit);

/// Returns the system fields of a record; nullopt if it does not exist. In a transaction, with its
/// changes. Errors: corruption, naming the record. Cost: one read of the store.
[[nodiscard]] CAIRN_EXPORT Result<std::optional<SystemFields>> system_fields(
    const Snapshot& snapshot, NodeId node);
[[nodiscard]] CAIRN_EXPORT Result<std::optional<SystemFields>> system_fields(
    const Snapshot& snapshot, RelationshipId relationship);
[[nodiscard]] CAIRN_EXPORT Result<std::optional<SystemFields>> system_fields(
    const Transaction& transaction, NodeId node);
[[nodiscard]] CAIRN_EXPORT Result<std::optional<SystemFields>> system_fields(
    const Transaction& transaction, RelationshipId relationship);

/// Creates a record that existed elsewhere, with its namespace, marks and times. Missing times of
/// creation and change are set to the current time. Errors: those of Transaction::create_node() and
/// create_relationship(); invalid_argument for an invalid namespace name.
[[nodiscard]] CAIRN_EXPORT Result<NodeId> restore_node(Transaction& transaction,
                                                       const NewNode& node,
                                                       const SystemFields& fields);
[[nodiscard]] CAIRN_EXPORT Result<RelationshipId> restore_relationship(
    Transaction& transaction, const NewRelationship& relationship, const SystemFields& fields);

/// Soft-deletes a record as of `deleted_at`, or makes it visible again with nullopt; sets
/// SystemFields::deleted_at. A hidden record can still be read by its id and in
/// Snapshot::with_deleted(). Relationships of a node do not change. Errors: not_found. Cost: reads
/// and writes the record.
[[nodiscard]] CAIRN_EXPORT Status set_deleted(Transaction& transaction, NodeId node,
                                              std::optional<std::int64_t> deleted_at);
[[nodiscard]] CAIRN_EXPORT Status set_deleted(Transaction& transaction, RelationshipId relationship,
                                              std::optional<std::int64_t> deleted_at);

/// Returns the id of the node with this external id in a namespace, hidden or not. Cost: one read
/// of the store.
[[nodiscard]] CAIRN_EXPORT Result<std::optional<NodeId>> find_node_id(const Snapshot& snapshot,
                                                                      std::string_view name_space,
                                                                      std::string_view external_id);
[[nodiscard]] CAIRN_EXPORT Result<std::optional<NodeId>> find_node_id(
    const Transaction& transaction, std::string_view name_space, std::string_view external_id);
/// Returns the node with this external id in a namespace, hidden or not.
[[nodiscard]] CAIRN_EXPORT Result<std::optional<Node>> find_node(const Transaction& transaction,
                                                                 std::string_view name_space,
                                                                 std::string_view external_id);
/// Like Snapshot::find_relationship(), with the changes of the transaction.
[[nodiscard]] CAIRN_EXPORT Result<std::optional<Relationship>> find_relationship(
    const Transaction& transaction, RelationshipId id);
/// A relationship, seen from one of its nodes.
struct AdjacentRelationship {
  RelationshipId relationship;
  NodeId other;             ///< the node at its other end
  bool is_outgoing = true;  ///< it starts at the node whose relationships are listed
};
/// Returns all relationships of a node, of every namespace, hidden ones included, outgoing ones
/// first. A relationship from the node to itself is listed once, as outgoing. With a `type`, only
/// those of that type; at most `limit` of them. Cost: one read of these relationships.
[[nodiscard]] CAIRN_EXPORT Result<std::vector<AdjacentRelationship>> adjacent_relationships(
    const Transaction& transaction, NodeId node, std::string_view type = {},
    std::size_t limit = std::numeric_limits<std::size_t>::max());
/// Returns all relationships of a type from one node to another, of every namespace, hidden ones
/// included, in ascending order of ids. Cost: one read of the relationships between the two nodes.
[[nodiscard]] CAIRN_EXPORT Result<std::vector<RelationshipId>> find_relationships(
    const Transaction& transaction, NodeId source, std::string_view type, NodeId target);

}  // namespace cairn
