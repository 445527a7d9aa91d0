// Procedures that list labels, types and properties in use, and indexes with their contents.

#include "codec/bitmap.hpp"
#include "codec/catalog_entry.hpp"
#include "codec/entity_kind.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/view/lookup_result.hpp"
#include "engine/view/view.hpp"
#include "query/execute/call/builtin_procedures.hpp"
#include "query/execute/call/procedure_arguments.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/pipeline/known_indexes.hpp"
#include "query/functions/value_forms.hpp"
#include "query/plan/indexes_of_calls.hpp"
#include "query/syntax/index_statement.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

using Rows = Procedure::Rows;
using Arguments = std::span<const Value>;

/// Sorts names by bytes. Ids are in the order of creation, which is meaningless to a caller.
Rows one_column(const std::vector<std::pair<engine::Catalog::Id, std::string>>& names) {
  Rows rows;
  for (const auto& [id, name] : names) rows.push_back({Value(name)});
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return a.front().as_string() < b.front().as_string();
  });
  return rows;
}

// Returns the names that a visible record uses. The catalog also retains names that are no longer
// used. Each name costs the intersection of two sets, and no record is read.
Result<Rows> used_names(ExecutionContext& context, codec::CatalogKind names,
                        codec::EntityKind kind) {
  auto all = context.graph.catalog().names(names);
  Status status;
  std::erase_if(all, [&](const auto& entry) {
    const auto ids = context.graph.labelled(kind, entry.second);
    const auto is_used = ids ? any_visible(context, kind, **ids) : Result<bool>(ids.error());
    if (!is_used) status = is_used.error();
    return is_used && !*is_used;
  });
  CAIRN_TRY(std::move(status));
  return one_column(all);
}

}  // namespace

Result<Rows> list_labels(ExecutionContext& context, Arguments) {
  return used_names(context, codec::CatalogKind::label, codec::EntityKind::node);
}

Result<Rows> list_relationship_types(ExecutionContext& context, Arguments) {
  return used_names(context, codec::CatalogKind::relationship_type,
                    codec::EntityKind::relationship);
}

namespace {

Result<bool> is_used_property(ExecutionContext& context, codec::EntityKind kind,
                              const std::string& name) {
  return is_used_path(context, kind, engine::join_path({name}));
}

}  // namespace

/// Lists properties of nodes and relationships. Names remain in the catalog until a scrub, so the
/// index decides whether a property is used.
Result<Rows> list_property_keys(ExecutionContext& context, Arguments) {
  std::vector<std::pair<engine::Catalog::Id, std::string>> used;
  for (auto& entry : context.graph.catalog().names(codec::CatalogKind::property)) {
    CAIRN_ASSIGN(bool is_used, is_used_property(context, codec::EntityKind::node, entry.second));
    if (!is_used) {
      CAIRN_ASSIGN(is_used,
                   is_used_property(context, codec::EntityKind::relationship, entry.second));
    }
    if (is_used) used.push_back(std::move(entry));
  }
  return one_column(used);
}

