#pragma once
// Makes the operators of this folder. Their classes are private to the .cpp files.

#include "query/execute/pipeline/physical_operator.hpp"

#include <cairn/result.hpp>

namespace cairn::query {

struct CallProcedure;
struct CallSubquery;

[[nodiscard]] OperatorPtr make_operator(const CallProcedure& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const CallSubquery& content, Parts parts);

/// Makes the operator of a writing CALL { } IN TRANSACTIONS.
[[nodiscard]] OperatorPtr make_batched_call(const CallSubquery& content, Parts parts);
/// The error of such a call in a transaction that is open already.
[[nodiscard]] Error needs_auto_commit();

// CREATE INDEX, CREATE VECTOR INDEX, CREATE FULLTEXT INDEX, DROP INDEX, and the same for
// constraints.

struct ExecutionContext;
struct SchemaCommand;

/// Creates or drops an index or constraint within the statement's transaction.
[[nodiscard]] Status run(const SchemaCommand& command, ExecutionContext& context);
/// Called after each record that a new index gets. Errors: cancelled; resource_limit if the caller chose
/// a time limit, and it is over.
[[nodiscard]] Status pulse_of_index(ExecutionContext& context);

}  // namespace cairn::query
