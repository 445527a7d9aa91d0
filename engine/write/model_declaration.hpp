#pragma once
// An embedder is about to write vectors into an index: its model becomes the index's, or is refused.

#include "engine/graph/embedding_model.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/transaction/catalog_editor.hpp"
#include "engine/transaction/write_set.hpp"

#include <cairn/result.hpp>

#include <string>
#include <string_view>

namespace cairn::engine {

/// Declare the model of a vector index that names none yet. Gives a warning where the index has vectors
/// already, of which nobody knows what made them; else an empty text.
/// `view` is the transaction's, with its write_set and its catalog.
/// Errors: not_found, and invalid_argument where the index is of another model or dimension.
[[nodiscard]] Result<std::string> declare_model(std::string_view index, const EmbeddingModel& model,
                                                const GraphView& view, const WriteSet& write_set,
                                                CatalogEditor& catalog);

}  // namespace cairn::engine
