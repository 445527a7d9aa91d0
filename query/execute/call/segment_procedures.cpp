// db.segments and db.warm: list the segments in memory, and build them on request.

#include "engine/catalog/catalog.hpp"
#include "engine/database/core.hpp"
#include "engine/segment/segment_set.hpp"
#include "query/execute/call/builtin_procedures.hpp"
#include "query/execute/call/procedure_arguments.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/pipeline/known_indexes.hpp"

#include <chrono>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

using Rows = Procedure::Rows;
using Arguments = std::span<const Value>;

// Errors: unsupported if the statement has no access to the current segments of the database.
Result<engine::SegmentSet*> segments_of(const ExecutionContext& context, std::string_view name) {
  if (context.database != nullptr && context.core != nullptr && context.writer == nullptr)
    return context.core->state()->segments.get();
  return Error{ErrorCode::unsupported,
               std::string(name) +
                   "() is about the database and not about one commit of it; call it outside of "
                   "transactions and snapshots, in a statement that does not write",
               std::nullopt};
}

// The name of a segment: a direction, or a property.
std::string key_of(const engine::SegmentDescription& one, const engine::Catalog& catalog) {
  if (one.is_of_lists) return one.outgoing ? "outgoing" : "incoming";
  return catalog.name(codec::CatalogKind::property, one.property);
}

/// True if the caller may use all namespaces, or a visible record has the property.
Result<bool> knows_property(ExecutionContext& context, codec::EntityKind kind,
                            const std::string& name) {
  if (!context.options.listed_name_spaces) return true;
  return is_used_path(context, kind, engine::join_path({name}));
}

// Returns one row per segment. The columns are segment_columns in procedure_table.cpp. A segment has the records of all
// namespaces: a caller that may not use all of them gets no numbers, and no properties that only others have.
Result<Rows> rows_of(ExecutionContext& context, const engine::SegmentSet& segments) {
  const bool has_numbers = !context.options.listed_name_spaces;
  const auto number = [has_numbers](std::size_t count) {
    return has_numbers ? Value(static_cast<std::int64_t>(count)) : Value();
  };
  Rows rows;
  for (const engine::SegmentDescription& one : segments.describe()) {
    std::string key = key_of(one, context.graph.catalog());
    CAIRN_ASSIGN(const bool is_known,
                 one.is_of_lists ? Result<bool>(true) : knows_property(context, one.kind, key));
    if (!is_known) continue;
    rows.push_back({Value(one.is_of_lists                       ? "RELATIONSHIP LISTS"
                          : one.kind == codec::EntityKind::node ? "NODE PROPERTY"
                                                                : "RELATIONSHIP PROPERTY"),
                    Value(std::move(key)), number(one.ids), number(one.changed),
                    number(one.bytes)});
  }
  return rows;
}

/// Makes a request that builds the segment at once regardless of cost, within the statement's
/// remaining time.
engine::SegmentNeed whatever_it_costs(ExecutionContext& context) {
  const std::chrono::duration<double, std::micro> left = context.budget.left();
  constexpr double all = std::numeric_limits<double>::max();
  return {0, all, left.count(), [&budget = context.budget] { return budget.check().has_value(); }};
}

/// Builds a column of the property for each kind of record that has it.
Status warm_property(ExecutionContext& context, const std::string& name) {
  const engine::Catalog& catalog = context.graph.catalog();
  const auto key = catalog.find_property(name);
  CAIRN_ASSIGN(const bool of_nodes, knows_property(context, codec::EntityKind::node, name));
  CAIRN_ASSIGN(const bool of_relationships,
               knows_property(context, codec::EntityKind::relationship, name));
  if (!key || (!of_nodes && !of_relationships))
    return Error{
        ErrorCode::not_found,
        "db.warm(): no record has a property \"" + name + "\"; db.propertyKeys() lists them",
        std::nullopt};
  for (const auto kind : {codec::EntityKind::node, codec::EntityKind::relationship})
    if (catalog.find_path(kind, engine::join_path({name})))
      static_cast<void>(context.graph.view().column(kind, *key, whatever_it_costs(context)));
  return context.budget.check();
}

}  // namespace

Result<Rows> list_segments(ExecutionContext& context, Arguments) {
  CAIRN_ASSIGN(const engine::SegmentSet* segments, segments_of(context, "db.segments"));
  return rows_of(context, *segments);
}

// Requests each segment with a cost so high that the engine builds it at once.
Result<Rows> warm_segments(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const engine::SegmentSet* segments, segments_of(context, "db.warm"));
  for (const bool outgoing : {true, false})
    static_cast<void>(context.graph.view().adjacency(outgoing, whatever_it_costs(context)));
  List names;
  if (!arguments.empty()) {
    const List* given = arguments[0].list();
    names = given != nullptr ? *given : List{arguments[0]};
  }
  for (const Value& name : names) {
    CAIRN_ASSIGN(const std::string text, text_of("a property for db.warm()", name));
    CAIRN_TRY(warm_property(context, text));
  }
  return rows_of(context, *segments);
}

}  // namespace cairn::query
