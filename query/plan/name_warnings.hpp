#pragma once
// Warnings about names that no record has: probably misspelt, and never an error, since the graph
// may get them any time.

#include "engine/catalog/catalog.hpp"
#include "query/bind/bound_query.hpp"

#include <cairn/filter.hpp>
#include <cairn/recall.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cairn::query {

/// Labels, types and properties that the query reads, does not make itself, and that are unknown;
/// each once, with the nearest known name. Before them, remarks on tests of texts that no text is in.
[[nodiscard]] std::vector<std::string> unknown_names(const Query& query,
                                                     const engine::Catalog& catalog);

/// The same of one field of nodes or relationships, given by its keys; nothing where some record has
/// it or may have it.
[[nodiscard]] std::optional<std::string> unknown_field(const std::vector<std::string>& keys,
                                                       const engine::Catalog& catalog);

/// The same of the labels and fields of a filter; what stands inside of any_element is left out.
[[nodiscard]] std::vector<std::string> unknown_names(const Filter& filter,
                                                     const engine::Catalog& catalog);

/// The same of what a recall filters and lifts by, and of the types that it goes along.
[[nodiscard]] std::vector<std::string> unknown_names(const RecallOptions& options,
                                                     const engine::Catalog& catalog);

}  // namespace cairn::query
