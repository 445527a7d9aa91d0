#pragma once
// Warnings about names that no record has: probably misspelt, and never an error, since the graph
// may get them any time.

#include "engine/catalog/catalog.hpp"
#include "query/bind/bound_query.hpp"

#include <string>
#include <vector>

namespace cairn::query {

/// Labels, types and properties that the query reads, does not make itself, and that are unknown;
/// each once, with the nearest known name.
[[nodiscard]] std::vector<std::string> unknown_names(const Query& query,
                                                     const engine::Catalog& catalog);

}  // namespace cairn::query
