// Namespaces in the query language: SHOW NAMESPACES, DROP NAMESPACE, and erasing expired records.
#include "query/execute/call/name_spaces.hpp"

#include "codec/bitmap.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/database/name_space_drop.hpp"
#include "engine/view/view.hpp"
#include "engine/write/writer.hpp"
#include "query/bind/bound_query.hpp"
#include "query/execute/budget.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/write/graph_editor.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

struct RecordCounts {
  std::uint64_t nodes = 0;
  std::uint64_t relationships = 0;
};

/// Counts the relationships of these nodes for which `is_counted` is true.
template <class IsCounted>
Result<std::uint64_t> count_steps(ExecutionContext& context, const codec::Bitmap& nodes,
                                  engine::Direction direction, const IsCounted& is_counted) {
  std::uint64_t count = 0;
  std::vector<engine::Adjacent> steps;
  codec::IdCursor cursor(nodes);
  std::array<std::uint64_t, 256> piece{};
  while (const std::size_t size = cursor.next(piece)) {
    for (const std::uint64_t node : std::span(piece).first(size)) {
      steps.clear();
      CAIRN_TRY(context.graph.expand(node, direction, {}, steps));
      count += static_cast<std::uint64_t>(std::ranges::count_if(steps, is_counted));
    }
  }
  return count;
}

// Counts the visible records of one namespace. A relationship is visible only if both ends are.
// Expands either the visible nodes or all other nodes, whichever are fewer.
Result<RecordCounts> count_records(ExecutionContext& context, std::uint32_t number) {
  using codec::EntityKind;
  CAIRN_TRY(context.budget.check());
  const engine::View& view = context.graph.view();
  const engine::Visibility visibility{number, context.graph.visibility().now, {}};
  CAIRN_ASSIGN(const codec::Bitmap nodes, view.visible(EntityKind::node, visibility));
  CAIRN_ASSIGN(const codec::Bitmap others, view.invisible(EntityKind::node, visibility));
  CAIRN_ASSIGN(const codec::Bitmap ties, view.visible(EntityKind::relationship, visibility));
  RecordCounts counts{nodes.cardinality(), ties.cardinality()};
  if (ties.empty() || others.empty()) return counts;
  if (nodes.cardinality() <= others.cardinality()) {
    CAIRN_ASSIGN(
        counts.relationships,
        count_steps(context, nodes, engine::Direction::outgoing, [&](const engine::Adjacent& step) {
          return ties.contains(step.relationship) && nodes.contains(step.other);
        }));
    return counts;
  }
  // A relationship between two of the other nodes is counted only at its start.
  CAIRN_ASSIGN(
      const std::uint64_t hidden,
      count_steps(context, others, engine::Direction::both, [&](const engine::Adjacent& step) {
        return ties.contains(step.relationship) && (step.outgoing || !others.contains(step.other));
      }));
  counts.relationships -= hidden;
  return counts;
}

// True if the caller may use the namespace.
bool is_listed(const std::string& name, const StatementOptions& options) {
  const auto& listed = options.listed_name_spaces;
  return !listed || std::ranges::find(*listed, name) != listed->end();
}

Error may_not_use(const std::string& name) {
  return {ErrorCode::unsupported,
          "the namespace \"" + name + "\" is not among those that this caller may use",
          {}};
}

/// This error applies even to callers who may use all namespaces.
Error may_only_read(const std::string& name) {
  return {ErrorCode::unsupported,
          "the namespace \"" + name + "\" may only be read here, not dropped",
          {}};
}

Changes changes_of(const engine::ErasedRecords& erased) {
  Changes changes;
  changes.nodes_deleted = erased.nodes;
  changes.relationships_deleted = erased.relationships;
  return changes;
}

/// Adds the number of already erased records to the error.
Error with_erased_count(Error error, const engine::ErasedRecords& erased) {
  if (erased.total() == 0) return error;
  error.message += "; " + std::to_string(erased.total()) +
                   " records of the namespace are already erased; run the same statement again to "
                   "erase the rest";
  return error;
}

}  // namespace

// The default namespace is not in the catalog: its number is 0 and its name is empty.
Result<Procedure::Rows> list_name_spaces(ExecutionContext& context, std::span<const Value>) {
  auto names = context.graph.catalog().names(codec::CatalogKind::name_space);
  names.emplace_back(0, "");
  std::erase_if(names,
                [&](const auto& entry) { return !is_listed(entry.second, context.options); });
  std::ranges::sort(names, {},
                    [](const auto& entry) -> const std::string& { return entry.second; });
  Procedure::Rows rows;
  for (const auto& [number, name] : names) {
    CAIRN_ASSIGN(const RecordCounts counts, count_records(context, number));
    rows.push_back({Value(name), Value(static_cast<std::int64_t>(counts.nodes)),
                    Value(static_cast<std::int64_t>(counts.relationships))});
  }
  return rows;
}

namespace {

/// Returns the records of the statement's own namespace that are hidden only because they have
/// expired.
Result<std::vector<std::uint64_t>> expired_ids(ExecutionContext& context, codec::EntityKind kind) {
  engine::Visibility visibility{context.graph.name_spaces().front(), context.now, {}};
  CAIRN_ASSIGN(const codec::Bitmap seen, context.graph.view().visible(kind, visibility));
  visibility.now = std::numeric_limits<std::int64_t>::min();
  CAIRN_ASSIGN(const codec::Bitmap ever, context.graph.view().visible(kind, visibility));
  return codec::subtract(ever, seen).to_vector();
}

/// Returns how many records were erased: the node, and its relationships in namespaces that the
/// statement reads.
Result<std::size_t> erase_with_relationships(ExecutionContext& context, std::uint64_t node) {
  const std::size_t before = context.changes.relationships_deleted;
  codec::Bitmap relationships;
  GraphEditor editor(context);
  CAIRN_TRY(editor.find_attached(node, Attached::all, relationships));
  for (const std::uint64_t id : relationships.to_vector()) CAIRN_TRY(editor.erase_attached(id));
  CAIRN_TRY(editor.erase_node(node));
  return 1 + context.changes.relationships_deleted - before;
}

}  // namespace

