#pragma once
// What an index says of itself: the model that makes its vectors, and its row in SHOW INDEXES.

#include "codec/catalog_entry.hpp"
#include "engine/graph/graph_view.hpp"

#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cairn::engine {

// EmbeddingModel: what makes the vectors of an index. Vectors of two models have nothing to do with each
// other, also where they are of one length: the index says which one it takes.

class Catalog;

struct EmbeddingModel {
  std::string_view name;
  std::size_t dimension = 0;
};

/// Errors: invalid_argument for a name that is too long to be stored.
[[nodiscard]] Status check_model_name(std::string_view model);

/// Whether the index takes vectors of a model of that name; one that names no model takes all.
/// Errors: invalid_argument with both names and what to do.
[[nodiscard]] Status check_model(const codec::IndexEntry& index, std::string_view model);
/// The same, and whether they have its dimension.
[[nodiscard]] Status check_model(const codec::IndexEntry& index, const EmbeddingModel& model);

/// The number of a vector index. Errors: not_found, and invalid_argument for an index of another kind.
[[nodiscard]] Result<std::uint32_t> find_vector_index(const Catalog& catalog,
                                                      std::string_view name);

// What SHOW INDEXES says about one index.

/// `view` is one whose catalog has the entry. Errors: those of the store.
[[nodiscard]] Result<IndexDescription> describe_index(const GraphView& view, std::uint32_t id,
                                                      const codec::IndexEntry& entry);

}  // namespace cairn::engine
