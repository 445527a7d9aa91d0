#pragma once
// Compares vector search with brute force over the model's vectors.

#include "tests/model/model_graph.hpp"
#include "tests/model/random.hpp"
#include "tests/model/readers.hpp"

namespace cairn::test {

/// Snapshot::nearest over every vector index, without and with a set of allowed ids.
[[nodiscard]] Difference compare_nearest(const Snapshot& snapshot, const ModelGraph& model,
                                         Random& random);
/// SEARCH in a statement, with a random filter as its WHERE.
[[nodiscard]] Difference compare_searches(const Reader& reader, const ModelGraph& model,
                                          Random& random);

/// A vector of small whole numbers, so that ties are common; never zero.
[[nodiscard]] std::vector<float> random_components(Random& random, std::size_t dimension);

}  // namespace cairn::test
