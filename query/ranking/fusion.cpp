#include "query/ranking/fusion.hpp"

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

// Shares gathered by id; `share_of` gives what a place in a list adds. Errors: a sum beyond all floats,
// which has no place in an order.
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
      hit.shares.push_back({list.leg, i + 1, item.score, share});
    }
  }
  for (const FusedId& hit : fused)
    if (!std::isfinite(hit.score)) return bad_number("a score", "finite", hit.score);
  std::ranges::sort(fused, [](const FusedId& a, const FusedId& b) {
    return a.score != b.score ? a.score > b.score : a.id < b.id;
  });
  return fused;
}

}  // namespace

Result<std::vector<FusedId>> fuse_by_rank(std::span<const RankedList> lists, double k) {
  if (!std::isfinite(k) || k < 0) return bad_number("k", "finite and not negative", k);
  double sum = 0;
  for (const RankedList& list : lists) {
    if (!std::isfinite(list.weight) || list.weight < 0)
      return bad_number("a weight", "finite and not negative", list.weight);
    sum += list.weight;
  }
  if (lists.empty()) return std::vector<FusedId>();
  if (!std::isfinite(sum) || sum <= 0)
    return bad_number("the sum of the weights", "finite and more than 0", sum);
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

Result<std::vector<FusedId>> fuse(std::vector<RankedList> lists, const memory::Fusion& fusion) {
  for (RankedList& list : lists) {
    const auto weight = fusion.weights.find(list.leg);
    if (weight != fusion.weights.end()) list.weight = weight->second;
  }
  return fusion.kind == memory::Fusion::Kind::reciprocal_rank ? fuse_by_rank(lists, fusion.k)
                                                              : fuse_by_score(lists);
}

}  // namespace cairn::query
