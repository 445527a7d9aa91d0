#pragma once
// Fusion: several ranked lists made one. Pure functions over ids and numbers.

#include <cairn/ranking.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cairn::query {

struct RankedId {
  std::uint64_t id = 0;
  double score = 0;
};

/// What one retriever found: ids that differ, best first, scores finite.
struct RankedList {
  cairn::RetrieverKind retriever = cairn::RetrieverKind::vector;
  double weight = 1;
  std::vector<RankedId> items;
  /// By z-scores, share and range: what an id that is not in the list has. Null: the list's least.
  std::optional<double> absent = std::nullopt;
};

struct FusedId {
  std::uint64_t id = 0;
  double score = 0;
  /// By rank and by score: of the lists that have the id, in their order. By z-scores, share and range: of
  /// all lists, with rank 0 where a list has it not.
  std::vector<RetrieverShare> shares;
};

/// Reciprocal rank fusion: sum of weight / (k + rank), ranks from 1, weights made to sum to 1. A list
/// without the id adds nothing. Best first, equal scores by id.
///
/// Source: Cormack, Clarke, Buettcher, SIGIR 2009; the weights are an extension of common use.
/// Errors: invalid_argument for a negative or infinite k or weight, or weights that are all 0.
[[nodiscard]] Result<std::vector<FusedId>> fuse_by_rank(std::span<const RankedList> lists,
                                                        double k);
/// Sum of weight * score, weights as they are. Best first, equal scores by id.
/// Errors: invalid_argument for an infinite weight.
[[nodiscard]] Result<std::vector<FusedId>> fuse_by_score(std::span<const RankedList> lists);

/// Sum of weight * (score - mean) / deviation over all ids of all lists, weights made to sum to 1. A
/// list whose scores are all the same says nothing. Best first, equal scores by id.
/// Errors: as fuse_by_rank() for weights.
[[nodiscard]] Result<std::vector<FusedId>> fuse_by_zscore(std::span<const RankedList> lists);
/// Sum of weight * score / most over all ids of all lists, 0 to 1, weights made to sum to 1. Scores below
/// 0 count as 0, and a list without any above says nothing. Nothing is stretched: a list whose scores lie
/// close together moves an order little. Best first, equal scores by id.
/// Errors: as fuse_by_rank() for weights.
[[nodiscard]] Result<std::vector<FusedId>> fuse_by_share(std::span<const RankedList> lists);
/// Sum of weight * (score - least) / (most - least) over all ids of all lists, 0 to 1, weights made to
/// sum to 1. A list whose scores are all the same gives each of them 1. Best first, equal ones by id.
/// Errors: as fuse_by_rank() for weights.
[[nodiscard]] Result<std::vector<FusedId>> fuse_normalised(std::span<const RankedList> lists);

/// The one that is asked for, with its weights.
[[nodiscard]] Result<std::vector<FusedId>> fuse(std::vector<RankedList> lists,
                                                const Fusion& fusion);
/// The same with the weights of the lists; `k` is of ranks.
[[nodiscard]] Result<std::vector<FusedId>> fuse(std::span<const RankedList> lists,
                                                Fusion::Kind kind, double k);

}  // namespace cairn::query
