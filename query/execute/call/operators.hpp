#pragma once
// The operators of this folder. Their classes are in the .cpp files and seen by nobody else.

#include "query/execute/pipeline/physical_operator.hpp"

#include <cairn/result.hpp>

namespace cairn::query {

struct CallProcedure;
struct CallSubquery;

[[nodiscard]] OperatorPtr make_operator(const CallProcedure& content, Parts parts);
[[nodiscard]] OperatorPtr make_operator(const CallSubquery& content, Parts parts);

// CREATE INDEX, CREATE VECTOR INDEX, CREATE FULLTEXT INDEX and DROP INDEX.

struct ExecutionContext;
struct SchemaCommand;

/// Make or drop an index, within the statement's transaction.
[[nodiscard]] Status run(const SchemaCommand& command, ExecutionContext& context);

}  // namespace cairn::query
