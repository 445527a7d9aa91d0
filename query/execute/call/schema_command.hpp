#pragma once
// CREATE INDEX, CREATE VECTOR INDEX, CREATE FULLTEXT INDEX and DROP INDEX.

#include <cairn/result.hpp>

namespace cairn::query {

struct ExecutionContext;
struct SchemaCommand;

/// Make or drop an index, within the statement's transaction.
[[nodiscard]] Status run(const SchemaCommand& command, ExecutionContext& context);

}  // namespace cairn::query
