// Procedures that search by vectors and by text, and counts of facets.

#include "engine/write/index_request.hpp"
#include "engine/write/writer.hpp"
#include "query/execute/call/builtin_procedures.hpp"
#include "query/execute/call/charged_rows.hpp"
#include "query/execute/call/operators.hpp"
#include "query/execute/call/procedure_arguments.hpp"
#include "query/execute/filter/filter_ids.hpp"
#include "query/execute/holding.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/write/graph_editor.hpp"
#include "query/facets/facet_counter.hpp"
#include "query/filter/filter_operators.hpp"
#include "query/functions/call.hpp"
#include "query/functions/numbers.hpp"
#include "query/functions/vector_components.hpp"
#include "query/plan/name_warnings.hpp"
#include "query/search/index_search.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

using Rows = Procedure::Rows;
using Arguments = std::span<const Value>;

/// The hits of one search among all visible records, without the first `skip`.
Result<Rows> search_rows(ExecutionContext& context, const Retriever& retriever,
                         codec::EntityKind kind, std::size_t k, std::size_t skip = 0) {
  CAIRN_ASSIGN(const codec::Bitmap* const visible, context.graph.restriction(kind));
  CAIRN_ASSIGN(const RetrieverHits found, search_index(context, retriever, k, visible));
  Holding held(context.budget);
  CAIRN_TRY(held.add_bytes(found.items.capacity() * sizeof(RankedId)));
  ChargedRows rows(context.budget);
  for (std::size_t i = skip; i < found.items.size(); ++i)
    CAIRN_TRY(rows.add({entity_value(kind, found.items[i].id), Value(found.items[i].score)}));
  return rows.take();
}

Result<Rows> query_vectors(ExecutionContext& context, Arguments arguments, codec::EntityKind kind) {
  Retriever retriever;
  CAIRN_ASSIGN(retriever.question.index,
               find_procedure_index(context, arguments[0], {retriever.kind, kind}));
  CAIRN_ASSIGN(const std::size_t k, count_of("the number of neighbours", arguments[1]));
  CAIRN_ASSIGN(retriever.question.vector, vector_components(arguments[2], {}));
  return search_rows(context, retriever, kind, k);
}

// Neo4j's procedure knows only these two functions.
Result<codec::Metric> metric_of(const Value& value) {
  CAIRN_ASSIGN(const std::string name, text_of("the similarity function", value));
  if (name == "cosine" || name == "COSINE") return codec::Metric::cosine;
  if (name == "euclidean" || name == "EUCLIDEAN") return codec::Metric::euclidean;
  return Error{ErrorCode::invalid_argument,
               "the similarity function must be 'cosine' or 'euclidean', got '" + name + "'",
               std::nullopt};
}

// Creates the index like CREATE VECTOR INDEX, with the options that Neo4j's procedure has.
Result<Rows> create_vector_index(ExecutionContext& context, Arguments arguments,
                                 codec::EntityKind kind) {
  engine::IndexRequest request;
  request.index_kind = codec::IndexKind::vector;
  request.kind = kind;
  CAIRN_ASSIGN(request.name, text_of("the name of an index", arguments[0]));
  CAIRN_ASSIGN(request.labels_or_types, texts_of("labels or types", arguments[1]));
  CAIRN_ASSIGN(request.properties, texts_of("properties", arguments[2]));
  CAIRN_ASSIGN(const std::size_t dimension, count_of("the dimension", arguments[3]));
  request.dimension = static_cast<std::uint32_t>(std::min<std::size_t>(dimension, UINT32_MAX));
  CAIRN_ASSIGN(request.metric, metric_of(arguments[4]));
  CAIRN_TRY(context.writer->create_index(request, [&] { return pulse_of_index(context); }));
  ++context.changes.indexes_added;
  context.graph.forget();
  return Rows{};
}

}  // namespace

Result<Rows> query_nodes_by_vector(ExecutionContext& context, Arguments arguments) {
  return query_vectors(context, arguments, codec::EntityKind::node);
}

Result<Rows> query_relationships_by_vector(ExecutionContext& context, Arguments arguments) {
  return query_vectors(context, arguments, codec::EntityKind::relationship);
}

Result<Rows> create_node_vector_index(ExecutionContext& context, Arguments arguments) {
  return create_vector_index(context, arguments, codec::EntityKind::node);
}

Result<Rows> create_relationship_vector_index(ExecutionContext& context, Arguments arguments) {
  return create_vector_index(context, arguments, codec::EntityKind::relationship);
}

