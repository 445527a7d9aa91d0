// The table of procedures and the ones that need no file of their own. A new one is a function and
// one line in `procedures`. They see what the statement sees: its namespace, its clock, its own
// changes.
#include "query/execute/call/procedures.hpp"

#include "engine/view/lookup_result.hpp"
#include "engine/write/writer.hpp"
#include "query/builtins/registry.hpp"
#include "query/execute/call/builtin_procedures.hpp"
#include "query/execute/call/graph_procedures.hpp"
#include "query/execute/call/name_spaces.hpp"
#include "query/execute/call/procedure_arguments.hpp"
#include "query/execute/filter/filter_ids.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/facets/facet_counter.hpp"
#include "query/filter/filter_operators.hpp"
#include "query/functions/call.hpp"
#include "query/functions/value_forms.hpp"
#include "query/plan/name_warnings.hpp"
#include "query/registered/registered_calls.hpp"
#include "query/syntax/nearest_name.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

namespace cairn::query {
namespace {

using Rows = Procedure::Rows;
using Arguments = std::span<const Value>;

/// By name in the order of bytes, as ids show the order of creation, which means nothing to a
/// caller.
Rows one_column(const std::vector<std::pair<engine::Catalog::Id, std::string>>& names) {
  Rows rows;
  for (const auto& [id, name] : names) rows.push_back({Value(name)});
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return a.front().as_string() < b.front().as_string();
  });
  return rows;
}

// Whether some of the ids may be seen.
Result<bool> any_visible(ExecutionContext& context, codec::EntityKind kind,
                         const codec::Bitmap& ids) {
  CAIRN_ASSIGN(const codec::Bitmap* visible, context.graph.restriction(kind));
  return visible == nullptr ? !ids.empty() : codec::intersection_cardinality(ids, *visible) > 0;
}

// Names that some visible record carries; the catalog also keeps those that were in use once.
// Two sets and an intersection's size for each name; no record is read.
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

Result<Rows> labels(ExecutionContext& context, Arguments) {
  return used_names(context, codec::CatalogKind::label, codec::EntityKind::node);
}

Result<Rows> relationship_types(ExecutionContext& context, Arguments) {
  return used_names(context, codec::CatalogKind::relationship_type,
                    codec::EntityKind::relationship);
}

// Of a property that no index knows nobody can tell without reading every record: it is shown to who may know all.
Result<bool> is_used_path(ExecutionContext& context, codec::EntityKind kind,
                          const std::string& joined) {
  const engine::Catalog& catalog = context.graph.catalog();
  const auto path = catalog.find_path(kind, joined);
  if (!path) return !catalog.has_all_paths() && !context.options.listed_name_spaces;
  engine::IndexPredicate present;
  present.kind = kind;
  present.path = *path;
  CAIRN_ASSIGN(const engine::LookupResult found, context.graph.view().lookup(present));
  return any_visible(context, kind, found.ids);
}

Result<bool> is_used_property(ExecutionContext& context, codec::EntityKind kind,
                              const std::string& name) {
  return is_used_path(context, kind, engine::join_path({name}));
}

