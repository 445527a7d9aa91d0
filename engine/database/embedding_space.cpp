// The public calls about the model of a vector index.
#include "engine/database/access.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/graph/embedding_model.hpp"
#include "engine/database/transaction_writer.hpp"

#include <cairn/embedding_space.hpp>

namespace cairn {

// The only writer that there is behind a transaction.
Result<std::string> use_model(Transaction& transaction, std::string_view index,
                              const Embedder& embedder) {
  auto* const writer = transaction.is_open()
                           ? static_cast<engine::TransactionWriter*>(Access::writer(transaction))
                           : nullptr;
  if (writer == nullptr)
    return Error{ErrorCode::conflict,
                 "a model is declared by a writing transaction that is open; begin one",
                 {}};
  const std::string name = embedder.model();
  return writer->use_model(index, {name, embedder.dimension()});
}

Status check_model(const Snapshot& snapshot, std::string_view index, const Embedder& embedder) {
  const auto view = Access::view(snapshot);
  CAIRN_ASSIGN(const auto id, engine::find_vector_index(view->catalog(), index));
  const std::string name = embedder.model();
  return engine::check_model(view->catalog().indexes().at(id),
                             engine::EmbeddingModel{name, embedder.dimension()});
}

}  // namespace cairn
