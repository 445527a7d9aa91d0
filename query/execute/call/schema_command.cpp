// Index commands run when the statement starts, within its transaction, and give no rows. Whether an index is filled at once or later is the engine's affair.
#include "query/execute/call/schema_command.hpp"

#include "engine/write/index_request.hpp"
#include "engine/write/writer.hpp"
#include "query/bind/bound_query.hpp"
#include "query/execute/call/index_options.hpp"
#include "query/execute/call/name_spaces.hpp"
#include "query/execute/pipeline/execution_context.hpp"

namespace cairn::query {
namespace {

// IF NOT EXISTS makes a failure of that kind a success that changes nothing.
// Other failures, such as a name of another kind, remain failures.
Status create(const SchemaCommand& command, ExecutionContext& context) {
  engine::IndexRequest request;
  request.name = command.name;
  request.kind =
      command.on_relationship ? codec::EntityKind::relationship : codec::EntityKind::node;
  request.labels_or_types = command.labels_or_types;
  request.properties = command.properties;
  CAIRN_TRY(read_index_options(command, context, request));
  const Status created = context.writer->create_index(request);
  if (created) {
    ++context.changes.indexes_added;
    return {};
  }
  const bool is_fine =
      command.if_exists_or_not && created.error().code == ErrorCode::already_exists;
  return is_fine ? Status() : created;
}

// IF EXISTS likewise.
Status drop(const SchemaCommand& command, ExecutionContext& context) {
  const Status dropped = context.writer->drop_index(command.name);
  if (dropped) {
    ++context.changes.indexes_removed;
    return {};
  }
  const bool is_fine = command.if_exists_or_not && dropped.error().code == ErrorCode::not_found;
  return is_fine ? Status() : dropped;
}

}  // namespace

Status run(const SchemaCommand& command, ExecutionContext& context) {
  using Kind = SchemaCommand::Kind;
  if (command.kind == Kind::drop_name_space) return needs_own_transactions();
  return command.kind == Kind::drop_index ? drop(command, context) : create(command, context);
}

}  // namespace cairn::query
