#pragma once
// The indexes that a SEARCH names, and the values of its arguments.

#include "codec/entity_kind.hpp"
#include "query/execute/row_batch.hpp"
#include "query/search/index_search.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn::query {

// The arguments of a SEARCH clause for one row.

class Evaluator;

/// The request, and bounds that apply to its hits.
struct SearchArguments {
  SearchRequest request;  ///< the indexes of its retrievers are not set yet
  std::optional<double> within;
  std::optional<double> min_score;
};

/// Errors: type_error; invalid_argument for invalid numbers and if all weights are 0; those of
/// evaluating the expressions.
[[nodiscard]] Result<SearchArguments> evaluate_search(Evaluator& evaluator,
                                                      const SearchClause& clause, Row row);

// The index of a retriever in a SEARCH.

struct ExecutionContext;
struct SearchRetriever;

/// An index with the kind of entity that it covers.
struct SearchIndex {
  std::uint32_t id = 0;
  codec::EntityKind kind = codec::EntityKind::node;
};

/// Errors: not_found, with the most similar name that the caller may know (known_indexes.hpp); invalid_argument
/// if the index is of another kind than the retriever requires, or has vectors of another model than embed()
/// makes for the question; busy if the index is not online.
[[nodiscard]] Result<SearchIndex> find_search_index(ExecutionContext& context,
                                                    const SearchRetriever& retriever);

/// The variable of a SEARCH and the kind of its entities.
struct Searched {
  std::string_view variable;
  codec::EntityKind kind = codec::EntityKind::node;
};

/// Returns the index of a retriever, or nullopt for a graph retriever.
/// Errors: those of find_search_index(), and invalid_argument if the retriever finds another kind
/// of entity than the searched variable. The check is needed because hits are ids, and a node and a
/// relationship may have the same id.
[[nodiscard]] Result<std::optional<SearchIndex>> find_retriever_index(
    ExecutionContext& context, const SearchRetriever& retriever, const Searched& searched);

}  // namespace cairn::query
