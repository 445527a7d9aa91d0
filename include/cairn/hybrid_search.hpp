#pragma once
// Hybrid search: several retrievers over the same records, by vectors, words and the graph, and one ranking of what
// they find.
//
//     HybridSearch search;
//     search.filter = Filter::where("user", FilterOperator::equals, "ada");
//     search.retrievers = {VectorRetriever{.index = "memories", .vector = vector},
//                          TextRetriever{.index = "texts", .text = "green tea"}};
//     search.ranking.fusion.kind = Fusion::Kind::reciprocal_rank;
//     CAIRN_ASSIGN(const HybridHits found, hybrid_search(snapshot, search));
//     for (const Hit& hit : found.hits) std::cout << hit.node->property("text").to_text() << "\n";
//
// `SEARCH n IN (HYBRID ...)` is the language's, with rules of its own for scores (LANGUAGE.md).

#include <cairn/filter.hpp>
#include <cairn/graph.hpp>
#include <cairn/hit.hpp>
#include <cairn/options.hpp>
#include <cairn/ranking.hpp>
#include <cairn/recall.hpp>
#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cairn {

/// The nearest vectors of an index of nodes. A hit's score is 2 * s - 1, where s is the score of search_vectors(): for
/// the cosine metric the cosine, -1 to 1.
struct VectorRetriever {
  std::string index;
  std::vector<float> vector;  ///< of the question; as many components as the index has dimensions
  double min_score = -std::numeric_limits<double>::infinity();  ///< hits with less are left out
};

/// The best texts of a full-text index of nodes by BM25, as shares of the best one's score. No syntax: every sign is
/// text.
struct TextRetriever {
  std::string index;
  std::string text;
};

/// The hits of recall(), with their scores. Filter, limit and records of the options are not looked at: those of the
/// search count.
struct RankedRetriever {
  std::string text;
  RecallOptions options = {};
};

/// Records around the hits of the first retriever, over records that pass the filter alone.
///
/// A step leaves half of the score that it comes from, times the relationship's `weight` (0 to 1, else 1). The best way
/// counts. A way that leads back to its own hit counts nothing, and hits below 0 lead nowhere.
struct GraphRetriever {
  std::size_t hops = 1;
  std::vector<std::string> relationship_types = {};  ///< in both directions; none: all
  std::string label = {};                            ///< only nodes with it are found; empty: any
};

/// Hits that the caller has found itself, best first. Ids that do not pass the filter are left out.
struct GivenRetriever {
  struct Found {
    NodeId node;
    double score = 0;
  };
  RetrieverKind kind = RetrieverKind::keyword;  ///< under which weights and explanations name it
  std::vector<Found> hits = {};
};

/// One way of finding records.
using HybridRetriever =
    std::variant<VectorRetriever, TextRetriever, RankedRetriever, GraphRetriever, GivenRetriever>;

/// Which relationships come with each hit.
struct HitRelationships {
  std::vector<std::string> types = {};  ///< none: all
};

/// What is searched for, and how hits are ranked. Every field but the retrievers is optional.
struct HybridSearch {
  /// Each brings `limit` times Ranking::oversample hits. Explanations have them in this order.
  std::vector<HybridRetriever> retrievers = {};
  Filter filter = {};  ///< of nodes; binds before each retriever
  Ranking ranking = {};
  std::size_t limit = 10;
  std::string label =
      {};  ///< nodes without it lead to others and are not given; empty: all are given
  std::optional<HitRelationships> relationships =
      std::nullopt;  ///< nothing: none come with the hits
};

/// What a hybrid search found.
struct HybridHits {
  std::vector<Hit> hits;  ///< best first, with node and explanation
  /// Names in the filter and of relationships that no record has, with the nearest one; what is wrong with a text.
  std::vector<std::string> warnings;
};

/// Find records by several retrievers at once. The filter is evaluated once, all is read from `snapshot`, and equal
/// calls have equal answers.
///
/// Errors: not_found for an index that does not exist; busy for one that is being built; invalid_argument for an index of
/// another kind, for a graph retriever that stands first, for a ranking whose numbers cannot work, and as
/// search_vectors(), recall() and parse_filter(); resource_limit and cancelled by `options`.
/// Cost: the filter, each retriever, and one read for each of limit * oversample hits of each. Threads: any number at
/// once.
[[nodiscard]] CAIRN_EXPORT Result<HybridHits> hybrid_search(const Snapshot& snapshot,
                                                            const HybridSearch& search,
                                                            const StatementOptions& options = {});

/// The names of the full-text indexes that hold `property` of nodes with `label` and are online, in the order in which
/// they were made. Cost: microseconds.
[[nodiscard]] CAIRN_EXPORT Result<std::vector<std::string>> full_text_indexes(
    const Snapshot& snapshot, std::string_view label, std::string_view property);

}  // namespace cairn