/// Of nodes or relationships. Names stay in the catalog until a scrub, so each is asked for by its
/// index.
Result<Rows> property_keys(ExecutionContext& context, Arguments) {
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

// Null where nothing is in it, as where it takes no memory of its own.
// Rounded to the nearest byte.
Value share(std::uint64_t bytes, std::uint64_t entries) {
  if (bytes == 0 || entries == 0) return {};
  return static_cast<std::int64_t>((bytes + entries / 2) / entries);
}

// What is being made says how far it is; else there is all of it or nothing.
Value population(const IndexDescription& index) {
  const auto found = index.options.find("populationPercent");
  return found != index.options.end() ? found->second : index.state == "ONLINE" ? 100.0 : 0.0;
}

// A count of bytes, null if absent.
Value bytes_or_null(std::uint64_t bytes) {
  return bytes > 0 ? Value(static_cast<std::int64_t>(bytes)) : Value();
}

// The memory by part, each with its bytes and the bytes per vector.
Value memory_by_part(const IndexDescription& index) {
  if (index.memory.empty()) return {};
  Map parts;
  for (const auto& [part, bytes] : index.memory) {
    const auto count = static_cast<std::uint64_t>(*bytes.get_if<std::int64_t>());
    parts.emplace(part, Map{{"bytes", bytes}, {"bytesPerEntry", share(count, index.entries)}});
  }
  return parts;
}

// Of an index without vectors null: it has nothing that could be mapped.
Value mapped(const IndexDescription& index) {
  return index.memory.empty() ? Value() : Value(static_cast<std::int64_t>(index.mapped_bytes));
}

/// Memory is null where an index takes none of its own, which 0 would not say. Counts are of all namespaces, and null for
/// a caller that may not use all.
std::vector<Value> index_row(const IndexDescription& index, bool may_know_all) {
  std::vector<Value> row = {Value(index.name),
                            Value(index.state),
                            population(index),
                            Value(index.kind),
                            Value(index.entity),
                            list_of_texts(index.labels_or_types),
                            list_of_texts(index.properties),
                            Value(index.options)};
  const std::vector<Value> counts = {
      Value(static_cast<std::int64_t>(index.entries)), bytes_or_null(index.memory_bytes),
      share(index.memory_bytes, index.entries), memory_by_part(index), mapped(index)};
  for (const Value& count : counts) row.push_back(may_know_all ? count : Value());
  return row;
}

// An automatic index has the name of a property. A token that may not use all namespaces sees those that its records have.
Result<bool> may_know(ExecutionContext& context, const IndexDescription& index) {
  if (!context.options.listed_name_spaces || !index.options.contains("automatic")) return true;
  const auto kind =
      index.entity == "NODE" ? codec::EntityKind::node : codec::EntityKind::relationship;
  return is_used_path(context, kind, index.properties.front());
}

Result<Rows> indexes(ExecutionContext& context, Arguments arguments) {
  std::string kind;
  if (!arguments.empty()) {
    CAIRN_ASSIGN(kind, text_of("the type of an index", arguments[0]));
  }
  CAIRN_ASSIGN(auto descriptions, context.graph.view().describe_indexes());
  // Automatic ones come in the order in which their properties were met first, in whichever namespace.
  if (context.options.listed_name_spaces)
    std::ranges::stable_sort(descriptions, {}, [](const IndexDescription& index) {
      const bool is_automatic = index.options.contains("automatic");
      return std::pair(is_automatic, is_automatic ? index.name : std::string());
    });
  Rows rows;
  for (const IndexDescription& index : descriptions) {
    if (!kind.empty() && kind != index.kind) continue;
    CAIRN_ASSIGN(const bool is_known, may_know(context, index));
    if (is_known) rows.push_back(index_row(index, !context.options.listed_name_spaces));
  }
  return rows;
}

// Of all namespaces, as the background does: what has expired is nobody's any more. Who may not use all is told of its own.
Result<Rows> expire(ExecutionContext& context, Arguments arguments) {
  constexpr std::size_t usual_limit = 100'000;
  std::size_t limit = usual_limit;
  if (!arguments.empty()) {
    CAIRN_ASSIGN(limit, count_of("how many records db.expire() erases", arguments[0]));
  }
  CAIRN_ASSIGN(const std::size_t erased, context.options.listed_name_spaces
                                             ? erase_own_expired(context, limit)
                                             : context.writer->erase_expired(context.now, limit));
  context.graph.forget();
  return Rows{{Value(static_cast<std::int64_t>(erased))}};
}

// What is counted: a field by its values, or {field, by_age, limit}.
// Wrong types are refused by name: an option that is ignored would look as if it worked.
Result<FacetRequest> facet_request(const Value& value) {
  FacetRequest request{"", false, 0};
  const Map* map = value.map();
  const Value& field = map == nullptr || !map->contains("field") ? value : map->at("field");
  if (field.string() == nullptr)
    return Error{
        ErrorCode::type_error,
        "a facet is a field, a string, or a map {field, by_age, limit}; got " + shown(value),
        std::nullopt};
  request.field = field.as_string();
  if (map == nullptr) return request;
  if (map->contains("by_age") && map->contains("limit"))
    return Error{ErrorCode::invalid_argument,
                 "a facet by_age has five periods and takes no limit; got " + shown(value),
                 std::nullopt};
  for (const auto& [name, option] : *map) {
    const bool is_age = name == "by_age" && option.type() == ValueType::boolean;
    const bool is_limit =
        name == "limit" && option.type() == ValueType::integer && option.as_integer() >= 0;
    if (is_age) request.by_age = option.as_bool();
    if (is_limit) request.limit = static_cast<std::size_t>(option.as_integer());
    if (name != "field" && !is_age && !is_limit)
      return Error{ErrorCode::invalid_argument,
                   "a facet has field, by_age (true or false) and limit (0 or more), got " + name +
                       ": " + shown(option),
                   std::nullopt};
  }
  return request;
}

// The counts of each field over the nodes that pass, most frequent values first.
// The filter is evaluated once for all fields, and each field counted by intersections.
Result<Rows> facets(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const Filter filter, filter_from(arguments[0]));
  CAIRN_ASSIGN(const codec::Bitmap ids, filter_ids(context, filter));
  const bool tells_names = may_tell_names(context.options);
  if (tells_names)
    for (std::string& warning : unknown_names(filter, context.graph.catalog()))
      warn_once(context, std::move(warning));
  List single{arguments[1]};
  const List* fields = arguments[1].list() != nullptr ? arguments[1].list() : &single;
  Rows rows;
  for (const Value& field : *fields) {
    CAIRN_ASSIGN(const FacetRequest request, facet_request(field));
    CAIRN_ASSIGN(const Facet facet, count_facet(context, ids, request));
    CAIRN_ASSIGN(const auto keys, parse_field_path(request.field));
    if (auto warning = unknown_field(keys, context.graph.catalog()); warning && tells_names)
      warn_once(context, *std::move(warning));
    const auto number = [](std::uint64_t count) { return Value(static_cast<std::int64_t>(count)); };
    // Of a field without values a row says how many records lack it.
    std::vector<FacetValue> values = facet.values;
    if (values.empty() && facet.nulls + facet.missing > 0) values.emplace_back();
    for (const FacetValue& one : values)
      rows.push_back({facet.field, one.value, number(one.count), number(facet.distinct),
                      number(facet.nulls), number(facet.missing)});
  }
  return rows;
}

