// Fusion formulas. w is the weight of a list, scaled so that the weights sum to 1:
//
//    rank        sum of w / (k + rank)           over the lists that contain the id (Cormack et al. 2009)
//    score       sum of weight * score           weights as given
//    share       sum of w * (score - floor) / (highest - floor)
//    z-score     sum of w * (score - mean) / standard deviation
//    normalised  sum of w * (score - lowest) / (highest - lowest)
//
// The last three give every id a score in every list. An id that a list lacks gets RankedList::absent or the lowest
// score of the list. Equal sums are ordered by id. Cost: n log n for n ids.
#include "query/ranking/fusion.hpp"

#include <cairn/memory/ranking.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>

namespace cairn::query {
namespace {

Error bad_number(const char* what, const char* demand, double value) {
  return {
      ErrorCode::invalid_argument,
      std::string(what) + " of a fusion must be " + demand + ", and not " + Value(value).to_text(),
      {}};
}

// Sorts by score and then by id. Errors: invalid_argument for a score that is not finite, since it cannot be ordered.
Result<std::vector<FusedId>> best_first(std::vector<FusedId> fused) {
  for (const FusedId& hit : fused)
    if (!std::isfinite(hit.score)) return bad_number("a score", "finite", hit.score);
  std::ranges::sort(fused, is_better);
  return fused;
}

// Sums the shares of each id over the lists that contain it. `share_of(list, item, rank)` returns the share. The items
// of a list are best first, so the rank is the position, counted from 1.
template <class ShareOf>
Result<std::vector<FusedId>> gather(std::span<const RankedList> lists, const ShareOf& share_of) {
  std::vector<FusedId> fused;
  std::unordered_map<std::uint64_t, std::size_t> places;
  for (const RankedList& list : lists) {
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const RankedId& item = list.items[i];
      const auto [place, is_new] = places.try_emplace(item.id, fused.size());
      if (is_new) fused.push_back({item.id, 0, {}});
      FusedId& hit = fused[place->second];
      const double share = share_of(list, item, i + 1);
      hit.score += share;
      hit.shares.push_back({list.retriever, i + 1, item.score, share});
    }
  }
  return best_first(std::move(fused));
}

// Errors: a weight that is negative or not finite, or weights that are all 0.
Result<double> sum_of_weights(std::span<const RankedList> lists) {
  double sum = 0;
  for (const RankedList& list : lists) {
    if (!std::isfinite(list.weight) || list.weight < 0)
      return bad_number("a weight", "finite and not negative", list.weight);
    sum += list.weight;
  }
  if (!std::isfinite(sum) || (sum <= 0 && !lists.empty()))
    return bad_number("the sum of the weights", "finite and more than 0", sum);
  return sum;
}

/// Returns the distinct ids of all lists, ascending.
std::vector<std::uint64_t> all_ids(std::span<const RankedList> lists) {
  std::vector<std::uint64_t> ids;
  for (const RankedList& list : lists)
    for (const RankedId& item : list.items) ids.push_back(item.id);
  std::ranges::sort(ids);
  ids.erase(std::ranges::unique(ids).begin(), ids.end());
  return ids;
}

/// One list as a column of a matrix: for each id its score and its rank in the list.
struct Column {
  std::vector<double> scores;
  std::vector<std::size_t> ranks;
};

/// An id that the list lacks gets rank 0, and the score `absent` or the lowest score of the list.
Column column_of(const RankedList& list, const std::vector<std::uint64_t>& ids) {
  double least = list.items.empty() ? 0 : list.items.front().score;
  for (const RankedId& item : list.items) least = std::min(least, item.score);
  Column column{std::vector<double>(ids.size(), list.absent.value_or(least)),
                std::vector<std::size_t>(ids.size(), 0)};
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const auto at = std::ranges::lower_bound(ids, list.items[i].id) - ids.begin();
    column.scores[static_cast<std::size_t>(at)] = list.items[i].score;
    column.ranks[static_cast<std::size_t>(at)] = i + 1;
  }
  return column;
}

// If all scores are equal, each becomes 0 and the list has no influence. The lowest and highest score decide this:
// rounding can give equal scores a variance above 0.
void to_zscores(std::vector<double>& scores) {
  const double count = static_cast<double>(scores.size());
  double mean = 0;
  for (const double score : scores) mean += score / count;
  double variance = 0;
  for (const double score : scores) variance += (score - mean) * (score - mean) / count;
  const auto [least, most] = std::ranges::minmax(scores);
  const bool is_flat = least == most || variance == 0;
  for (double& score : scores) score = is_flat ? 0 : (score - mean) / std::sqrt(variance);
}

// If all scores are equal, each becomes 1, since each is the best.
void to_range(std::vector<double>& scores) {
  const auto [least, most] = std::ranges::minmax(scores);
  for (double& score : scores) score = least == most ? 1 : (score - least) / (most - least);
}

// A share of the highest score is meaningless for scores below the floor, which dot products may have. Such a list is
// scaled by its range.
void to_shares(std::vector<double>& scores, double floor) {
  const auto [least, most] = std::ranges::minmax(scores);
  if (least < floor) return to_range(scores);
  for (double& score : scores) score = most > floor ? (score - floor) / (most - floor) : 0;
}

// Fuses the lists after `scale(scores, floor)` has made their scores comparable. An empty list contributes nothing.
template <class Scale>
Result<std::vector<FusedId>> fuse_scaled(std::span<const RankedList> lists, const Scale& scale) {
  CAIRN_ASSIGN(const double sum, sum_of_weights(lists));
  const std::vector<std::uint64_t> ids = all_ids(lists);
  std::vector<FusedId> fused;
  for (const std::uint64_t id : ids) fused.push_back({id, 0, {}});
  for (const RankedList& list : lists) {
    Column column = column_of(list, ids);
    const std::vector<double> scores = column.scores;
    if (!list.items.empty()) scale(column.scores, list.floor);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const double share = list.items.empty() ? 0 : list.weight / sum * column.scores[i];
      fused[i].score += share;
      fused[i].shares.push_back({list.retriever, column.ranks[i], scores[i], share});
    }
  }
  return best_first(std::move(fused));
}

}  // namespace

