#pragma once
// What a SEARCH clause asks for on a row, as a request.

#include "query/execute/row_batch.hpp"
#include "query/search/search_request.hpp"

#include <cairn/result.hpp>

#include <optional>

namespace cairn::query {

class Evaluator;

struct SearchArguments {
  SearchRequest request;  ///< its retrievers do not know their indexes yet
  std::optional<double> within;
  std::optional<double> min_score;
};

/// Errors: type_error, and invalid_argument for numbers out of sense or weights that are all 0.
[[nodiscard]] Result<SearchArguments> evaluate_search(Evaluator& evaluator,
                                                      const SearchClause& clause, Row row);

}  // namespace cairn::query
