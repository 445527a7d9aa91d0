#pragma once
// CREATE INDEX, CREATE VECTOR INDEX, DROP INDEX and SHOW INDEXES.

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <string>
#include <vector>

namespace cairn::query {

struct ExecutionContext;
struct SchemaCommand;

struct SchemaResult {
  std::vector<std::string> columns;
  std::vector<std::vector<Value>> rows;
};

[[nodiscard]] bool is_writing(const SchemaCommand& command);
[[nodiscard]] Result<SchemaResult> run(const SchemaCommand& command, ExecutionContext& context);

}  // namespace cairn::query
