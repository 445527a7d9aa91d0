// A drop looks at its time limit and the cancel token between two steps: each is short.
#include "query/execute/call/name_spaces.hpp"

#include "engine/catalog/catalog.hpp"
#include "engine/database/name_space_drop.hpp"
#include "query/bind/bound_query.hpp"
#include "query/execute/budget.hpp"
#include "query/execute/pipeline/execution_context.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

constexpr std::uint64_t enough_for_a_look = 1'024;

Result<Value> count_records(ExecutionContext& context, codec::EntityKind kind,
                            std::uint32_t number) {
  CAIRN_TRY(context.budget.step(enough_for_a_look));
  const engine::Visibility visibility{number, context.graph.visibility().now};
  CAIRN_ASSIGN(const codec::Bitmap ids, context.graph.view().visible(kind, visibility));
  return Value(static_cast<std::int64_t>(ids.cardinality()));
}

bool is_listed(const std::string& name, const StatementOptions& options) {
  const auto& listed = options.listed_name_spaces;
  return !listed || std::ranges::find(*listed, name) != listed->end();
}

Error may_not_use(const std::string& name) {
  return {ErrorCode::unsupported,
          "the namespace \"" + name + "\" is not among those that this caller may use",
          {}};
}

/// The caller that stopped it must know that some of it is gone.
Error told_what_is_gone(Error error, const engine::ErasedRecords& erased) {
  const std::uint64_t count = erased.nodes + erased.relationships;
  if (count == 0) return error;
  error.message += "; " + std::to_string(count) +
                   " records of the namespace are erased by now, and the same statement erases "
                   "the rest";
  return error;
}

}  // namespace

Result<Procedure::Rows> list_name_spaces(ExecutionContext& context, std::span<const Value>) {
  auto names = context.graph.catalog().names(codec::CatalogKind::name_space);
  names.emplace_back(0, "");
  std::erase_if(names,
                [&](const auto& entry) { return !is_listed(entry.second, context.options); });
  std::ranges::sort(names, {},
                    [](const auto& entry) -> const std::string& { return entry.second; });
  Procedure::Rows rows;
  for (const auto& [number, name] : names) {
    CAIRN_ASSIGN(Value nodes, count_records(context, codec::EntityKind::node, number));
    CAIRN_ASSIGN(Value relationships,
                 count_records(context, codec::EntityKind::relationship, number));
    rows.push_back({Value(name), std::move(nodes), std::move(relationships)});
  }
  return rows;
}

bool drops_name_space(const BoundStatement& statement) {
  const auto* command = std::get_if<SchemaCommand>(&statement.content);
  return command != nullptr && command->kind == SchemaCommand::Kind::drop_name_space &&
         statement.mode != StatementMode::explain;
}

Error needs_own_transactions() {
  return {ErrorCode::unsupported,
          "DROP NAMESPACE cannot run inside a transaction: it commits step by step, so that others "
          "can write meanwhile, and no rollback could bring back what is gone; COMMIT or ROLLBACK "
          "first",
          {}};
}

Error scrubs_alone() {
  return {ErrorCode::unsupported,
          "CALL db.scrub() stands alone in its statement and runs on the database, neither in a "
          "transaction nor on a snapshot, which would see what was erased",
          {}};
}

Result<Changes> drop_name_space(const BoundStatement& statement, Database& database,
                                const StatementOptions& options) {
  const auto& command = std::get<SchemaCommand>(statement.content);
  if (!is_listed(command.name, options)) return may_not_use(command.name);
  Budget budget(options);
  engine::ErasedRecords erased;
  const Status dropped = engine::drop_name_space(
      database, command.name, [&] { return budget.step(enough_for_a_look); }, erased);
  const bool is_fine = dropped.has_value() ||
                       (command.if_exists_or_not && dropped.error().code == ErrorCode::not_found);
  if (!is_fine) return told_what_is_gone(dropped.error(), erased);
  Changes changes;
  changes.nodes_deleted = erased.nodes;
  changes.relationships_deleted = erased.relationships;
  return changes;
}

}  // namespace cairn::query
