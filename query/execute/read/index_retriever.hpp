#pragma once
// One search of one index, of vectors or of texts.

#include "codec/entity_kind.hpp"
#include "query/execute/read/search_arguments.hpp"
#include "query/ranking/fusion.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::codec {
class Bitmap;
}

namespace cairn::query {

struct ExecutionContext;

struct RetrieverHits {
  std::vector<RankedId> items;  ///< best first, ties by id
  std::string executor;         ///< the way that was chosen
};

/// The variable of a SEARCH, and what it is.
struct Searched {
  std::string_view variable;
  codec::EntityKind kind = codec::EntityKind::node;
};

/// A retriever of a clause with its values on one row. All must outlive it.
struct IndexRetriever {
  const SearchRetriever& retriever;
  const RetrieverArguments& arguments;
  SearchIndex index;
};

/// The index of a retriever; nothing for one by the graph. Errors: as find_search_index(), and
/// invalid_argument where the retriever finds other entities than the searched variable is: hits are ids,
/// which nodes and relationships both have.
[[nodiscard]] Result<std::optional<SearchIndex>> find_retriever_index(
    const engine::Catalog& catalog, const SearchRetriever& retriever, const Searched& searched);
/// The best `k` of `allowed` (null: all of the index). What is wrong with a text's syntax becomes a
/// warning of the statement. Errors: as the index gives them, with the retriever's place.
[[nodiscard]] Result<RetrieverHits> search_index(ExecutionContext& context,
                                                 const IndexRetriever& retriever, std::size_t k,
                                                 const codec::Bitmap* allowed);
/// The same by vectors for the values of many rows, each with its own numbers: what they have in common
/// is done once.
[[nodiscard]] Result<std::vector<RetrieverHits>> search_vector_rows(
    ExecutionContext& context, const SearchRetriever& retriever, const SearchIndex& index,
    std::span<const SearchArguments> rows, const codec::Bitmap* allowed);
/// The score of each of `ids` that has one; not of a retriever by recall.
[[nodiscard]] Result<RetrieverHits> score_ids(ExecutionContext& context,
                                              const IndexRetriever& retriever,
                                              const codec::Bitmap& ids);

}  // namespace cairn::query
