#include "query/execute/call/schema_command.hpp"

#include "query/execute/call/procedures.hpp"
#include "query/plan/expression_traits.hpp"

#include <limits>
#include <optional>
#include <utility>

namespace cairn::query {
namespace {

Error bad_option(const std::string& name, const std::string& wanted, const Value& value) {
  return {ErrorCode::invalid_argument,
          "`" + name + "` must be " + wanted + ", got " + value.to_text(), std::nullopt};
}

// Option names are Neo4j's, which have dots in them.
const Value& option(const Map& config, const std::string& name) {
  static const Value none;
  const auto found = config.find(name);
  return found == config.end() ? none : found->second;
}

Status read_number(const Map& config, const std::string& name, std::uint32_t& number) {
  const Value& value = option(config, name);
  if (value.is_null()) return {};
  const auto* integer = value.get_if<std::int64_t>();
  if (integer == nullptr || *integer < 1 || *integer > std::numeric_limits<std::int32_t>::max())
    return bad_option(name, "a positive integer", value);
  number = static_cast<std::uint32_t>(*integer);
  return {};
}

Result<codec::Metric> metric_of(const Map& config) {
  const Value& value = option(config, "vector.similarity_function");
  if (value.is_null()) return codec::Metric::cosine;
  std::string name = value.string() != nullptr ? value.as_string() : "";
  for (char& c : name) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  if (name == "cosine") return codec::Metric::cosine;
  if (name == "euclidean") return codec::Metric::euclidean;
  if (name == "dot_product" || name == "dot") return codec::Metric::dot_product;
  return bad_option("vector.similarity_function", "'cosine', 'euclidean' or 'dot_product'", value);
}

Result<Map> index_config(const SchemaCommand& command, ExecutionContext& context) {
  if (!command.options) return Map();
  std::vector<Value> none(needed_width(*command.options));
  CAIRN_ASSIGN(const Value options, context.evaluator.evaluate(*command.options, none));
  if (options.map() == nullptr)
    return Error{ErrorCode::type_error, "OPTIONS needs a map, got " + options.to_text(),
                 command.options->where};
  const Value& config = option(*options.map(), "indexConfig");
  if (config.is_null()) return Map();
  if (config.map() == nullptr) return bad_option("indexConfig", "a map", config);
  return *config.map();
}

Status read_vector_options(const Map& config, engine::IndexRequest& request) {
  CAIRN_TRY(read_number(config, "vector.dimensions", request.dimension));
  CAIRN_TRY(read_number(config, "vector.hnsw.m", request.m));
  CAIRN_TRY(read_number(config, "vector.hnsw.ef_construction", request.ef_construction));
  CAIRN_ASSIGN(request.metric, metric_of(config));
  if (request.dimension > 0) return {};
  return Error{ErrorCode::invalid_argument,
               "a vector index needs its dimension: OPTIONS {indexConfig: "
               "{`vector.dimensions`: 256}}",
               std::nullopt};
}

// IF NOT EXISTS makes a failure of that kind a success that changes nothing.
Status create(const SchemaCommand& command, ExecutionContext& context) {
  engine::IndexRequest request;
  request.name = command.name;
  request.kind =
      command.on_relationship ? codec::EntityKind::relationship : codec::EntityKind::node;
  request.labels_or_types = command.labels_or_types;
  request.properties = command.properties;
  if (command.kind == SchemaCommand::Kind::create_vector_index) {
    request.index_kind = codec::IndexKind::vector;
    CAIRN_ASSIGN(const Map config, index_config(command, context));
    CAIRN_TRY(read_vector_options(config, request));
  }
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

Result<SchemaResult> show(ExecutionContext& context) {
  CAIRN_ASSIGN(const Procedure* indexes, find_procedure("db.indexes"));
  SchemaResult result;
  result.columns.assign(indexes->columns.begin(), indexes->columns.end());
  CAIRN_ASSIGN(result.rows, indexes->run(context, {}));
  return result;
}

}  // namespace

bool is_writing(const SchemaCommand& command) {
  return command.kind != SchemaCommand::Kind::show_indexes;
}

Result<SchemaResult> run(const SchemaCommand& command, ExecutionContext& context) {
  switch (command.kind) {
    case SchemaCommand::Kind::show_indexes:
      return show(context);
    case SchemaCommand::Kind::drop_index:
      CAIRN_TRY(drop(command, context));
      break;
    default:
      CAIRN_TRY(create(command, context));
      break;
  }
  return SchemaResult{};
}

}  // namespace cairn::query
