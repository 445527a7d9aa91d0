// Commands on the schema run when the statement starts, within its transaction, and give no rows. Whether an index is
// filled at once or later is the engine's affair.
#include "query/execute/call/schema_command.hpp"

#include "engine/write/constraint_request.hpp"
#include "engine/write/index_request.hpp"
#include "engine/write/writer.hpp"
#include "query/bind/bound_query.hpp"
#include "query/execute/call/index_options.hpp"
#include "query/execute/call/name_spaces.hpp"
#include "query/execute/pipeline/execution_context.hpp"

namespace cairn::query {
namespace {

using Kind = SchemaCommand::Kind;

// IF NOT EXISTS makes a failure of that kind a success that changes nothing, and IF EXISTS likewise.
// Other failures, such as a name of another kind, remain failures.
Status counted(const SchemaCommand& command, const Status& done, ErrorCode fine,
               std::uint64_t& count) {
  if (done) ++count;
  const bool is_fine = !done && command.if_exists_or_not && done.error().code == fine;
  return is_fine ? Status() : done;
}

codec::EntityKind entity_of(const SchemaCommand& command) {
  return command.on_relationship ? codec::EntityKind::relationship : codec::EntityKind::node;
}

Status create_index(const SchemaCommand& command, ExecutionContext& context) {
  engine::IndexRequest request;
  request.name = command.name;
  request.kind = entity_of(command);
  request.labels_or_types = command.labels_or_types;
  request.properties = command.properties;
  CAIRN_TRY(read_index_options(command, context, request));
  return counted(command, context.writer->create_index(request), ErrorCode::already_exists,
                 context.changes.indexes_added);
}

codec::ConstraintKind constraint_kind(Kind kind) {
  if (kind == Kind::create_unique_constraint) return codec::ConstraintKind::unique;
  return kind == Kind::create_key_constraint ? codec::ConstraintKind::key
                                             : codec::ConstraintKind::not_null;
}

// The records of all namespaces are looked at; their values are told only to who may use all.
Error told_to(const ExecutionContext& context, const engine::ConstraintRequest& request,
              const Error& error) {
  const bool is_about_records = error.message.find("(constraint \"") != std::string::npos;
  if (!context.options.listed_name_spaces || !is_about_records) return error;
  return {error.code,
          "records with :" + request.label_or_type +
              " are against the constraint; who may use all namespaces is told which",
          error.where};
}

// Records that are against it are no reason for IF NOT EXISTS to pass over it.
Status create_constraint(const SchemaCommand& command, ExecutionContext& context) {
  engine::ConstraintRequest request;
  request.name = command.name;
  request.constraint_kind = constraint_kind(command.kind);
  request.kind = entity_of(command);
  request.label_or_type = command.labels_or_types.front();
  request.properties = command.properties;
  if (command.if_exists_or_not && engine::is_defined(request, context.graph.catalog())) return {};
  constexpr std::uint64_t steps_a_record = 8;
  const Status created = context.writer->create_constraint(
      request, [&] { return context.budget.step(steps_a_record); });
  if (!created) return told_to(context, request, created.error());
  ++context.changes.constraints_added;
  return {};
}

}  // namespace

Status run(const SchemaCommand& command, ExecutionContext& context) {
  switch (command.kind) {
    case Kind::create_range_index:
    case Kind::create_vector_index:
    case Kind::create_full_text_index:
      return create_index(command, context);
    case Kind::create_unique_constraint:
    case Kind::create_key_constraint:
    case Kind::create_not_null_constraint:
      return create_constraint(command, context);
    case Kind::drop_index:
      return counted(command, context.writer->drop_index(command.name), ErrorCode::not_found,
                     context.changes.indexes_removed);
    case Kind::drop_constraint:
      return counted(command, context.writer->drop_constraint(command.name), ErrorCode::not_found,
                     context.changes.constraints_removed);
    case Kind::drop_name_space:
      break;
  }
  return needs_own_transactions();
}

}  // namespace cairn::query
