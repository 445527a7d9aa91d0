#pragma once
// Namespaces in the query language: SHOW NAMESPACES, and DROP NAMESPACE, which runs in transactions
// of its own.

#include "query/execute/call/procedures.hpp"

#include <cairn/database.hpp>
#include <cairn/options.hpp>
#include <cairn/result.hpp>
#include <cairn/statement.hpp>
#include <cairn/transaction.hpp>

#include <functional>
#include <span>

namespace cairn::query {

struct BoundStatement;
struct SchemaCommand;

/// db.namespaces. Rows: name, number of visible nodes, and number of visible relationships, sorted
/// by name. The default namespace, "", comes first. Lists only namespaces that the options of the
/// statement allow.
[[nodiscard]] Result<Procedure::Rows> list_name_spaces(ExecutionContext& context,
                                                       std::span<const Value> arguments);

/// Erases up to about `limit` expired records of the statement's own namespace. Nodes are erased
/// with their relationships. Returns the number of erased records.
[[nodiscard]] Result<std::size_t> erase_own_expired(ExecutionContext& context, std::size_t limit);

/// Checks that the database of a USE is the one in which the statement runs.
/// Errors: unsupported, with how to choose another database.
[[nodiscard]] Status check_database(const BoundStatement& statement,
                                    const StatementOptions& options);

/// CREATE DATABASE. A namespace begins with its first record, so this writes nothing and warns.
/// Errors: already_exists; unsupported if the caller may not use the namespace.
[[nodiscard]] Status create_database(ExecutionContext& context, const SchemaCommand& command);

/// True if the statement is DROP NAMESPACE and is not only explained.
[[nodiscard]] bool drops_name_space(const BoundStatement& statement);

/// Makes the error for DROP NAMESPACE within a transaction.
[[nodiscard]] Error needs_own_transactions();

/// Makes the error for CALL db.scrub() within a transaction, on a snapshot, or with other clauses.
[[nodiscard]] Error scrubs_alone();

/// Returns the error of a scrub for the caller of its statement. A caller that may not use all namespaces learns neither
/// which commits others read nor where the database lies.
[[nodiscard]] Error scrub_error(Error error, const StatementOptions& options);

/// Called before the last commit of DROP NAMESPACE, with the changes of the whole statement. It may add to that commit.
using BeforeLastCommit = std::function<void(Transaction& last, const Changes& changes)>;

/// Runs DROP NAMESPACE.
/// Errors: those of engine::drop_name_space(); resource_limit and cancelled according to `options`.
/// Records erased before an error remain erased.
[[nodiscard]] Result<Changes> drop_name_space(const BoundStatement& statement, Database& database,
                                              const StatementOptions& options,
                                              const BeforeLastCommit& before_last = {});

}  // namespace cairn::query
