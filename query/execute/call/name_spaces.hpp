#pragma once
// Namespaces from the language: SHOW NAMESPACES, and DROP NAMESPACE, which runs in transactions of its own.

#include "query/execute/call/procedures.hpp"

#include <cairn/database.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/statement.hpp>

#include <span>

namespace cairn::query {

struct BoundStatement;

/// db.namespaces: name, nodes and relationships, by name; the default one, "", comes first. The counts are of
/// what a statement in the namespace would see. Only those that the statement's options list.
[[nodiscard]] Result<Procedure::Rows> list_name_spaces(ExecutionContext& context,
                                                       std::span<const Value> arguments);

/// Erase at most `limit` records of the statement's own namespace that have expired, nodes with their relationships; gives
/// how many.
[[nodiscard]] Result<std::size_t> erase_own_expired(ExecutionContext& context, std::size_t limit);

/// Whether the statement is DROP NAMESPACE, and runs: EXPLAIN of it does not.
[[nodiscard]] bool drops_name_space(const BoundStatement& statement);

/// The error of DROP NAMESPACE within a transaction.
[[nodiscard]] Error needs_own_transactions();

/// The error of CALL db.scrub() within a transaction, on a snapshot, and among other clauses.
[[nodiscard]] Error scrubs_alone();

/// Run it. Errors: those of engine::drop_name_space(); resource_limit and cancelled by `options`, with what is
/// erased by then erased for good.
[[nodiscard]] Result<Changes> drop_name_space(const BoundStatement& statement, Database& database,
                                              const StatementOptions& options);

}  // namespace cairn::query