Result<Rows> list_procedures(ExecutionContext& context, Arguments arguments);

/// The name in its documented case; calls ignore case.
std::string_view written_name(const FunctionEntry& function) {
  return function.signature.substr(0, function.signature.find('('));
}

/// By name, those of the program among them. A signature shows what is called, and the columns what it yields.
Result<Rows> list_functions(ExecutionContext& context, Arguments) {
  Rows rows;
  for (const FunctionEntry* function : all_functions())
    rows.push_back({Value(written_name(*function)), Value(function->signature),
                    Value(function->make_aggregator != nullptr)});
  if (context.registered != nullptr)
    for (const auto& [key, function] : context.registered->functions())
      rows.push_back(
          {Value(function->signature.name), Value(function->signature.text), Value(false)});
  std::ranges::sort(rows, {}, [](const auto& row) { return row.front().as_string(); });
  return rows;
}

const std::vector<std::string_view> run_columns = {
    "rule", "matched", "newlyTagged", "records", "recordsMatched", "recordsChanged", "run"};

const std::vector<std::string_view> page_columns = {"records", "total", "has_next_page"};

// The role follows the name, where it cannot be forgotten. Rules are made and dropped by an admin; everyone who may write can
// run them.
const Procedure procedures[] = {
    {"db.labels", Role::read, {"label"}, {}, labels},
    {"db.relationshipTypes", Role::read, {"relationshipType"}, {}, relationship_types},
    {"db.propertyKeys", Role::read, {"propertyKey"}, {}, property_keys},
    {"db.indexes",
     Role::read,
     {"name", "state", "populationPercent", "type", "entityType", "labelsOrTypes", "properties",
      "options", "entries", "memoryBytes", "bytesPerEntry", "memory", "mappedBytes"},
     {"type?"},
     indexes},
    {"db.constraints",
     Role::read,
     {"id", "name", "type", "entityType", "labelsOrTypes", "properties", "ownedIndex",
      "propertyType", "options", "createStatement"},
     {},
     list_constraints},
    {"db.databases",
     Role::read,
     {"name", "type", "aliases", "access", "address", "role", "writer", "requestedStatus",
      "currentStatus", "statusMessage", "default", "home", "constituents"},
     {},
     list_databases},
    {"db.procedures", Role::read, {"name", "signature", "columns"}, {}, list_procedures},
    {"db.functions", Role::read, {"name", "signature", "isAggregating"}, {}, list_functions},
    {"db.expire", Role::forget, {"erased"}, {"limit?"}, expire},
    {"db.backups", Role::admin, {"path", "commit", "madeAt"}, {}, list_backups},
    {"db.backup",
     Role::admin,
     {"databaseId", "commit", "madeAt", "files", "bytes", "linkedFiles", "copiedBytes"},
     {"path"},
     back_up},
    {"db.scrub",
     Role::forget,
     {"databaseId", "caller", "begunAt", "endedAt", "commit", "names", "namesUnknown", "tables",
      "tableBytes", "vectorSegments", "backups"},
     {},
     give_receipt},
    {"db.namespaces", Role::read, {"name", "nodes", "relationships"}, {}, list_name_spaces},
    {"db.facets",
     Role::read,
     {"field", "value", "count", "distinctValues", "nulls", "missing"},
     {"filter", "fields"},
     facets},
    {"db.csv.load",
     Role::admin,
     {"row"},
     {"path", "withHeaders?", "fieldTerminator?"},
     nullptr,
     load_csv},
    {"db.grammar", Role::read, {"format", "text"}, {"format?"}, give_grammar},
    {"db.recall",
     Role::read,
     {"node", "score", "breakdown"},
     {"question", "options?"},
     recall_nodes},
    {"db.index.fulltext.queryNodes",
     Role::read,
     {"node", "score"},
     {"index", "text", "options?"},
     query_nodes_by_text},
    {"db.index.fulltext.queryRelationships",
     Role::read,
     {"relationship", "score"},
     {"index", "text", "options?"},
     query_relationships_by_text},
    {"db.rules.list", Role::read, {"name", "pattern", "tags", "fields", "kinds"}, {}, list_rules},
    {"db.rules.put", Role::admin, {}, {"name", "pattern", "tags", "options?"}, put_rule},
    {"db.rules.drop", Role::admin, {}, {"name"}, drop_rule},
    {"db.rules.preview", Role::read, {"node", "tags"}, {"filter?"}, preview_rules},
    {"db.rules.count", Role::read, run_columns, {"filter?"}, count_rules},
    {"db.rules.apply", Role::write, run_columns, {"filter?"}, apply_rules},
    {"db.rules.undo", Role::write, {"records"}, {"run"}, undo_rules},
    {"db.index.vector.queryNodes",
     Role::read,
     {"node", "score"},
     {"index", "numberOfNeighbours", "vector"},
     query_nodes_by_vector},
    {"db.index.vector.queryRelationships",
     Role::read,
     {"relationship", "score"},
     {"index", "numberOfNeighbours", "vector"},
     query_relationships_by_vector},
    {"db.index.vector.createNodeIndex",
     Role::admin,
     {},
     {"index", "label", "property", "dimension", "similarity"},
     create_node_vector_index},
    {"db.index.vector.createRelationshipIndex",
     Role::admin,
     {},
     {"index", "type", "property", "dimension", "similarity"},
     create_relationship_vector_index},
    {"db.create.setVectorProperty",
     Role::write,
     {"node"},
     {"node", "key", "vector"},
     set_vector_of_node},
    {"db.create.setNodeVectorProperty", Role::write, {}, {"node", "key", "vector"}, set_vector},
    {"db.create.setRelationshipVectorProperty",
     Role::write,
     {},
     {"relationship", "key", "vector"},
     set_vector},
    {"db.schema.nodeTypeProperties",
     Role::read,
     {"nodeType", "nodeLabels", "propertyName", "propertyTypes", "mandatory"},
     {},
     node_type_properties},
    {"db.schema.relTypeProperties",
     Role::read,
     {"relType", "propertyName", "propertyTypes", "mandatory"},
     {},
     relationship_type_properties},
    {"db.schema.visualization", Role::read, {"nodes", "relationships"}, {}, visualize_schema},
    {"db.ping", Role::read, {"success"}, {}, ping},
    {"db.awaitIndexes", Role::read, {}, {"timeOutSeconds?"}, await_indexes},
    {"db.awaitIndex", Role::read, {}, {"index", "timeOutSeconds?"}, await_indexes},
    {"dbms.components", Role::read, {"name", "versions", "edition"}, {}, list_components},
    {"apoc.meta.data",
     Role::read,
     {"label", "property", "count", "unique", "index", "existence", "type", "array", "other",
      "elementType"},
     {"options?"},
     describe_data},
    {"apoc.meta.schema", Role::read, {"value"}, {"options?"}, describe_schema},
    {"apoc.schema.properties.distinct", Role::read, {"value"}, {"label", "key"}, distinct_values},
    {"apoc.merge.node",
     Role::write,
     {"node"},
     {"labels", "identifying", "onCreate?", "onMatch?"},
     merge_node},
    {"apoc.merge.relationship",
     Role::write,
     {"rel"},
     {"start", "type", "identifying", "onCreate", "end", "onMatch?"},
     merge_relationship},
    {"apoc.create.addLabels", Role::write, {"node"}, {"nodes", "labels"}, add_labels},
    {"memory.add",
     Role::write,
     {"id", "external_id"},
     {"records", "options?"},
     call_memory<MemoryProcedure::add>},
    {"memory.remember",
     Role::write,
     {"id", "chunks", "nodes"},
     {"request"},
     call_memory<MemoryProcedure::remember>},
    {"memory.find", Role::read, {"record"}, {"request"}, call_memory<MemoryProcedure::find>},
    {"memory.recall",
     Role::read,
     {"id", "record", "score", "stage", "breakdown", "relationships"},
     {"request"},
     call_memory<MemoryProcedure::recall>},
    {"memory.search", Role::read, page_columns, {"request?"}, call_memory<MemoryProcedure::search>},
    {"memory.list", Role::read, page_columns, {"request"}, call_memory<MemoryProcedure::list>},
    {"memory.update",
     Role::write,
     {"matched", "changed", "record"},
     {"request"},
     call_memory<MemoryProcedure::update>},
    {"memory.forget",
     Role::forget,
     {"matched", "forgotten"},
     {"request"},
     call_memory<MemoryProcedure::forget>},
    {"memory.restore",
     Role::write,
     {"restored"},
     {"request"},
     call_memory<MemoryProcedure::restore>},
    {"memory.file", Role::write, {"answer"}, {"command"}, call_memory<MemoryProcedure::file>},
    {"memory.view_file",
     Role::read,
     {"answer"},
     {"command"},
     call_memory<MemoryProcedure::view_file>},
    {"memory.history",
     Role::read,
     {"at", "event", "detail"},
     {"request"},
     call_memory<MemoryProcedure::history>},
    {"memory.describe",
     Role::read,
     {"what", "name", "count"},
     {"request?"},
     call_memory<MemoryProcedure::describe>},
};

