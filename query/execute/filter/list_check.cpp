// Reads one property of the records in batches, goes down to the list through maps and asks the
// language's own IN.
#include "query/execute/filter/list_check.hpp"

#include "codec/id_set.hpp"
#include "query/execute/budget.hpp"
#include "query/execute/graph_reader.hpp"
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

Result<codec::IdSet> lists_without(GraphReader& graph, Budget& budget, const ListsAtPath& lists,
                                   const Value& value) {
  constexpr std::size_t batch = 1'024;
  const std::vector<std::uint64_t> all = lists.ids.to_vector();
  const std::span below = std::span(lists.keys).subspan(1);
  std::vector<std::uint64_t> kept;
  for (std::size_t begin = 0; begin < all.size(); begin += batch) {
    const std::span some = std::span(all).subspan(begin, std::min(batch, all.size() - begin));
    CAIRN_TRY(budget.step(some.size()));
    CAIRN_ASSIGN(auto values, graph.properties(lists.kind, some, lists.keys.front()));
    for (std::size_t i = 0; i < some.size(); ++i) {
      CAIRN_ASSIGN(const Value is_there, is_in(value, at_path(std::move(values[i]), below)));
      if (const bool* known = is_there.get_if<bool>(); known != nullptr && !*known)
        kept.push_back(some[i]);
    }
  }
  return codec::IdSet::from_sorted(kept);
}

}  // namespace cairn::query
