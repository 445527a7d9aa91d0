#pragma once
// Hit: a record that a search found, its score, and the parts of the score. All searches return
// this type.
//
//     options.with_nodes = true;
//     CAIRN_ASSIGN(const auto hits, recall(snapshot, "what does Ada drink", options));
//     for (const Hit& hit : hits) std::cout << hit.score << " " << hit.node->property("text").to_text() << "\n";

#include <cairn/graph.hpp>
#include <cairn/retriever_kind.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace cairn {

/// A retriever's part of a score. A retriever that adds nothing has no entry.
struct RetrieverShare {
  RetrieverKind retriever = RetrieverKind::vector;
  std::size_t rank = 0;  ///< counted from 1; 0: not found, `share` is that of the least score
  double score = 0;      ///< the retriever's own score
  double share = 0;      ///< its contribution to the fused score
};

/// The parts of a score of recall(): (text + dense + propagation + group) * named * rules / whole.
struct FeatureScores {
  double text = 0;  ///< of the record's text: 1 for the best BM25, more with dates and feedback
  double propagation = 0;  ///< received along relationships
  double group = 0;        ///< from its group
  double dense = 0;        ///< from the similarity of its vector
  double named = 1;        ///< factor for names that the question mentions
  double rules = 1;        ///< factor of boosts and features
  double whole = 1;        ///< divisor, the same for all hits of a call
};

/// Why a hit has its score: (sum of shares + sum of terms) * product of factors = raw.
///
/// If highest_score caps two scores, their order is still that of `raw`.
struct Explanation {
  std::vector<RetrieverShare> retrievers;
  double fused = 0;             ///< the sum of the shares
  std::vector<double> terms;    ///< as in Ranking::terms: weight * value; 0 without the field
  std::vector<double> factors;  ///< as in Ranking::boosts: 1 + factor, or 1
  double raw = 0;               ///< hits are ordered by it, equal ones by id
  /// Only for a search by recall().
  std::optional<FeatureScores> features = std::nullopt;
};

/// One record that a search found. Larger scores are better; the search that returns it defines
/// what a score means.
///
/// Cost: a copy shares node and explanation.
struct Hit {
  /// NodeId::value, or RelationshipId::value if the index is on relationships.
  std::uint64_t id = 0;
  double score = 0;
  /// The record as of the snapshot, if the search was requested to return records.
  std::optional<Node> node = std::nullopt;
  /// Null for a search of one vector index, whose score has no other parts.
  std::shared_ptr<const Explanation> explanation = nullptr;  // owners: the copies of this hit
  /// Relationships to other records that the search may find, if the search was requested to return
  /// relationships. Ordered by the property `weight` (1 if absent), from high to low.
  std::vector<Relationship> relationships = {};
  /// The ids of the hit and of the records around it, in their order, if passages were requested:
  /// RecallOptions::context, `expand`, `max_tokens`.
  std::vector<std::uint64_t> passage = {};
  /// The records of the passage, if the search was requested to return records.
  std::vector<Node> passage_nodes = {};
  /// How many records of the passage did not fit into RecallOptions::max_tokens. Each is counted
  /// once, at the best hit.
  std::size_t left_out = 0;
};

}  // namespace cairn
