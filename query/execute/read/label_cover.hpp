#pragma once
// Whether the indexes of a search cover what its pattern wants: an index of :Memory finds no (n:Note)
// unless some node is both, and a search that can find nothing should not look like one that found none.

#include "query/execute/read/find_index.hpp"
#include "query/execute/row_batch.hpp"

#include <cairn/result.hpp>

#include <optional>
#include <span>

namespace cairn::query {

struct ExecutionContext;
struct SearchVectors;

/// Warn of each retriever whose index holds no entity with the labels, or types, that the search names.
/// `indexes` by retriever, nothing for those by the graph. Cost: a few set operations, none where an index
/// has a label that is asked for.
[[nodiscard]] Status warn_of_uncovered(ExecutionContext& context, const SearchVectors& search,
                                       std::span<const std::optional<SearchIndex>> indexes,
                                       Row row);

}  // namespace cairn::query
