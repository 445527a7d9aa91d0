#pragma once
// Searches over relationships. A relationship is visible only if both ends are, and an index does not know the ends. So
// the ends of the hits are tested, and the search is repeated to replace hits with a hidden end.

#include "codec/bitmap.hpp"
#include "codec/entity_kind.hpp"
#include "query/execute/pipeline/execution_context.hpp"

#include <cairn/result.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace cairn::query {

/// True if the statement may see both ends of a relationship. An end may have expired, or may belong to another
/// namespace.
[[nodiscard]] Result<bool> has_visible_ends(ExecutionContext& context, std::uint64_t relationship);

/// Removes the hits whose ends are not visible, and returns their ids.
template <class Hits>
Result<std::vector<std::uint64_t>> remove_hidden(ExecutionContext& context, Hits& hits) {
  std::vector<std::uint64_t> hidden;
  Hits seen;
  for (auto& hit : hits) {
    CAIRN_ASSIGN(const bool is_visible, has_visible_ends(context, hit.id));
    if (is_visible)
      seen.push_back(std::move(hit));
    else
      hidden.push_back(hit.id);
  }
  hits = std::move(seen);
  return hidden;
}

/// Reduces `found`, the result of search(allowed, k) for relationships, to the best `k` hits with visible ends. The
/// search is repeated without the hits that have hidden ends, for twice as many hits each time, so that few repetitions
/// suffice.
template <class Found, class Search>
Status keep_visible(ExecutionContext& context, std::size_t k, const codec::Bitmap* allowed,
                    const Search& search, Found& found) {
  CAIRN_ASSIGN(const codec::Bitmap* const nodes,
               context.graph.restriction(codec::EntityKind::node));
  if (nodes == nullptr) return {};
  if (allowed == nullptr) {
    CAIRN_ASSIGN(allowed, context.graph.visible(codec::EntityKind::relationship));
  }
  codec::Bitmap hidden, rest;
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 2;
  for (std::size_t wanted = k;;) {
    const bool may_have_more = found.hits.size() >= wanted;
    CAIRN_ASSIGN(auto more, remove_hidden(context, found.hits));
    const bool has_enough = found.hits.size() >= k;
    if (has_enough) found.hits.resize(k);
    if (has_enough || !may_have_more) return {};
    hidden = codec::unite(hidden, codec::Bitmap::from_unsorted(std::move(more)));
    rest = codec::subtract(*allowed, hidden);
    wanted = std::min(wanted, most) * 2;
    CAIRN_ASSIGN(found, search(&rest, wanted));
  }
}

/// Returns the best `k` hits of search(allowed, k) that are visible. `allowed` has only visible ids; nullptr: all ids of the
/// index are.
template <class Search>
auto search_visible(ExecutionContext& context, codec::EntityKind kind, std::size_t k,
                    const codec::Bitmap* allowed, const Search& search)
    -> decltype(search(allowed, k)) {
  CAIRN_ASSIGN(auto found, search(allowed, k));
  if (kind == codec::EntityKind::relationship)
    CAIRN_TRY(keep_visible(context, k, allowed, search, found));
  return found;
}

}  // namespace cairn::query
