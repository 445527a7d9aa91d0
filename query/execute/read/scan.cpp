// Nodes from a filter: index sets first, then one row for each id that is left.
// Rows come in the order of ids. Held in memory: the set of ids, in chunks; rows are made as they
// are asked for. With nothing in the filter it is every node that the statement may see.

#include "codec/sorted_ids.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/index/path_column.hpp"
#include "query/execute/expression/evaluate_subquery.hpp"
#include "query/execute/filter/filter_evaluator.hpp"
#include "query/execute/path_index.hpp"
#include "query/execute/read/nearest_first.hpp"
#include "query/execute/read/operators.hpp"
#include "query/plan/cardinality.hpp"
#include "query/plan/operator_content.hpp"

#include <cairn/result.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

// Which nodes can be among the first by the value of a property.
//
// The first ids of an index's order for ORDER BY n.p LIMIT k, see optimize/answer_by_index.cpp, and those of
// min(n.p) and max(n.p), see optimize/answer_by_index.cpp. All ids come back where the order cannot
// tell: a property with lists, values of types without an order in the index, or a filter so narrow
// that reading its records is cheaper.
//
// Rule of null in ORDER BY: last ascending, first descending.

constexpr auto node_kind = codec::EntityKind::node;

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

/// With fewer values than wanted, nulls are needed too, so all ids are kept.
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

/// The number of ids common to all of `sets` and one more.
std::uint64_t count_common(Sets sets, const codec::Bitmap& more) {
  if (more.empty()) return 0;
  std::vector<codec::Bitmap> all(sets.begin(), sets.end());
  all.push_back(more);
  return codec::intersection_cardinality(all);
}

/// Null if the `count` records must be read: because that is cheaper, or because some have a value
/// that the order lacks.
Result<engine::SortedColumn::Ptr> order_of(GraphReader& graph, Sets sets, std::uint64_t count,
                                           const std::string& property, std::uint64_t wanted) {
  const double records = cost::record_read * static_cast<double>(count);
  CAIRN_ASSIGN(auto order, kept_order(graph, node_kind, {property}, records));
  if (order == nullptr || !order->single_valued() || !is_worth_it(*order, count, wanted, records))
    return engine::SortedColumn::Ptr();
  const auto path = graph.catalog().find_path(node_kind, engine::join_path({property}));
  CAIRN_ASSIGN(const codec::Bitmap others,
               engine::unordered_at_path(graph.view(), node_kind, *path));
  if (count_common(sets, others) > 0) order = nullptr;
  return order;
}

/// A set without nulls gives an intersection without nulls; otherwise they are counted.
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

/// Those of the intersection of `sets` that are among the first `wanted` in the order of ORDER BY, and at least
/// all with the same value as the last of them; more, up to all, where the order is not cached or would cost
/// more than reading the records. Cost: a bit test for each set and place of the order up to the last one
/// wanted; where that is far, the intersection is made.
/// Ties at the border are all in: which of them the sort keeps, it decides by the input's order.
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

