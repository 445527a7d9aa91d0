// Reads one property of the records in batches, goes down to the list through maps and asks the
// language's own IN.
#include "query/execute/filter/list_check.hpp"

#include "codec/bitmap.hpp"
#include "query/execute/budget.hpp"
#include "query/execute/graph_reader.hpp"
#include "query/execute/holding.hpp"
#include "query/functions/value_semantics.hpp"

#include <algorithm>
#include <span>

namespace cairn::query {
namespace {

/// Null where the path ends before its last key.
Value at_path(Value value, std::span<const std::string> keys) {
  for (const std::string& key : keys) {
    const Map* map = value.map();
    if (map == nullptr) return {};
    const auto entry = map->find(key);
    if (entry == map->end()) return {};
    Value below = entry->second;
    value = std::move(below);
  }
  return value;
}

}  // namespace

Result<codec::Bitmap> lists_without(GraphReader& graph, Budget& budget, const ListsAtPath& lists,
                                    const Value& value) {
  const std::vector<std::uint64_t> all = lists.ids.to_vector();
  const std::span below = std::span(lists.keys).subspan(1);
  std::vector<std::uint64_t> kept;
  for (std::size_t next = 0; next < all.size();) {
    const auto rest = std::span(all).subspan(next);
    CAIRN_ASSIGN(auto values, graph.some_properties(lists.kind, rest, lists.keys.front()));
    for (Value& read : values) {
      CAIRN_TRY(budget.step(steps_of(read)));
      CAIRN_ASSIGN(const Value is_there, is_in(value, at_path(std::move(read), below)));
      if (const bool* known = is_there.get_if<bool>(); known != nullptr && !*known)
        kept.push_back(all[next]);
      ++next;
    }
  }
  return codec::Bitmap::from_sorted(kept);
}

}  // namespace cairn::query
