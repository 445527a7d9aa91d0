// Which vectors an index takes, by the name of what makes them.
#include "engine/graph/embedding_model.hpp"

#include "engine/catalog/catalog.hpp"

#include <string>

namespace cairn::engine {
namespace {

constexpr std::size_t max_model_bytes = 1'024;

Error invalid(std::string message) {
  return Error{ErrorCode::invalid_argument, std::move(message), {}};
}

std::string in_quotes(std::string_view name) { return "\"" + std::string(name) + "\""; }

}  // namespace

Status check_model_name(std::string_view model) {
  if (model.size() <= max_model_bytes) return {};
  return invalid("the name of a model has " + std::to_string(model.size()) +
                 " bytes, and at most " + std::to_string(max_model_bytes) +
                 " are kept; shorten it");
}

Status check_model(const codec::IndexEntry& index, std::string_view model) {
  if (index.model.empty() || index.model == model) return {};
  return invalid("index " + in_quotes(index.name) + " has vectors of the model " +
                 in_quotes(index.model) + " and these are of " + in_quotes(model) +
                 ", which must not be compared; use the model it was made with, or remove its "
                 "vectors, drop the index, and write the texts again with the other model");
}

Status check_model(const codec::IndexEntry& index, const EmbeddingModel& model) {
  if (index.dimension == model.dimension) return check_model(index, model.name);
  return invalid("index " + in_quotes(index.name) + " has vectors of dimension " +
                 std::to_string(index.dimension) + " and the embedder " + std::string(model.name) +
                 " makes those of dimension " + std::to_string(model.dimension) +
                 "; use the embedder it was made with");
}

Result<std::uint32_t> find_vector_index(const Catalog& catalog, std::string_view name) {
  const auto id = catalog.find_index(name);
  if (!id) return Error{ErrorCode::not_found, "there is no index " + in_quotes(name), {}};
  if (catalog.indexes().at(*id).kind == codec::IndexKind::vector) return *id;
  return invalid("index " + in_quotes(name) + " is no vector index");
}

}  // namespace cairn::engine