/// Of each property one of `ids` with the least value and one with the greatest, as far as they are asked for: of
/// those with an equal value the first. None where no id has a value; all where an order is not cached or does not
/// tell.
/// Ids ascend as the rows of the scan would, so that the first of equal values is the one that the
/// aggregation would have chosen. A property whose order does not tell needs all rows.
Result<codec::Bitmap> index_min_max(GraphReader& graph, const codec::Bitmap& ids,
                                    std::span<const IndexMinMax> wanted) {
  if (ids.cardinality() <= 1) return ids;
  std::vector<std::uint64_t> found;
  bool is_told = true;
  for (const IndexMinMax& one : wanted) {
    // Looks up each order, so that each becomes worth caching.
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

// The filter is evaluated once for all rows of the input, or for each where it reads their
// variables.
class ScanNodesOperator final : public FanOutOperator {
 public:
  ScanNodesOperator(const ScanNodes& content, Parts parts)
      : FanOutOperator(parts.context, std::move(parts.input), parts.width),
        slot_(content.filter.slot),
        first_(content.first),
        extremes_(content.extremes),
        filter_(parts.context.evaluator, content.filter) {
    if (content.nearest) nearest_.emplace(context_, *content.nearest, codec::EntityKind::node);
  }

 protected:
  /// Sets and conditions hold until the filter is asked again, which is with the next row.
  Status begin(Row row) override {
    CAIRN_ASSIGN(const FilterEvaluator::FoundParts* parts, filter_.find_parts(row));
    recheck_ = parts->recheck;
    // If records are checked again, any of them may drop out: then nothing is cut off here.
    const bool is_narrowed = (first_ || !extremes_.empty()) && recheck_.empty();
    if (is_narrowed) {
      CAIRN_ASSIGN(needed_, needed_of(parts->sets));
    }
    cursor_.emplace(is_narrowed ? needed_ : filter_.made().ids);
    is_nearest_first_ = false;
    if (nearest_) {
      CAIRN_ASSIGN(is_nearest_first_, nearest_->begin(filter_.made().ids));
    }
    return {};
  }

  /// Checks the remaining conditions on the whole batch, from its first new row.
  Result<bool> emit(Row row, RowBatch& out) override {
    std::array<std::uint64_t, RowBatch::capacity> ids;
    const std::size_t first = out.size();
    CAIRN_ASSIGN(const std::size_t count, next_ids(std::span(ids).first(out.room_for(row))));
    CAIRN_TRY(give(std::span(ids).first(count), row, out));
    CAIRN_TRY(budget().step(count));
    CAIRN_TRY(keep_passing(context_, recheck_, out, first));
    return count > 0;
  }

 private:
  Result<std::size_t> next_ids(std::span<std::uint64_t> ids) {
    if (is_nearest_first_) return nearest_->next(ids);
    return cursor_->next(ids);
  }

  /// A packed batch takes no more rows: few are given as rows, so that those of the next row join them.
  Status give(std::span<const std::uint64_t> ids, Row row, RowBatch& out) {
    constexpr std::size_t enough = 16;
    if (out.empty() && ids.size() >= enough) {
      std::vector<BatchColumn> columns;
      for (const Value& value : row) columns.push_back(BatchColumn::constant(value));
      columns.resize(width());
      columns[slot_] = BatchColumn::entities(node_kind, {ids.begin(), ids.end()});
      return out.pack(ids.size(), std::move(columns));
    }
    for (const std::uint64_t id : ids) {
      CAIRN_ASSIGN(const Row made, out.append(row));
      made[slot_] = Node(NodeId{id});
    }
    return {};
  }

  /// SKIP and LIMIT read no variable of a row. Where their sum does not fit 64 bits, nothing is cut
  /// off.
  Result<codec::Bitmap> needed_of(std::span<const codec::Bitmap> sets) {
    if (!extremes_.empty()) return index_min_max(graph(), filter_.made().ids, extremes_);
    CAIRN_ASSIGN(std::size_t wanted, evaluate_count(evaluator(), *first_->limit, "LIMIT"));
    if (first_->skip != nullptr) {
      CAIRN_ASSIGN(const std::size_t skip, evaluate_count(evaluator(), *first_->skip, "SKIP"));
      if (wanted + skip < wanted) return filter_.made().ids;
      wanted += skip;
    }
    return index_top_n(graph(), sets, *first_, wanted);
  }

  Slot slot_;
  const std::optional<IndexTopN>& first_;
  const std::vector<IndexMinMax>& extremes_;
  FilterEvaluator filter_;
  std::span<const Expression* const> recheck_;
  codec::Bitmap needed_;  // what the sort or the aggregation behind can keep
  std::optional<codec::IdCursor> cursor_;
  std::optional<NearestFirst> nearest_;
  bool is_nearest_first_ = false;
};

}  // namespace

OperatorPtr make_operator(const ScanNodes& content, Parts parts) {
  return std::make_unique<ScanNodesOperator>(content, std::move(parts));
}

}  // namespace cairn::query