/// The table, and those of other files.
const std::vector<Procedure>& all_procedures() {
  static const std::vector<Procedure> all = [] {
    std::vector<Procedure> joined(std::begin(procedures), std::end(procedures));
    const auto graphs = graph_procedures();
    joined.insert(joined.end(), graphs.begin(), graphs.end());
    return joined;
  }();
  return all;
}

Result<Rows> list_procedures(ExecutionContext& context, Arguments) {
  Rows rows;
  for (const Procedure& procedure : all_procedures()) {
    std::string signature(procedure.name);
    signature += "(";
    for (const std::string_view parameter : procedure.parameters) {
      if (!signature.ends_with("(")) signature += ", ";
      signature += parameter;
    }
    rows.push_back({Value(procedure.name), Value(signature + ")"),
                    List(procedure.columns.begin(), procedure.columns.end())});
  }
  if (context.registered != nullptr)
    for (const auto& [key, procedure] : context.registered->procedures()) {
      List columns;
      for (const DeclaredName& column : procedure->signature.columns)
        columns.push_back(Value(column.name));
      rows.push_back({Value(procedure->signature.name), Value(procedure->signature.text),
                      Value(std::move(columns))});
    }
  std::ranges::sort(rows, {}, [](const auto& row) { return row.front().as_string(); });
  return rows;
}

