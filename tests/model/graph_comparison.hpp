#pragma once
// Compares everything that can be read of a database with the model.

#include "tests/model/model_graph.hpp"
#include "tests/model/random.hpp"
#include "tests/model/readers.hpp"

#include <cairn/database.hpp>

namespace cairn::test {

/// All nodes, relationships and adjacency, counts, and random filters and searches.
[[nodiscard]] Difference compare_graph(const Reader& reader, const ModelGraph& model,
                                       Random& random);
/// The same, and the calls that only a snapshot has.
[[nodiscard]] Difference compare_snapshot(const Snapshot& snapshot, const ModelGraph& model,
                                          Random& random);
/// The integrity check's findings.
[[nodiscard]] Difference compare_check(const Database& database);

}  // namespace cairn::test
