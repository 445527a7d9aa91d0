#include "query/execute/call/builtin_procedures.hpp"

#include "engine/view/view.hpp"
#include "engine/write/index_request.hpp"
#include "engine/write/writer.hpp"
#include "query/execute/call/procedure_arguments.hpp"
#include "query/execute/call/procedure_index.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/write/graph_editor.hpp"
#include "query/functions/vector_components.hpp"

#include <string>
#include <utility>

namespace cairn::query {
namespace {

using Rows = Procedure::Rows;
using Arguments = std::span<const Value>;

// Restricted to what the statement may see before the search, so that k hits are k visible ones.
Result<Rows> query_vectors(ExecutionContext& context, Arguments arguments, codec::EntityKind kind) {
  CAIRN_ASSIGN(
      const std::uint32_t index,
      find_procedure_index(context.graph.catalog(), arguments[0], {RetrieverKind::vector, kind}));
  engine::VectorQuery query;
  CAIRN_ASSIGN(query.k, count_of("the number of neighbours", arguments[1]));
  CAIRN_ASSIGN(const std::vector<float> components, vector_components(arguments[2], {}));
  query.query = components;
  CAIRN_ASSIGN(query.allowed, context.graph.restriction(kind));
  CAIRN_ASSIGN(const engine::Neighbors found, context.graph.view().nearest(index, query));
  Rows rows;
  for (const engine::Neighbor& hit : found.hits)
    rows.push_back({entity_value(kind, hit.id), Value(hit.score)});
  return rows;
}

Result<codec::Metric> metric_of(const Value& value) {
  CAIRN_ASSIGN(const std::string name, text_of("the similarity function", value));
  if (name == "cosine" || name == "COSINE") return codec::Metric::cosine;
  if (name == "euclidean" || name == "EUCLIDEAN") return codec::Metric::euclidean;
  return Error{ErrorCode::invalid_argument,
               "the similarity function is 'cosine' or 'euclidean', got '" + name + "'",
               std::nullopt};
}

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
  CAIRN_TRY(context.writer->create_index(request));
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

// The graph keeps vectors under their own type, so that a list is one before it is stored.
Result<Rows> set_vector(ExecutionContext& context, Arguments arguments) {
  CAIRN_ASSIGN(const std::string name, text_of("the name of a property", arguments[1]));
  CAIRN_ASSIGN(std::vector<float> components, vector_components(arguments[2], {}));
  GraphEditor editor(context);
  CAIRN_TRY(editor.set_property(arguments[0], name, Vector(std::move(components))));
  editor.publish();
  return Rows{};
}

Result<Rows> set_vector_of_node(ExecutionContext& context, Arguments arguments) {
  CAIRN_TRY(set_vector(context, arguments));
  return Rows{{arguments[0]}};
}

}  // namespace cairn::query