Result<std::vector<FusedId>> fuse_by_rank(std::span<const RankedList> lists, double k) {
  if (!std::isfinite(k) || k < 0) return bad_number("k", "finite and not negative", k);
  CAIRN_ASSIGN(const double sum, sum_of_weights(lists));
  return gather(lists, [&](const RankedList& list, const RankedId&, std::size_t rank) {
    return list.weight / sum / (k + static_cast<double>(rank));
  });
}

Result<std::vector<FusedId>> fuse_by_score(std::span<const RankedList> lists) {
  for (const RankedList& list : lists)
    if (!std::isfinite(list.weight)) return bad_number("a weight", "finite", list.weight);
  return gather(lists, [](const RankedList& list, const RankedId& item, std::size_t) {
    return list.weight * item.score;
  });
}

Result<std::vector<FusedId>> fuse_by_zscore(std::span<const RankedList> lists) {
  return fuse_scaled(lists, [](auto& scores, double) { to_zscores(scores); });
}

Result<std::vector<FusedId>> fuse_by_share(std::span<const RankedList> lists) {
  return fuse_scaled(lists, to_shares);
}

Result<std::vector<FusedId>> fuse_normalised(std::span<const RankedList> lists) {
  return fuse_scaled(lists, [](auto& scores, double) { to_range(scores); });
}

// A weight that the fusion names for a kind of retriever replaces the weight of the list. No list has the kind `ranked`,
// so a weight of it would be ignored.
Result<std::vector<FusedId>> fuse(std::vector<RankedList> lists, const Fusion& fusion) {
  if (fusion.weights.contains(RetrieverKind::ranked))
    return Error{ErrorCode::invalid_argument,
                 "the weights of a fusion have the kind `ranked`; ranked retrievers count as text: "
                 "use RetrieverKind::text",
                 {}};
  for (RankedList& list : lists) {
    const auto weight = fusion.weights.find(list.retriever);
    if (weight != fusion.weights.end()) list.weight = weight->second;
  }
  const bool is_normalised =
      fusion.kind != Fusion::Kind::reciprocal_rank && fusion.kind != Fusion::Kind::weighted_sum;
  if (is_normalised && lists.size() == 1) {
    CAIRN_TRY(sum_of_weights(lists));
    lists.front().weight = 1;
    return fuse_by_score(lists);
  }
  switch (fusion.kind) {
    case Fusion::Kind::reciprocal_rank:
      return fuse_by_rank(lists, fusion.k);
    case Fusion::Kind::weighted_sum:
      return fuse_by_score(lists);
    case Fusion::Kind::z_score:
      return fuse_by_zscore(lists);
    case Fusion::Kind::max_norm:
      return fuse_by_share(lists);
    case Fusion::Kind::min_max:
      return fuse_normalised(lists);
  }
  return bad_number("the kind", "a known kind", static_cast<double>(fusion.kind));
}

}  // namespace cairn::query

namespace cairn {

// Rankings with the formulas and constants of other memory systems, for callers who expect the same order of results.

std::string_view to_string(RetrieverKind retriever) noexcept {
  switch (retriever) {
    case RetrieverKind::vector:
      return "vector";
    case RetrieverKind::text:
      return "text";
    case RetrieverKind::keyword:
      return "keyword";
    case RetrieverKind::graph:
      return "graph";
    case RetrieverKind::ranked:
      return "recall";
  }
  return "";
}

namespace memory {

// score = min(similarity * product of (1 + factor), 1), over twice as many hits as rows are requested.
Ranking similarity_ranking(const std::map<std::string, double>& boosts) {
  Ranking ranking;
  ranking.fusion.kind = Fusion::Kind::weighted_sum;
  ranking.oversample = 2;
  for (const auto& [field, factor] : boosts) ranking.boosts.push_back({field, factor, {}});
  return ranking;
}

// score = similarity + 0.1 / (1 + days / 30) + 0.05 * (1 - chunk_index / total_chunks), with the default weights,
// over twice as many hits as rows are requested.
Ranking recency_ranking(double boost_recent, double boost_early_chunks) {
  Ranking ranking;
  ranking.fusion.kind = Fusion::Kind::weighted_sum;
  ranking.oversample = 2;
  ranking.highest_score = {};
  ranking.terms.push_back({Ranking::Term::Kind::recency, boost_recent, "modified_time", {}, 30});
  ranking.terms.push_back(
      {Ranking::Term::Kind::position, boost_early_chunks, "chunk_index", "total_chunks", 30});
  return ranking;
}

// Weights of four retrievers. Texts and keywords have the same weight, because a caller uses one of them: the
// full-text index if there is one, else keywords.
Ranking rrf_ranking(QuestionKind kind) {
  const bool relational = kind == QuestionKind::relational;
  Ranking ranking;
  ranking.fusion.kind = Fusion::Kind::reciprocal_rank;
  ranking.fusion.k = 60;
  ranking.oversample = 4;
  ranking.fusion.weights = {{RetrieverKind::vector, relational ? 0.4 : 0.6},
                            {RetrieverKind::text, 0.2},
                            {RetrieverKind::keyword, 0.2},
                            {RetrieverKind::graph, relational ? 0.4 : 0.2}};
  return ranking;
}

}  // namespace memory

}  // namespace cairn