// Relationships are erased before nodes. All relationships of a node are erased together with it,
// so the result may exceed the limit.
Result<std::size_t> erase_own_expired(ExecutionContext& context, std::size_t limit) {
  GraphEditor editor(context);
  std::size_t erased = 0;
  CAIRN_ASSIGN(const auto relationships, expired_ids(context, codec::EntityKind::relationship));
  for (std::size_t i = 0; i < relationships.size() && erased < limit; ++i, ++erased)
    CAIRN_TRY(editor.erase_relationship(relationships[i]));
  CAIRN_ASSIGN(const auto nodes, expired_ids(context, codec::EntityKind::node));
  for (std::size_t i = 0; i < nodes.size() && erased < limit; ++i) {
    CAIRN_ASSIGN(const std::size_t gone, erase_with_relationships(context, nodes[i]));
    erased += gone;
  }
  return erased;
}

namespace {

/// Drivers use these names for the default namespace.
constexpr std::string_view default_database = "neo4j";
constexpr std::string_view system_database = "system";

bool is_default(std::string_view database) {
  return database == default_database || database == system_database;
}

}  // namespace

// Does not look up whether such a namespace exists or whether the caller may use it, so the error does not reveal
// this.
Status check_database(const BoundStatement& statement, const StatementOptions& options) {
  if (!statement.database) return {};
  const std::string& name = statement.database->name;
  const std::string& own = options.name_space;
  if (name == own || (own.empty() && is_default(name))) return {};
  return Error{ErrorCode::unsupported,
               "USE " + name + " is not possible here: the statement runs in the database " +
                   std::string(own.empty() ? default_database : own) +
                   "; choose the database in the session of the driver, or by .namespace in the "
                   "shell",
               statement.database->where};
}

Status create_database(ExecutionContext& context, const SchemaCommand& command) {
  const std::string& name = command.name;
  if (!is_default(name) && !is_listed(name, context.options)) return may_not_use(name);
  const auto names = context.graph.catalog().names(codec::CatalogKind::name_space);
  const bool is_there = is_default(name) || std::ranges::any_of(names, [&](const auto& entry) {
                          return entry.second == name;
                        });
  if (is_there && command.if_exists_or_not) return {};
  if (is_there)
    return Error{ErrorCode::already_exists,
                 "the database " + name + " exists already; IF NOT EXISTS accepts that",
                 {}};
  warn_once(context, "CREATE DATABASE " + name +
                         " wrote nothing: a database is a namespace, which begins with its first "
                         "record, and SHOW DATABASES lists it from then on");
  return {};
}

bool drops_name_space(const BoundStatement& statement) {
  const auto* command = std::get_if<SchemaCommand>(&statement.content);
  return command != nullptr && command->kind == SchemaCommand::Kind::drop_name_space &&
         statement.mode != StatementMode::explain;
}

Error needs_own_transactions() {
  return {
      ErrorCode::unsupported,
      "DROP NAMESPACE cannot run inside a transaction: it commits in several steps, so a rollback "
      "could not restore the erased records; COMMIT or ROLLBACK first",
      {}};
}

Error scrubs_alone() {
  return {ErrorCode::unsupported,
          "CALL db.scrub() must be the whole statement, and cannot run in a transaction or on a "
          "snapshot, because these could still read what was erased",
          {}};
}

Error scrub_error(Error error, const StatementOptions& options) {
  if (!options.listed_name_spaces || error.code == ErrorCode::cancelled) return error;
  const char* const advice =
      error.code == ErrorCode::busy
          ? "a snapshot, transaction or unread result still sees erased data; end yours, then "
            "scrub again"
          : "the files cannot be scrubbed; `cairn scrub` on the directory says why";
  return {error.code, advice, {}};
}

// A caller may drop its own namespace, but no namespace that the caller may only read.
Result<Changes> drop_name_space(const BoundStatement& statement, Database& database,
                                const StatementOptions& options,
                                const BeforeLastCommit& before_last) {
  const auto& command = std::get<SchemaCommand>(statement.content);
  CAIRN_TRY(check_database(statement, options));
  if (!is_listed(command.name, options)) return may_not_use(command.name);
  if (command.name != options.name_space &&
      std::ranges::find(options.also_read, command.name) != options.also_read.end())
    return may_only_read(command.name);
  Budget budget(options);
  engine::ErasedRecords erased;
  const auto add_to_last = [&](Transaction& last, const engine::ErasedRecords& all) {
    if (before_last) before_last(last, changes_of(all));
  };
  // The limits are checked between the short transactions of the drop.
  const Status dropped = engine::drop_name_space(
      database, command.name, [&] { return budget.check(); }, erased, add_to_last);
  const bool is_fine = dropped.has_value() ||
                       (command.if_exists_or_not && dropped.error().code == ErrorCode::not_found);
  if (!is_fine) return with_erased_count(dropped.error(), erased);
  return changes_of(erased);
}

}  // namespace cairn::query
