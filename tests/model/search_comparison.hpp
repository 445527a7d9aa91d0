#pragma once
// Compares vector search with brute force over the model's vectors.

#include "tests/model/model_graph.hpp"
#include "tests/model/random.hpp"
#include "tests/model/readers.hpp"

#include <cairn/vector_search.hpp>

namespace cairn::test {

/// search_vectors() over every vector index, without and with a set of allowed ids.
[[nodiscard]] Difference compare_nearest(const Snapshot& snapshot, const ModelGraph& model,
                                         Random& random);
/// SEARCH in a statement, with a random filter as its WHERE.
[[nodiscard]] Difference compare_searches(const Reader& reader, const ModelGraph& model,
                                          Random& random);

/// A search of one index: which nodes may be found, and how.
struct NearestCase {
  std::string index;
  std::vector<float> query;
  VectorSearchOptions options;
};
/// A random search, of some nodes only in half of the cases.
[[nodiscard]] NearestCase random_nearest(const ModelGraph& model, const std::string& index,
                                         Random& random);
/// Checks that there are min(k, matches) hits with right scores, best first. If the search was
/// exact, they must be the best.
[[nodiscard]] Difference nearest_agrees(const Snapshot& snapshot, const ModelGraph& model,
                                        const NearestCase& search);

/// A vector of small whole numbers, so that ties are common; never zero.
[[nodiscard]] std::vector<float> random_components(Random& random, std::size_t dimension);

}  // namespace cairn::test