namespace {

// Returns bytes per entry, rounded. Returns null if the index is empty or takes no memory of its
// own.
Value share(std::uint64_t bytes, std::uint64_t entries) {
  if (bytes == 0 || entries == 0) return {};
  return static_cast<std::int64_t>((bytes + entries / 2) / entries);
}

// Returns the progress of an index that is being built. Returns 100 for other indexes that are online, and 0 for the
// rest.
Value population(const IndexDescription& index) {
  const auto found = index.options.find("populationPercent");
  return found != index.options.end() ? found->second : index.state == "ONLINE" ? 100.0 : 0.0;
}

// Returns null for 0.
Value bytes_or_null(std::uint64_t bytes) {
  return bytes > 0 ? Value(static_cast<std::int64_t>(bytes)) : Value();
}

// Returns the memory by part, each with its bytes and bytes per entry.
Value memory_by_part(const IndexDescription& index) {
  if (index.memory.empty()) return {};
  Map parts;
  for (const auto& [part, bytes] : index.memory) {
    const auto count = static_cast<std::uint64_t>(*bytes.get_if<std::int64_t>());
    parts.emplace(part, Map{{"bytes", bytes}, {"bytesPerEntry", share(count, index.entries)}});
  }
  return parts;
}

// Returns null for indexes without vectors, because they are never memory-mapped.
Value mapped(const IndexDescription& index) {
  return index.memory.empty() ? Value() : Value(static_cast<std::int64_t>(index.mapped_bytes));
}

/// The provider name that Neo4j uses for this kind of index.
Value provider_of(const IndexDescription& index) {
  return Value(index.kind == "VECTOR"     ? "vector-2.0"
               : index.kind == "FULLTEXT" ? "fulltext-1.0"
                                          : "range-1.0");
}

/// Returns options in the form that CREATE accepts: settings in a map, and the provider. Progress has a column of its own, and `automatic` is not a
/// setting.
Map shown_options(const IndexDescription& index) {
  Map settings = index.options;
  settings.erase("populationPercent");
  const bool is_automatic = settings.erase("automatic") > 0;
  Map options = {{"indexConfig", std::move(settings)}, {"indexProvider", provider_of(index)}};
  if (is_automatic) options.emplace("automatic", true);
  return options;
}

/// The description without a model that the caller may not know.
Result<IndexDescription> known_part(ExecutionContext& context, IndexDescription index) {
  const engine::Catalog& catalog = context.graph.catalog();
  const auto id = catalog.find_index(index.name);
  if (!id) return index;  // an automatic index, or one that is being made
  CAIRN_ASSIGN(const bool may_know, may_know_model(context, catalog.indexes().at(*id)));
  if (!may_know) index.options.erase("vector.model");
  return index;
}

/// Returns the number of records of a vector index that wait for their vector: the memory calls mark such a record by a
/// second property. Returns null for other indexes.
Result<Value> pending_vectors(ExecutionContext& context, const IndexDescription& index) {
  constexpr std::string_view mark = "_pending";
  if (index.kind != "VECTOR" || index.entity != "NODE") return Value();
  engine::IndexPredicate present;
  present.kind = codec::EntityKind::node;
  const auto path = context.graph.catalog().find_path(
      present.kind, engine::join_path({index.properties.front() + std::string(mark)}));
  if (!path) return Value(std::int64_t{0});
  present.path = *path;
  CAIRN_ASSIGN(const engine::LookupResult found, context.graph.view().lookup(present));
  std::vector<codec::Bitmap> waiting;
  for (const std::string& label : index.labels_or_types) {
    CAIRN_ASSIGN(const auto ids, context.graph.labelled(present.kind, label));
    waiting.push_back(codec::intersect(*ids, found.ids));
  }
  return Value(static_cast<std::int64_t>(codec::unite_all(waiting).cardinality()));
}

bool is_automatic(const IndexDescription& index) { return index.options.contains("automatic"); }

/// Returns a number for an index. The index of a property has the number of its path beyond all numbers of others.
/// Returns null for an index that is being made.
Value id_of(const engine::Catalog& catalog, const IndexDescription& index) {
  constexpr std::int64_t first_of_paths = std::int64_t{1} << 32;
  if (!is_automatic(index)) {
    const auto id = catalog.find_index(index.name);
    return id ? Value(static_cast<std::int64_t>(*id)) : Value();
  }
  const auto kind =
      index.entity == "NODE" ? codec::EntityKind::node : codec::EntityKind::relationship;
  const auto path = catalog.find_path(kind, index.properties.front());
  return path ? Value(first_of_paths + static_cast<std::int64_t>(*path)) : Value();
}

/// Returns why an index has failed; empty if it has not.
std::string failure_of(const engine::Catalog& catalog, const IndexDescription& index) {
  const auto id = is_automatic(index) ? std::nullopt : catalog.find_index(index.name);
  return id ? catalog.indexes().at(*id).message : std::string();
}

/// Memory is null if the index has no memory of its own, because 0 would be misleading. Counts include all namespaces, so
/// they are null for callers who may not see all namespaces. So are ids, which would reveal how many names others use,
/// and the reason of a failure, which may name their records. Reads are not counted, and a constraint owns no index.
Result<std::vector<Value>> index_row(ExecutionContext& context, const IndexDescription& index) {
  const bool may_know_all = !context.options.listed_name_spaces;
  const engine::Catalog& catalog = context.graph.catalog();
  CAIRN_ASSIGN(const IndexDescription known, known_part(context, index));
  std::vector<Value> row = {may_know_all ? id_of(catalog, index) : Value(),
                            Value(index.name),
                            Value(index.state),
                            population(index),
                            Value(index.kind),
                            Value(index.entity),
                            list_of_texts(index.labels_or_types),
                            list_of_texts(index.properties),
                            provider_of(index),
                            Value(),
                            Value(),
                            Value(),
                            Value(),
                            Value(shown_options(known)),
                            may_know_all ? Value(failure_of(catalog, index)) : Value(),
                            is_automatic(index) ? Value() : Value(to_statement(known))};
  CAIRN_ASSIGN(const Value waiting, pending_vectors(context, index));
  const std::vector<Value> counts = {Value(static_cast<std::int64_t>(index.entries)),
                                     bytes_or_null(index.memory_bytes),
                                     share(index.memory_bytes, index.entries),
                                     memory_by_part(index),
                                     mapped(index),
                                     waiting};
  for (const Value& count : counts) row.push_back(may_know_all ? count : Value());
  return row;
}

/// An automatic index is named after a property. A caller who may not see all namespaces sees it
/// only if a visible record has the property: otherwise it is there because another namespace has
/// such records.
Result<bool> may_list(ExecutionContext& context, const IndexDescription& index) {
  if (!context.options.listed_name_spaces) return true;
  if (!index.options.contains("automatic")) {
    if (!is_made_by_calls(index.name)) return true;  // also one that is being made
    CAIRN_ASSIGN(const auto known, find_known_index(context, index.name));
    return known.has_value();
  }
  const auto kind =
      index.entity == "NODE" ? codec::EntityKind::node : codec::EntityKind::relationship;
  return is_used_path(context, kind, index.properties.front());
}

/// Indexes that records brought about are listed in the order in which any namespace first had such
/// records. For restricted callers they are sorted by name, which reveals nothing.
std::pair<int, std::string> place_for_restricted(const IndexDescription& index) {
  if (index.options.contains("automatic")) return {2, index.name};
  return is_made_by_calls(index.name) ? std::pair(1, index.name) : std::pair(0, std::string());
}

}  // namespace

// db.indexes, which SHOW INDEXES calls.
Result<Rows> list_indexes(ExecutionContext& context, Arguments arguments) {
  std::string kind;
  if (!arguments.empty()) {
    CAIRN_ASSIGN(kind, text_of("the type of an index", arguments[0]));
  }
  CAIRN_ASSIGN(auto descriptions, context.graph.view().describe_indexes());
  if (context.options.listed_name_spaces)
    std::ranges::stable_sort(descriptions, {}, place_for_restricted);
  Rows rows;
  for (const IndexDescription& index : descriptions) {
    if (!kind.empty() && kind != index.kind) continue;
    CAIRN_ASSIGN(const bool is_known, may_list(context, index));
    if (!is_known) continue;
    CAIRN_ASSIGN(auto row, index_row(context, index));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace cairn::query
