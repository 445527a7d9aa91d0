#pragma once
// One search of one index, of vectors or of texts.

#include "query/ranking/fusion.hpp"
#include "query/search/search_request.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace cairn::codec {
class Bitmap;
}

namespace cairn::query {

struct ExecutionContext;

struct RetrieverHits {
  std::vector<RankedId> items;  ///< best first, ties by id
  std::string executor;         ///< the strategy that was chosen
};

/// The best `k` of `allowed` (null: all of the index). What is wrong with a text's syntax becomes a
/// warning of the statement. Errors: as the index gives them, with the retriever's place.
[[nodiscard]] Result<RetrieverHits> search_index(ExecutionContext& context,
                                                 const Retriever& retriever, std::size_t k,
                                                 const codec::Bitmap* allowed);

/// A question of many to one index of vectors, and how many hits it wants.
struct BatchedQuestion {
  const Retriever* retriever = nullptr;
  std::size_t k = 0;
};
/// The same for many questions to one index of vectors: what they have in common is done once.
[[nodiscard]] Result<std::vector<RetrieverHits>> search_vectors_batch(
    ExecutionContext& context, std::span<const BatchedQuestion> questions,
    const codec::Bitmap* allowed);

/// The score of each of `ids` that has one; not of a ranked index.
[[nodiscard]] Result<RetrieverHits> score_ids(ExecutionContext& context, const Retriever& retriever,
                                              const codec::Bitmap& ids);

}  // namespace cairn::query
