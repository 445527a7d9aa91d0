#pragma once
// Many records made by one call, which costs an attached process one message.

#include <cairn/graph.hpp>
#include <cairn/result.hpp>
#include <cairn/system_fields.hpp>
#include <cairn/transaction.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cairn::engine {

/// A record, and what it carries beside its properties where that is restored.
template <class New>
struct BatchRecord {
  New record;
  std::optional<SystemFields> fields;
};
using BatchNode = BatchRecord<NewNode>;
using BatchRelationship = BatchRecord<NewRelationship>;

/// Whether each batch keeps to the constraints before the call returns, or commit() asks for all.
enum class ConstraintCheck : std::uint8_t { at_once, with_commit };

/// Create records in order: all of them, or none where one is refused. Their ids come in the same order.
///
/// Errors: of the first record that is refused, or of a constraint; conflict, where the transaction has ended.
[[nodiscard]] Result<std::vector<NodeId>> create_all(Transaction& transaction,
                                                     std::span<const BatchNode> nodes,
                                                     ConstraintCheck check);
[[nodiscard]] Result<std::vector<RelationshipId>> create_all(
    Transaction& transaction, std::span<const BatchRelationship> relationships,
    ConstraintCheck check);

}  // namespace cairn::engine
