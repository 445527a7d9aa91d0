// Public functions that declare and check the embedding model of a vector index.
#include "engine/catalog/catalog.hpp"
#include "engine/database/access.hpp"
#include "engine/database/call_values.hpp"
#include "engine/database/handles.hpp"
#include "engine/database/transaction_writer.hpp"
#include "engine/graph/embedding_model.hpp"

#include <cairn/embedding_space.hpp>

namespace cairn {
namespace {

/// Arguments of a forwarded call: the host only needs the name and the dimension of a model.
Map model_arguments(std::string_view index, const Embedder& embedder) {
  return {{"index", index},
          {"model", embedder.model()},
          {"dimension", engine::number_value(embedder.dimension())}};
}

}  // namespace

// The cast is safe: TransactionWriter is the only writer of the engine.
Result<std::string> use_model(Transaction& transaction, std::string_view index,
                              const Embedder& embedder) {
  if (auto* const way = Access::forwarding(transaction)) {
    CAIRN_ASSIGN(const Value warning, way->call("use_model", model_arguments(index, embedder)));
    return warning.string() == nullptr ? std::string() : *warning.string();
  }
  auto* const writer = transaction.is_open() ? Access::transaction_writer(transaction) : nullptr;
  if (writer == nullptr)
    return Error{ErrorCode::conflict,
                 "a model is declared by a writing transaction that is open; begin one",
                 {}};
  const std::string name = embedder.model();
  return writer->use_model(index, {name, embedder.dimension()});
}

Result<std::string> index_model(const Snapshot& snapshot, std::string_view index) {
  if (auto* const way = Access::forwarding(snapshot)) {
    CAIRN_ASSIGN(const Value model, way->call("index_model", {{"index", index}}));
    return model.string() == nullptr ? std::string() : *model.string();
  }
  const auto view = Access::view(snapshot);
  CAIRN_ASSIGN(const auto id, engine::find_vector_index(view->catalog(), index));
  return view->catalog().indexes().at(id).model;
}

Status check_model(const Snapshot& snapshot, std::string_view index, const Embedder& embedder) {
  if (auto* const way = Access::forwarding(snapshot)) {
    CAIRN_TRY(way->call("check_model", model_arguments(index, embedder)));
    return {};
  }
  const auto view = Access::view(snapshot);
  CAIRN_ASSIGN(const auto id, engine::find_vector_index(view->catalog(), index));
  const std::string name = embedder.model();
  return engine::check_model(view->catalog().indexes().at(id),
                             engine::EmbeddingModel{name, embedder.dimension()});
}

}  // namespace cairn