// Converts a list to a vector first, because the graph stores vectors under a type of their own.
Result<Rows> set_vector(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const std::string name, text_of("the name of a property", arguments[1]));
  CAIRN_ASSIGN(std::vector<float> components, vector_components(arguments[2], {}));
  GraphEditor editor(context);
  CAIRN_TRY(editor.set_property(arguments[0], name, Vector(std::move(components))));
  return Rows{};
}

Result<Rows> set_vector_of_node(ExecutionContext& context, Arguments arguments) {
  CAIRN_TRY(set_vector(context, arguments));
  return Rows{{arguments[0]}};
}

// The next functions implement db.index.fulltext.queryNodes and queryRelationships as in Neo4j: all
// hits unless there is a limit, and no filter. For a filter, use SEARCH.

namespace {

/// Which hits to return. By default all, as in Neo4j. Hits come best first, so the search needs to
/// find only the first end() hits.
struct HitRange {
  std::size_t skip = 0;
  std::size_t limit = std::numeric_limits<std::size_t>::max();

  /// Saturates at the largest number.
  [[nodiscard]] std::size_t end() const {
    const std::size_t most = std::numeric_limits<std::size_t>::max();
    return limit > most - skip ? most : skip + limit;
  }
};

/// The argument is optional, but null is an error.
Result<HitRange> hit_range(Arguments arguments) {
  HitRange range;
  if (arguments.size() < 3) return range;
  const Map* options = arguments[2].map();
  if (options == nullptr) return wrong_argument("the options must be a map", arguments[2]);
  for (const auto& [name, value] : *options) {
    const auto number = whole_number(value);
    if (name != "limit" && name != "skip")
      return Error{ErrorCode::invalid_argument,
                   "there is no option `" + name + "`; the options are `skip` and `limit`",
                   std::nullopt};
    if (!number || *number < 0)
      return wrong_argument("`skip` and `limit` must be integers of 0 or more", value);
    (name == "limit" ? range.limit : range.skip) = static_cast<std::size_t>(*number);
  }
  return range;
}

Result<Rows> query_texts(ExecutionContext& context, Arguments arguments, codec::EntityKind kind) {
  CAIRN_ASSIGN(const HitRange range, hit_range(arguments));
  if (arguments[1].string() == nullptr)
    return wrong_argument("a full-text search needs a string", arguments[1]);
  Retriever retriever{.kind = RetrieverKind::text};
  CAIRN_ASSIGN(retriever.question.index,
               find_procedure_index(context, arguments[0], {retriever.kind, kind}));
  retriever.question.text = arguments[1].as_string();
  return search_rows(context, retriever, kind, range.end(), range.skip);
}

}  // namespace

Result<Procedure::Rows> query_nodes_by_text(ExecutionContext& context,
                                            std::span<const Value> arguments) {
  return query_texts(context, arguments, codec::EntityKind::node);
}

Result<Procedure::Rows> query_relationships_by_text(ExecutionContext& context,
                                                    std::span<const Value> arguments) {
  return query_texts(context, arguments, codec::EntityKind::relationship);
}

// db.facets: counts the values of fields over the records that pass a filter.

namespace {

// Reads a facet: the name of a field, or a map {field, by_age, limit}. Unknown options are errors,
// so that a misspelt option is not ignored.
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

}  // namespace

// Evaluates the filter once for all fields. Each field is then counted by intersections of bitmaps.
Result<Rows> count_facets(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const Filter filter, filter_from(arguments[0]));
  CAIRN_ASSIGN(const codec::Bitmap ids, filter_ids(context, filter));
  const bool tells_names = may_tell_names(context.options);
  if (tells_names)
    for (std::string& warning : unknown_names(filter, context.graph.catalog()))
      warn_once(context, std::move(warning));
  List single{arguments[1]};
  const List* fields = arguments[1].list() != nullptr ? arguments[1].list() : &single;
  ChargedRows rows(context.budget);
  for (const Value& field : *fields) {
    CAIRN_ASSIGN(const FacetRequest request, facet_request(field));
    CAIRN_ASSIGN(Facet facet, count_facet(context, ids, request));
    CAIRN_ASSIGN(const auto keys, parse_field_path(request.field));
    if (auto warning = unknown_field(keys, context.graph.catalog()); warning && tells_names)
      warn_once(context, *std::move(warning));
    const auto number = [](std::uint64_t count) { return Value(static_cast<std::int64_t>(count)); };
    // If a field has no values, one row reports how many records lack it.
    if (facet.values.empty() && facet.nulls + facet.missing > 0) facet.values.emplace_back();
    for (FacetValue& one : facet.values)
      CAIRN_TRY(rows.add({facet.field, std::move(one.value), number(one.count),
                          number(facet.distinct), number(facet.nulls), number(facet.missing)}));
  }
  return rows.take();
}

}  // namespace cairn::query
