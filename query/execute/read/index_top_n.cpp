// The first ids of an index's order for ORDER BY n.p LIMIT k, see optimize/index_top_n.cpp, and those of
// min(n.p) and max(n.p), see optimize/index_min_max.cpp. All ids come back where the order cannot
// tell: a property with lists, values of types without an order in the index, or a filter so narrow
// that reading its records is cheaper.
//
// Rule of null in ORDER BY: last ascending, first descending.
#include "query/execute/read/index_top_n.hpp"

#include "codec/id_intersection.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/index/path_column.hpp"
#include "query/execute/path_index.hpp"
#include "query/plan/cardinality.hpp"
#include "query/plan/operator_content.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

constexpr auto node = codec::EntityKind::node;
using End = engine::SortedColumn::End;
using Sets = std::span<const codec::Bitmap>;

// Nulls come last, and first in descending order. They are all alike.
codec::Bitmap first_descending(const engine::SortedColumn& order, const codec::Bitmap& ids,
                               std::uint64_t wanted) {
  const codec::Bitmap missing = codec::subtract(ids, order.all());
  const std::uint64_t nulls = missing.cardinality();
  if (nulls >= wanted) return missing;
  return codec::unite(missing, order.first_of(ids, wanted - nulls, End::greatest));
}

/// With fewer values than wanted, nulls are wanted too, and none can be left out.
codec::Bitmap first_ascending(const engine::SortedColumn& order, const codec::Bitmap& ids,
                              std::uint64_t wanted) {
  codec::Bitmap first = order.first_of(ids, wanted, End::least);
  return first.cardinality() < wanted ? ids : first;
}

bool is_worth_it(const engine::SortedColumn& order, std::uint64_t ids, std::uint64_t wanted,
                 double records) {
  const double steps = order.steps_to_first(ids, wanted);
  return cost::index_predicate + steps * cost::order_place < records;
}

/// How many ids all of `sets` and one more have.
std::uint64_t count_common(Sets sets, const codec::Bitmap& more) {
  if (more.empty()) return 0;
  std::vector<codec::Bitmap> all(sets.begin(), sets.end());
  all.push_back(more);
  return codec::intersection_cardinality(all);
}

/// Null where reading the records, `count` of them, is right: cheaper, or because some of them have a value
/// that the order has not.
Result<engine::SortedColumn::Ptr> order_of(GraphReader& graph, Sets sets, std::uint64_t count,
                                           const std::string& property, std::uint64_t wanted) {
  const double records = cost::record_read * static_cast<double>(count);
  CAIRN_ASSIGN(auto order, kept_order(graph, node, {property}, records));
  if (order == nullptr || !order->single_valued() || !is_worth_it(*order, count, wanted, records))
    return engine::SortedColumn::Ptr();
  const auto path = graph.catalog().find_path(node, engine::join_path({property}));
  CAIRN_ASSIGN(const codec::Bitmap others, engine::unordered_at_path(graph.view(), node, *path));
  if (count_common(sets, others) > 0) order = nullptr;
  return order;
}

/// Of a set without a null no intersection has one; else they are counted.
bool has_nulls(const engine::SortedColumn& order, Sets sets, std::uint64_t count) {
  const codec::Bitmap& first = sets.front();
  if (count_common({&first, 1}, order.all()) == first.cardinality()) return false;
  return count_common(sets, order.all()) < count;
}

/// The first of the intersection, which is not made for it. Nothing where there is a null that comes first,
/// or fewer values than are wanted.
std::optional<codec::Bitmap> first_walked(const engine::SortedColumn& order, Sets sets,
                                          std::uint64_t count, bool descending,
                                          std::uint64_t wanted) {
  if (descending && has_nulls(order, sets, count)) return std::nullopt;
  codec::Bitmap first = order.first_common(sets, wanted, descending ? End::greatest : End::least);
  if (first.cardinality() < wanted) return std::nullopt;
  return first;
}

/// Whether the intersection is expected to have so many that a walk to the first finds them soon: as though the
/// sets had nothing to do with each other, within the largest one. That is then counted.
bool may_be_walked(Sets sets, std::uint64_t wanted) {
  double all = 0;
  for (const codec::Bitmap& set : sets) all = std::max(all, static_cast<double>(set.cardinality()));
  if (all == 0) return false;
  double expected = all;
  for (const codec::Bitmap& set : sets) expected *= static_cast<double>(set.cardinality()) / all;
  return expected * expected > all * static_cast<double>(wanted);
}

}  // namespace

// Ties at the border are all in: which of them the sort keeps, it decides by the input's order.
Result<codec::Bitmap> index_top_n(GraphReader& graph, Sets sets, const IndexTopN& first,
                                  std::uint64_t wanted) {
  codec::Bitmap ids;
  if (sets.size() > 1 && !may_be_walked(sets, wanted)) {
    ids = codec::intersect_all(sets);
    sets = {&ids, 1};
  }
  const std::uint64_t count = codec::intersection_cardinality(sets);
  if (count <= wanted) return codec::intersect_all(sets);
  CAIRN_ASSIGN(const auto order, order_of(graph, sets, count, first.property, wanted));
  if (order != nullptr && order->walks_places(count, wanted))
    if (auto found = first_walked(*order, sets, count, first.descending, wanted))
      return *std::move(found);
  ids = codec::intersect_all(sets);
  if (order == nullptr) return ids;
  return first.descending ? first_descending(*order, ids, wanted)
                          : first_ascending(*order, ids, wanted);
}

// Ids ascend as the rows of the scan would, so that the first of equal values is the one that the
// aggregation would have kept. A property whose order does not tell needs all rows.
Result<codec::Bitmap> index_min_max(GraphReader& graph, const codec::Bitmap& ids,
                                    std::span<const IndexMinMax> wanted) {
  if (ids.cardinality() <= 1) return ids;
  std::vector<std::uint64_t> found;
  bool is_told = true;
  for (const IndexMinMax& one : wanted) {
    // Asked of each, so that each gets worth being kept.
    CAIRN_ASSIGN(const auto order, order_of(graph, {&ids, 1}, ids.cardinality(), one.property, 1));
    is_told = is_told && order != nullptr;
    if (!is_told) continue;
    const auto take = [&](End end) {
      if (const auto first = order->first_of(ids, 1, end).first()) found.push_back(*first);
    };
    if (one.least) take(End::least);
    if (one.greatest) take(End::greatest);
  }
  return is_told ? codec::Bitmap::from_unsorted(std::move(found)) : ids;
}

}  // namespace cairn::query
