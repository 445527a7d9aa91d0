#pragma once
// Recall: finds records that answer a question, by its words and by meaning. Conditions, session
// and kinds are applied before the search, also to records that graph expansion reaches.
//
// Words of a question are looked up in the full-text index of contents and titles, which the first
// write creates. A score is relative to the best score that the question allows, see
// cairn/recall.hpp: even the best hit has a low score if most words of the question occur nowhere.
// Without that index, every content in scope is read, and the score is the share of the question's
// words that occur in it.
//
//     RecallRequest request;
//     request.query = "what does Ada drink";
//     request.scope.session = "s1";
//     CAIRN_ASSIGN(const RecallResult found, memory.recall(request));

#include <cairn/hit.hpp>
#include <cairn/memory/ranking.hpp>
#include <cairn/memory/records.hpp>
#include <cairn/memory/requests.hpp>
#include <cairn/recall.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace cairn::memory {

/// How records are found. Every strategy applies the conditions of the scope.
enum class Strategy : std::uint8_t {
  /// By the question's words with the features of cairn::recall(), and by meaning if the memory was
  /// given an embedder or the request has a vector (RecallFeatures::dense_weight). The built-in
  /// embedder is not used, because it only compares spelling. This strategy has the best measured
  /// results and is the default.
  automatic,
  vector,              ///< the nearest records
  graph_neighborhood,  ///< the nearest records and their neighbours
  graph_completion,    ///< the nearest, two steps around them, and the relationships of each hit
  graph_summary,       ///< the records of kind `summary` among those of graph_completion
  // Expansion begins at the hits of the vector retriever, in both directions. Records that it finds
  // may be less similar than min_score.
  hybrid,  ///< the nearest, their neighbours, and records with words of the question
  text,    ///< by the question's words alone, with the features of cairn::recall()
};

/// What to try if nothing is found, in this order. Conditions remain in force.
///
/// RecallResult::stage says which attempt succeeded. Without fallbacks, an empty result is
/// returned.
struct Fallback {
  bool without_minimum = true;  ///< search again with min_score 0, if it was higher
  bool keywords = true;         ///< records with any of the question's words, or parts of them
};

/// A request to Memory::recall().
struct RecallRequest {
  /// The question as text; a search by meaning makes a vector of it. It may be empty only if
  /// `vector` is given.
  std::string query = {};
  /// A vector of the question, instead of one made from the text. The text is only used for
  /// keywords then.
  std::vector<float> vector = {};
  /// Conditions, kinds, session. If sort_by is set, it orders the hits that were found. Its limit,
  /// offset and query are ignored.
  SearchRequest scope = {};
  /// The maximal number of hits.
  std::size_t limit = 10;
  /// The least cosine of hits of the vector retriever, -1 to 1; -1, the default, excludes none. It
  /// does not apply to hits of words or expansion. If it is set, `automatic` uses words and vectors
  /// as two separate retrievers. With the built-in embedder, texts that share few words have a
  /// cosine near 0.
  double min_score = -1;
  Strategy strategy = Strategy::automatic;
  /// The order and the public scores of what is found.
  Ranking ranking = similarity_ranking();
  Fallback fallback = {};
  /// Relationships to follow and to return; empty: all except those to sessions.
  std::vector<std::string> relationship_types = {};
  /// Returns the relationships of each hit too; the strategy graph_completion always does. Cost:
  /// one expansion per hit.
  bool include_relationships = false;
  /// The records around each hit, see RecallOptions::context, `expand` and `max_tokens`:
  /// Hit::passage, with the records in Hit::passage_nodes. The records belong to the session or
  /// conversation of the hit and pass the scope. If the hit has neither, the passage has the
  /// records that `relationship_types` lead to or, if no types are given, the next chunks of a text
  /// and the thread of a message. A hit inside the passage of a better hit is left out. Needs the
  /// full-text index of contents.
  std::size_t context = 0;
  PassageExtent expand = PassageExtent::context;
  std::size_t max_tokens = 0;
};

/// A request by similarity alone: the ten nearest vectors with a cosine of at least 0.7, without
/// fallbacks.
[[nodiscard]] CAIRN_EXPORT RecallRequest similarity_request(std::string query);

/// Which attempt found the hits.
enum class RecallStage : std::uint8_t { asked, without_minimum, keywords };

/// The result of a recall.
struct RecallResult {
  /// Best first, with node and explanation. record_of() converts a hit to a record, and a node of
  /// its passage too.
  std::vector<Hit> hits;
  RecallStage stage = RecallStage::asked;
  /// Names in conditions that no record has, with the nearest existing name.
  std::vector<std::string> warnings;
};

}  // namespace cairn::memory
