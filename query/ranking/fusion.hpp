#pragma once
// Rank fusion: combines several ranked lists into one. All functions are pure.

#include <cairn/ranking.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cairn::query {

/// An id with its score.
struct RankedId {
  std::uint64_t id = 0;
  double score = 0;
};

/// The order of hits: best first. Equal scores are ordered by id, so that results are repeatable.
inline constexpr auto is_better = [](const auto& a, const auto& b) noexcept {
  return a.score != b.score ? a.score > b.score : a.id < b.id;
};

/// The result of one retriever: distinct ids, best first, with finite scores.
struct RankedList {
  RetrieverKind retriever = RetrieverKind::vector;
  double weight = 1;
  std::vector<RankedId> items;
  /// Score of an id that is not in the list, for the fusions that score every id in every list (z-scores, share,
  /// range). nullopt: the lowest score of the list.
  std::optional<double> absent = std::nullopt;
  double floor = 0;  ///< the score of no similarity, from which shares are measured
};

/// An id of the fused list, with the contribution of each list.
struct FusedId {
  std::uint64_t id = 0;
  double score = 0;
  /// By rank and by score: only the lists that contain the id, in the order of the lists. By z-scores, share and
  /// range: all lists; the rank is 0 if the list does not contain the id.
  std::vector<RetrieverShare> shares;
};

/// Reciprocal rank fusion: the sum of weight / (k + rank) over the lists that contain the id. Ranks begin at 1.
/// Weights are scaled to the sum 1. Returns best first, ties by id.
///
/// Source: Cormack, Clarke, Büttcher, SIGIR 2009. The weights are a common extension.
/// Errors: invalid_argument if k or a weight is negative or not finite, or if all weights are 0.
[[nodiscard]] Result<std::vector<FusedId>> fuse_by_rank(std::span<const RankedList> lists,
                                                        double k);
/// The sum of weight * score over the lists that contain the id. Weights are used as given. Returns best first, ties
/// by id. Errors: invalid_argument if a weight or a sum is not finite.
[[nodiscard]] Result<std::vector<FusedId>> fuse_by_score(std::span<const RankedList> lists);

/// The sum of weight * (score - mean) / deviation over all lists, for the ids of any list. Weights are scaled to the
/// sum 1. A list whose scores are all equal contributes nothing. Returns best first, ties by id.
/// Errors: as fuse_by_rank() for weights.
[[nodiscard]] Result<std::vector<FusedId>> fuse_by_zscore(std::span<const RankedList> lists);
/// The sum of weight * score / highest score over all lists, for the ids of any list (max-normalised CombSUM). Scores
/// are measured from the floor of their list. Weights are scaled to the sum 1, so that results are from 0 to 1. A
/// list with a score below its floor is scaled as by fuse_normalised(). Differences between scores are not stretched:
/// a list with nearly equal scores has little influence on the order. Returns best first, ties by id.
/// Errors: as fuse_by_rank() for weights.
[[nodiscard]] Result<std::vector<FusedId>> fuse_by_share(std::span<const RankedList> lists);
/// The sum of weight * (score - lowest) / (highest - lowest) over all lists, for the ids of any list (min-max
/// CombSUM). Weights are scaled to the sum 1, so that results are from 0 to 1. If all scores of a list are equal,
/// each counts as 1. Returns best first, ties by id.
/// Errors: as fuse_by_rank() for weights.
[[nodiscard]] Result<std::vector<FusedId>> fuse_normalised(std::span<const RankedList> lists);

/// Fuses the lists by `fusion`. The fusion's weights by kind of retriever replace the weights of the lists. The scores
/// of a single list need no normalisation and stay as they are; only reciprocal ranks replace them.
[[nodiscard]] Result<std::vector<FusedId>> fuse(std::vector<RankedList> lists,
                                                const Fusion& fusion);

}  // namespace cairn::query
