#pragma once
// Retrieval: a request of several retrievers, the search of one index, and the fused search of a whole request.

#include "engine/view/view.hpp"
#include "query/bind/bound_query.hpp"
#include "query/execute/operator_profile.hpp"
#include "query/ranking/fusion.hpp"

#include <cairn/recall.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::codec {
class Bitmap;
}  // namespace cairn::codec

namespace cairn::query {

// What a retrieval asks for: retrievers over one set of ids, and how their lists become one. The language and the memory
// calls make the same request.

/// One question to one index.
struct IndexQuestion {
  std::uint32_t index = 0;                        ///< its number in the catalog
  std::vector<float> vector = {};                 ///< of an index of vectors
  std::string text = {};                          ///< of a full-text index
  std::optional<RecallOptions> ranking = {};      ///< of a ranked one; nothing: the defaults
  bool plain = false;                             ///< texts: no syntax, every sign is text
  bool exact = false;                             ///< vectors: every one is compared
  std::optional<engine::Accuracy> accuracy = {};  ///< vectors; nothing: the standard one
  std::size_t ef_search = 0;                      ///< vectors; 0: as the accuracy says
  std::optional<double> min_score = {};           ///< vectors: hits with less are left out
  std::optional<double> within = {};              ///< vectors: and those farther away
};

/// The steps of a retriever along the graph.
struct GraphQuestion {
  engine::Direction direction = engine::Direction::both;  ///< from the seeds
  std::vector<std::string> types = {};                    ///< any of them; empty: all
  std::uint64_t least_hops = 1;
  std::uint64_t most_hops = 1;
  std::optional<std::uint64_t> seed = {};  ///< a node; nothing: the hits of the other retrievers
};

/// One retriever with its query.
struct Retriever {
  RetrieverKind kind = RetrieverKind::vector;
  std::string name = {};  ///< of the index, for the breakdown of scores
  bool is_null = false;   ///< it has no question or no start: it finds nothing
  double weight = 1;
  IndexQuestion question = {};
  GraphQuestion graph = {};
  std::optional<TextRange> where = {};  ///< in a statement, for errors
};

/// The retrievers of one search.
struct SearchRequest {
  std::vector<Retriever> retrievers = {};
  Fusion::Kind fusion = Fusion::Kind::max_norm;
  double fusion_k = 60;        ///< of ranks
  std::size_t candidates = 0;  ///< hits that a retriever brings; not less than `limit`
  std::size_t limit = 0;       ///< the greatest number for no limit
};

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

/// A hit of a request.
struct SearchHit {
  std::uint64_t id = 0;
  double score = 0;
  Value parts;  ///< for BREAKDOWN AS: one map for each retriever; null if not requested
};

struct RequestHits {
  std::vector<SearchHit> hits;             ///< best first, ties by id
  std::vector<RetrieverProfile> profiles;  ///< in the order of the request's retrievers
};

/// Runs all retrievers of `request` over `allowed` (nullptr: all ids) and fuses their lists. `has_parts` fills
/// SearchHit::parts. Errors: as search_index().
[[nodiscard]] Result<RequestHits> run_retrievers(ExecutionContext& context,
                                                 const SearchRequest& request,
                                                 const codec::Bitmap* allowed, bool has_parts);

/// One entry of BREAKDOWN AS: {retriever, index, rank, score, share}. `share` is what the retriever adds to the hit's
/// score. Rank 0 means that the retriever did not find the hit: rank and score are null then.
[[nodiscard]] Value retriever_part(const Retriever& retriever, std::size_t rank, double score,
                                   double share);

}  // namespace cairn::query
