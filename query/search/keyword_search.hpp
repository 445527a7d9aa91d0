#pragma once
// Keyword search without an index: reads a property of each record and looks for the words of a question in it.

#include "query/ranking/fusion.hpp"
#include "query/search/index_search.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <vector>

namespace cairn::query {

/// Scores a node by the share of the question's distinct words of three or more characters that its text contains, as
/// parts of words, too. Words and texts are compared as toLower() returns them. A property that toStringOrNull() makes
/// null contains none.
///
/// Returns the best `k` nodes of `allowed` with at least one word, best first, ties by id.
/// Errors: those of reading and of the budget. Cost: reads the property of all allowed nodes.
[[nodiscard]] Result<std::vector<RankedId>> search_keywords(ExecutionContext& context,
                                                            const IndexQuestion& question,
                                                            std::size_t k,
                                                            const codec::Bitmap& allowed);

}  // namespace cairn::query
