#pragma once
// What a search names: the index of each retriever, and its arguments with their values.

#include "codec/entity_kind.hpp"
#include "query/execute/row_batch.hpp"
#include "query/search/index_search.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace cairn::engine {
class Catalog;
}  // namespace cairn::engine

namespace cairn::query {

// What a SEARCH clause asks for on a row, as a request.

class Evaluator;

struct SearchArguments {
  SearchRequest request;  ///< its retrievers do not know their indexes yet
  std::optional<double> within;
  std::optional<double> min_score;
};

/// Errors: type_error, and invalid_argument for numbers out of sense or weights that are all 0.
[[nodiscard]] Result<SearchArguments> evaluate_search(Evaluator& evaluator,
                                                      const SearchClause& clause, Row row);

// The index that a retriever of a SEARCH names.

struct SearchRetriever;

struct SearchIndex {
  std::uint32_t id = 0;
  codec::EntityKind kind = codec::EntityKind::node;
};

/// Errors: not_found with the nearest name; invalid_argument where it is of another kind than the
/// retriever says; busy where it is not online.
[[nodiscard]] Result<SearchIndex> find_search_index(const engine::Catalog& catalog,
                                                    const SearchRetriever& retriever);

/// The variable of a SEARCH, and what it is.
struct Searched {
  std::string_view variable;
  codec::EntityKind kind = codec::EntityKind::node;
};

/// The index of a retriever; nothing for one by the graph. Errors: as find_search_index(), and
/// invalid_argument where the retriever finds other entities than the searched variable is: hits are ids,
/// which nodes and relationships both have.
[[nodiscard]] Result<std::optional<SearchIndex>> find_retriever_index(
    const engine::Catalog& catalog, const SearchRetriever& retriever, const Searched& searched);

}  // namespace cairn::query
