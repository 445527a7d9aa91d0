#pragma once
// Hybrid search: combines several retrievers over the same records (vectors, words, the graph) into
// one ranking.
//
//     HybridSearch search;
//     search.filter = Filter::where("user", FilterOperator::equals, "ada");
//     search.retrievers = {VectorRetriever{.index = "memories", .vector = vector},
//                          TextRetriever{.index = "texts", .text = "green tea"}};
//     CAIRN_ASSIGN(const HybridHits found, hybrid_search(snapshot, search));
//     for (const Hit& hit : found.hits) std::cout << hit.node->property("text").to_text() << "\n";
//
// The clause `SEARCH n IN (HYBRID ...)` of the language returns the same hits with the same scores
// for retrievers by vector, by plain text and by recall(). Its graph retriever adds up the paths from
// all hits (LANGUAGE.md).

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

/// Finds the nearest vectors of an index of nodes. A hit's score is 2 * s - 1, where s is the score
/// of search_vectors(). For the cosine metric it is the cosine, -1 to 1.
struct VectorRetriever {
  std::string index;
  std::vector<float> vector;  ///< of the query; its size is the dimension of the index
  /// Hits below it are dropped, and the retriever adds nothing to the score of the others.
  double min_score = -std::numeric_limits<double>::infinity();
};

/// Finds the best texts of a full-text index of nodes by BM25; scores are relative to the best one.
/// The text has no syntax: operators have no meaning.
struct TextRetriever {
  std::string index;
  std::string text;
};

/// Finds the hits of recall(), with their scores. Of its options, `filter`, `limit`, `with_nodes`
/// and those for passages are ignored; those of the hybrid search apply.
struct RankedRetriever {
  std::string text;
  RecallOptions options = {};
};

/// Finds records around the hits of the first retriever, among records that pass the filter.
///
/// Each step halves the score of its start and multiplies it by the relationship's `weight` (0 to
/// 1; 1 if absent). The best path counts. A path back to its own start does not count, and hits
/// with a negative score are not expanded.
struct GraphRetriever {
  std::size_t hops = 1;
  std::vector<std::string> relationship_types = {};  ///< in both directions; empty: all types
  std::string label = {};  ///< only nodes with it are returned; empty: any
};

/// Finds records whose property contains words of a text, without an index. A hit's score is the
/// share of the distinct words that are found, parts of words included. The property's name is not a
/// path. Words have three characters
/// or more and are separated by blanks; words and contents are compared in lower case.
///
/// Cost: reads the property of every record that passes the filter.
struct KeywordRetriever {
  std::string property;
  std::string text;
};

/// Hits that the caller has found, best first. Ids that do not pass the filter are dropped.
struct GivenRetriever {
  struct Found {
    NodeId node;
    double score = 0;
  };
  RetrieverKind kind = RetrieverKind::keyword;  ///< its name in weights and explanations
  std::vector<Found> hits = {};
};

/// One of the retrievers.
using HybridRetriever = std::variant<VectorRetriever, TextRetriever, RankedRetriever,
                                     GraphRetriever, GivenRetriever, KeywordRetriever>;

/// Which relationships are returned with each hit.
struct HitRelationships {
  std::vector<std::string> types = {};  ///< empty: all types
};

/// What is searched for, and how hits are ranked. Every field but the retrievers is optional.
struct HybridSearch {
  /// Each returns as many hits as Ranking::oversample says. Explanations list them in this order.
  std::vector<HybridRetriever> retrievers = {};
  Filter filter = {};  ///< of nodes; applied before each retriever
  Ranking ranking = {};
  std::size_t limit = 10;
  std::string label =
      {};  ///< only nodes with it are returned; others are only expanded; empty: all
  std::optional<HitRelationships> relationships =
      std::nullopt;  ///< nullopt: hits have no relationships
  /// Gives hits their passages: by the index, `context`, `expand`, `max_tokens`, and the group and
  /// order properties and relationship types in the features of these options. The rest of the
  /// options is ignored. A hit inside the passage of a better one is left out.
  std::optional<RecallOptions> passages = std::nullopt;  ///< nullopt: hits have none
};

/// The result of a hybrid search.
struct HybridHits {
  std::vector<Hit> hits;  ///< best first, with node and explanation
  /// Names in the filter and relationship types that no record has, with the nearest existing name;
  /// problems of a text query.
  std::vector<std::string> warnings;
};

/// Finds records by several retrievers at once. The filter is evaluated once, all data is read from
/// `snapshot`, and equal calls return equal results.
///
/// Errors: not_found for an index that does not exist; busy for an index that is being built;
/// invalid_argument for an index of another kind, for a graph retriever in first place, and for
/// invalid numbers in the ranking; those of search_vectors(), recall() and parse_filter();
/// resource_limit and cancelled by `options`. Cost: the filter, each retriever, and one read of a
/// record for each hit; with terms, boosts, a label or passages one read for each hit of each
/// retriever (Ranking::oversample). Threads: any number at once.
[[nodiscard]] CAIRN_EXPORT Result<HybridHits> hybrid_search(const Snapshot& snapshot,
                                                            const HybridSearch& search,
                                                            const StatementOptions& options = {});

/// Returns the names of the online full-text indexes on `property` of nodes with `label`, in the
/// order of their creation. Cost: microseconds.
[[nodiscard]] CAIRN_EXPORT Result<std::vector<std::string>> full_text_indexes(
    const Snapshot& snapshot, std::string_view label, std::string_view property);

}  // namespace cairn
