#pragma once
// Retrieval: a request of several retrievers, the search of one index, and the fusion of a whole request.

#include "codec/bitmap.hpp"
#include "engine/view/view.hpp"
#include "query/bind/bound_query.hpp"
#include "query/execute/operator_profile.hpp"
#include "query/ranking/fusion.hpp"

#include <cairn/recall.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>
#include <cairn/vector_executor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn {
enum class VectorAccuracy : std::uint8_t;  // cairn/vector_search.hpp
}  // namespace cairn

namespace cairn::query {

// The request. The SEARCH clause and hybrid_search() build the same request.

/// The query for one index. The kind of the index decides which members are used.
struct IndexQuestion {
  std::uint32_t index = 0;         ///< id in the catalog
  std::vector<float> vector = {};  ///< vector index: the query vector
  std::string text = {};           ///< full-text or ranked index, keywords: the query text
  std::string property = {};       ///< keywords: the property that is read
  std::optional<RecallOptions> ranking = {};  ///< ranked index; nullopt: the defaults
  bool plain = false;  ///< full-text: no query syntax; operators are plain text
  std::optional<VectorAccuracy> accuracy = {};  ///< vectors; nullopt: the default accuracy
  std::size_t ef_search = 0;                    ///< vectors; 0: derived from the accuracy
  std::optional<double> min_score = {};         ///< vectors: drop hits with a lower score
  std::optional<double> within = {};            ///< vectors: drop hits that are farther away
};

/// Where a graph retriever starts, where it walks, and how it scores the nodes that it reaches.
enum class GraphScoring : std::uint8_t {
  /// search_graph_by_sum() from the fused hits of all index retrievers, among the ids of their indexes that are allowed.
  sum,
  /// search_graph_by_best_way() from the hits of the first retriever of the request, among all ids that are allowed.
  best_way,
};

/// The query of a graph retriever.
struct GraphQuestion {
  GraphScoring scoring = GraphScoring::sum;
  engine::Direction direction = engine::Direction::both;  ///< of the steps, seen from the seeds
  std::vector<std::string> types = {};                    ///< any of these; empty: all types
  std::uint64_t least_hops = 1;
  std::uint64_t most_hops = 1;
  /// Start node; nullopt: start from the hits of other retrievers.
  std::optional<std::uint64_t> seed = {};
};

/// Hits that the caller of a search found itself.
struct GivenHits {
  RetrieverKind kind = RetrieverKind::keyword;  ///< counts as this kind in the fusion
  std::vector<RankedId> items = {};             ///< distinct ids, all of them allowed
};

/// What the scores of an index become before they are fused and explained.
enum class ScoreScale : std::uint8_t {
  as_found,       ///< the score of the index or of the graph
  cosine,         ///< 2 * s - 1 for the score s of a vector index, from -1 to 1
  share_of_best,  ///< the share of the retriever's best score, for scores without an upper bound
};

/// The weight of a retriever unless given. A ranked index combines three retrieval methods: texts, neighbours and
/// groups.
[[nodiscard]] constexpr double default_weight(RetrieverKind kind) noexcept {
  return kind == RetrieverKind::ranked ? 3 : 1;
}

/// The hits to fetch from each retriever unless given. They are a multiple of the limit, so that the end of the list
/// matters little.
[[nodiscard]] constexpr std::size_t default_candidates(std::size_t limit) noexcept {
  constexpr std::size_t least = 100, times = 4;
  return limit > std::numeric_limits<std::size_t>::max() / times ? limit
                                                                 : std::max(least, times * limit);
}

/// One retriever with its query.
struct Retriever {
  RetrieverKind kind = RetrieverKind::vector;
  std::string name = {};  ///< index name, for the score breakdown
  bool is_null = false;   ///< the query or the start node is null: no hits
  double weight = 1;
  IndexQuestion question = {};
  GraphQuestion graph = {};
  std::optional<GivenHits> given = {};  ///< returned instead of a search
  ScoreScale scale = ScoreScale::as_found;
  /// Hits with a lower score after scaling are dropped, and count as hits without any similarity.
  std::optional<double> least_score = {};
  std::optional<codec::Bitmap> returned = {};  ///< only these ids are hits; nullopt: all
  std::optional<TextRange> where = {};         ///< place in the statement, for errors
};

/// All retrievers of one search, and how their lists are fused.
struct SearchRequest {
  std::vector<Retriever> retrievers = {};
  Fusion fusion = {};
  std::size_t candidates = 0;  ///< hits to fetch from each retriever; at least `limit`
  std::size_t limit = 0;       ///< hits to return; the maximum of the type: no limit
};

struct ExecutionContext;

/// The hits of one retriever.
struct RetrieverHits {
  std::vector<RankedId> items;  ///< best first, ties by id
  std::string executor;         ///< the search strategy that was used, for PROFILE
  VectorExecutor vector_executor = VectorExecutor::none;  ///< the same, of a vector index
};

/// Returns the best `k` hits among `allowed`, which has visible ids only (nullptr: all ids of the index are visible).
/// Relationships with a hidden end are left out. A syntax error in a full-text query becomes a warning of the statement.
/// Errors: the errors of the index, located at the retriever.
[[nodiscard]] Result<RetrieverHits> search_index(ExecutionContext& context,
                                                 const Retriever& retriever, std::size_t k,
                                                 const codec::Bitmap* allowed);

/// One of several queries to the same vector index, with its number of hits.
struct BatchedQuestion {
  const Retriever* retriever = nullptr;
  std::size_t k = 0;
};
/// Runs several queries against one vector index and one `allowed` set. The index scans its data once for all
/// queries. Returns one list for each query, in their order. Hits are those of search_index().
[[nodiscard]] Result<std::vector<RetrieverHits>> search_vectors_batch(
    ExecutionContext& context, std::span<const BatchedQuestion> questions,
    const codec::Bitmap* allowed);

/// Returns the exact score of each id in `ids` that has one. The ids are hits of other retrievers. Not supported for a
/// ranked index, whose scores depend on all of its candidates.
[[nodiscard]] Result<RetrieverHits> score_ids(ExecutionContext& context, const Retriever& retriever,
                                              const codec::Bitmap& ids);

/// Runs all retrievers of `request` over `allowed` (nullptr: all ids) and fuses their lists. Returns all candidates,
/// best first, ties by id; the limit of the request is not applied. Every search that combines retrievers uses this
/// function.
/// Errors: as search_index(), and as fuse().
[[nodiscard]] Result<std::vector<FusedId>> fuse_retrievers(ExecutionContext& context,
                                                           const SearchRequest& request,
                                                           const codec::Bitmap* allowed);

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

/// Returns the best hits of fuse_retrievers(), up to the limit of the request. `has_parts` fills SearchHit::parts.
/// Errors: as fuse_retrievers().
[[nodiscard]] Result<RequestHits> run_retrievers(ExecutionContext& context,
                                                 const SearchRequest& request,
                                                 const codec::Bitmap* allowed, bool has_parts);

/// One entry of BREAKDOWN AS: {retriever, index, rank, score, share}. `share` is what the retriever adds to the hit's
/// score. Rank 0 means that the retriever did not find the hit. Then rank and score are null in the map.
[[nodiscard]] Value retriever_part(const Retriever& retriever, std::size_t rank, double score,
                                   double share);

/// Searches for keywords without an index: reads a property of each record and looks for the words of a question in it.
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
