#pragma once
// Hit: a record that a search found, its score, and what the score is made of. Every search gives hits of this type.
//
//     options.with_nodes = true;
//     CAIRN_ASSIGN(const auto hits, recall(snapshot, "what does Ada drink", options));
//     for (const Hit& hit : hits) std::cout << hit.score << " " << hit.node->property("text").to_text() << "\n";

#include <cairn/graph.hpp>
#include <cairn/visibility.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace cairn {

/// What found a hit.
enum class RetrieverKind : std::uint8_t { vector, text, keyword, graph };
/// "vector", "text", "keyword" or "graph".
[[nodiscard]] CAIRN_EXPORT std::string_view to_string(RetrieverKind retriever) noexcept;

/// A retriever's part in a score.
/// A retriever that did not find the record has no entry.
struct RetrieverShare {
  RetrieverKind retriever = RetrieverKind::vector;
  std::size_t rank = 0;  ///< from 1
  double score = 0;      ///< the retriever's own
  double share = 0;      ///< what it adds to the fused score
};

/// What the features of recall() gave: (text + dense + propagation + group) * named * rules / whole.
struct FeatureScores {
  double text = 0;         ///< its own: 1 for the best BM25, more with dates, feedback
  double propagation = 0;  ///< what came along relationships
  double group = 0;
  double dense = 0;  ///< what its vector is worth
  double named = 1;  ///< what the sum of these is multiplied by
  double rules = 1;  ///< and by this: boosts and features
  double whole = 1;  ///< what the product is divided by, the same for all hits of a call
};

/// Why a hit has its score: (sum of shares + sum of terms) * product of factors = raw.
///
/// Two hits with one score, because it is cut, are still in the order of `raw`.
struct Explanation {
  std::vector<RetrieverShare> retrievers;
  double fused = 0;             ///< the sum of the shares
  std::vector<double> terms;    ///< as in Ranking::terms: weight * value, 0 where there is no field
  std::vector<double> factors;  ///< as in Ranking::boosts: 1 + factor, or 1
  double raw = 0;               ///< hits are ordered by it, equal ones by id
  /// Of a search by recall() alone.
  std::optional<FeatureScores> features = std::nullopt;
};

/// One record that a search found. Larger scores are better; what a score means is said where the search is.
///
/// Cost: a copy shares the node and the explanation.
struct Hit {
  /// NodeId::value; of an index of relationships RelationshipId::value.
  std::uint64_t id = 0;
  double score = 0;
  /// The record as of the snapshot, where the search was asked for it.
  std::optional<Node> node = std::nullopt;
  /// Null for a search of one index of vectors, whose score is made of nothing else.
  std::shared_ptr<const Explanation> explanation = nullptr;  // owners: the copies of this hit
  /// Those to other records that the search may find, where it was asked for them: by property `weight` from high
  /// to low, without one it is 1.
  std::vector<Relationship> relationships = {};
};

}  // namespace cairn
