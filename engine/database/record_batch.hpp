#pragma once
// Creates many records by one call. An attached process sends only one message for it.

#include <cairn/graph.hpp>
#include <cairn/result.hpp>
#include <cairn/system_fields.hpp>
#include <cairn/transaction.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cairn::engine {

/// A record to create. `fields` are its system fields if it is restored from elsewhere, for instance by an import.
template <class New>
struct BatchRecord {
  New record;
  std::optional<SystemFields> fields;
};
using BatchNode = BatchRecord<NewNode>;
using BatchRelationship = BatchRecord<NewRelationship>;

/// Whether constraints are checked before the call returns, or only by commit().
enum class ConstraintCheck : std::uint8_t { at_once, with_commit };

/// Creates records in order: all of them, or none if one is refused. Returns their ids in the same order.
///
/// Errors: the error of the first record that is refused, or of a violated constraint; conflict if the transaction has
/// ended.
[[nodiscard]] Result<std::vector<NodeId>> create_all(Transaction& transaction,
                                                     std::span<const BatchNode> nodes,
                                                     ConstraintCheck check);
[[nodiscard]] Result<std::vector<RelationshipId>> create_all(
    Transaction& transaction, std::span<const BatchRelationship> relationships,
    ConstraintCheck check);

}  // namespace cairn::engine
