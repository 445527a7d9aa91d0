#pragma once
// The embedding model of a vector index, and the rows of SHOW INDEXES.

#include "codec/catalog_entry.hpp"
#include "engine/graph/graph_view.hpp"

#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cairn::engine {

// EmbeddingModel: the model that makes the vectors of an index. Vectors of different models cannot be compared, even if they
// have the same dimension, so an index may name the only model whose vectors it accepts.

class Catalog;

/// The model that made a vector, as its caller names it.
struct EmbeddingModel {
  std::string_view name;
  std::size_t dimension = 0;
};

/// Checks the length of a model's name. Errors: invalid_argument if the name is too long to be stored.
[[nodiscard]] Status check_model_name(std::string_view model);

/// Checks that an index accepts vectors of a model with this name. An index without a model accepts all.
/// Errors: invalid_argument, with both names and what to do.
[[nodiscard]] Status check_model(const codec::IndexEntry& index, std::string_view model);
/// Like check_model() above, and also checks that the vectors of the model have the dimension of the index.
[[nodiscard]] Status check_model(const codec::IndexEntry& index, const EmbeddingModel& model);

/// Returns the id of the vector index `name`. Errors: not_found; invalid_argument if the index is of another kind.
[[nodiscard]] Result<std::uint32_t> find_vector_index(const Catalog& catalog,
                                                      std::string_view name);

/// Returns the row of SHOW INDEXES for one index. The catalog of `view` must have the entry. Errors: those of the store.
[[nodiscard]] Result<IndexDescription> describe_index(const GraphView& view, std::uint32_t id,
                                                      const codec::IndexEntry& entry);

}  // namespace cairn::engine