/// `lower` is in lower case already: the binder has made it so.
bool same_name(std::string_view name, std::string_view lower) {
  return std::equal(name.begin(), name.end(), lower.begin(), lower.end(), [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  });
}

}  // namespace

Role role_to_call(std::string_view name) noexcept {
  for (const Procedure& procedure : all_procedures())
    if (same_name(procedure.name, name)) return procedure.role;
  return Role::admin;
}

Result<Procedure> procedure_of(const CallClause& clause) {
  if (clause.registered == nullptr) {
    CAIRN_ASSIGN(const Procedure* procedure, find_procedure(clause.procedure));
    return *procedure;
  }
  const Signature& signature = clause.registered->signature;
  Procedure procedure;
  procedure.name = signature.name;
  for (const DeclaredName& column : signature.columns) procedure.columns.push_back(column.name);
  return procedure;
}

// A table of some dozen is searched from end to end; names are known in any case.
Result<const Procedure*> find_procedure(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Procedure& procedure : all_procedures()) {
    if (same_name(procedure.name, name)) return &procedure;
    names.push_back(procedure.name);
  }
  const std::string_view nearest = nearest_name(name, names);
  std::string message = "there is no procedure " + std::string(name) + "()";
  if (!nearest.empty()) message += "; did you mean " + std::string(nearest) + "()?";
  return Error{ErrorCode::not_found, std::move(message), std::nullopt};
}

}  // namespace cairn::query
