#pragma once
// Recall: records that answer a question, by its words and by meaning. Conditions, session and kinds bind
// before the search, and bind what expansion of the graph reaches as well.
//
// Words of a question are looked up in a full-text index of contents and titles, which the first write makes. A score is
// the share of the best that the question allows, see cairn/recall.hpp: low for the best hit too where
// most of its words stand nowhere. In a database without an index every content of the scope is read, and the
// score is the share of the words in it.
//
//     RecallRequest request;
//     request.query = "what does Ada drink";
//     request.scope.session = "s1";
//     CAIRN_ASSIGN(const RecallResult found, memory.recall(request));

#include <cairn/hit.hpp>
#include <cairn/memory/ranking.hpp>
#include <cairn/memory/records.hpp>
#include <cairn/memory/requests.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace cairn::memory {

/// How records are found: which retrievers there are. All of them obey the conditions of the scope.
enum class Strategy : std::uint8_t {
  /// By the question's words with the features of cairn::recall(), and by meaning where the memory was given an
  /// embedder or the request has a vector: RecallFeatures::dense_weight. The built-in embedder knows
  /// spelling alone, which the words know better. What measures best, and the default.
  automatic,
  vector,              ///< the nearest records
  graph_neighborhood,  ///< those and their neighbours
  graph_completion,    ///< those, two steps around them, and the relationships of each hit
  graph_summary,       ///< of those of graph_completion the records of kind `summary`
  // Expansion begins at the hits of the vector retriever, in both directions; what it finds need not be
  // as like the question as min_score says.
  hybrid,  ///< the nearest, their neighbours and records with the question's words
  text,  ///< by the question's words alone, with the features of cairn::recall(): neighbours, groups, names
};

/// What to do when nothing is found, in this order. Conditions stay as they are.
///
/// RecallResult::stage says which answered. Without either, nothing found is the answer.
struct Fallback {
  bool without_minimum =
      true;              ///< once more with a least similarity of 0, where more was asked for
  bool keywords = true;  ///< records with any of the question's words, or parts of them
};

/// What is asked of Memory::recall().
struct RecallRequest {
  /// Text in any form; a search by meaning has the memory's embedder make a vector of it. Empty only with
  /// `vector`.
  std::string query = {};
  /// A ready vector of the question; its text is only used for keywords then.
  std::vector<float> vector = {};
  /// Conditions, kinds, session. Where sort_by is set it orders the hits that were found. Its limit,
  /// offset and query are not looked at.
  SearchRequest scope = {};
  /// Hits at most.
  std::size_t limit = 10;
  /// The least cosine, -1 to 1, of hits of the vector retriever; -1, the default, leaves none out.
  /// Not of what words or expansion bring. With one, `automatic` has words and vectors as two retrievers. With the
  /// built-in embedder texts that share few words lie near 0.
  double min_score = -1;
  Strategy strategy = Strategy::automatic;
  /// Of what is found, the order and the public score.
  Ranking ranking = similarity_ranking();
  Fallback fallback = {};
  /// Relationships to follow and to give back; none: all but those to sessions.
  std::vector<std::string> relationship_types = {};
  /// Give the relationships of each hit too; the format graph_completion does so in any case.
  /// Cost: one expansion a hit.
  bool include_relationships = false;
};

/// Similarity alone: ten of the nearest by vectors, of a cosine of 0.7 at least, and
/// nothing else if there are none of them.
[[nodiscard]] CAIRN_EXPORT RecallRequest similarity_request(std::string query);

/// Which of the ways answered.
enum class RecallStage : std::uint8_t { asked, without_minimum, keywords };

/// What was found, and by which way.
struct RecallResult {
  /// Best first, with node and explanation. record_of() gives the record in a hit's node.
  std::vector<Hit> hits;
  RecallStage stage = RecallStage::asked;
  /// Names in conditions that no record has, with the nearest one.
  std::vector<std::string> warnings;
};

}  // namespace cairn::memory
