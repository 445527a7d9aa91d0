// Scans nodes: evaluates the filter to a set of ids and returns one row per id, in the order of
// ids. Without conditions, these are all visible nodes. Only the set of ids is held in memory.

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

// The first functions find the nodes that can be among the first rows of ORDER BY n.p LIMIT k, or
// that can have the values of min(n.p) and max(n.p), from a sorted column of the index (see
// optimize/answer_by_index.cpp). These functions return all ids if the column cannot answer: for
// properties with lists or with values that have no order in the index, and for filters so narrow
// that reading the records is cheaper.
//
// ORDER BY puts nulls last in ascending order and first in descending order.

constexpr auto node_kind = codec::EntityKind::node;

using End = engine::CurrentOrder::End;
using Ties = engine::CurrentOrder::Ties;

Ties ties_of(const IndexTopN& first) { return first.ties_by_id ? Ties::lowest_ids : Ties::all; }

using Sets = std::span<const codec::Bitmap>;

/// Returns the `wanted` lowest of the ids, which are not fewer.
codec::Bitmap lowest_ids(const codec::Bitmap& ids, std::uint64_t wanted) {
  std::vector<std::uint64_t> lowest(wanted);
  codec::IdCursor(ids).next(lowest);
  return codec::Bitmap::from_sorted(lowest);
}

// Nulls come first in descending order. All nulls are equal.
codec::Bitmap first_descending(const engine::CurrentOrder& order, const codec::Bitmap& ids,
                               std::uint64_t wanted, Ties ties) {
  const codec::Bitmap missing = codec::subtract(ids, order.all());
  const std::uint64_t nulls = missing.cardinality();
  if (nulls >= wanted) return ties == Ties::all ? missing : lowest_ids(missing, wanted);
  return codec::unite(missing, order.first_of(ids, wanted - nulls, End::greatest, ties));
}

/// If there are fewer values than wanted rows, nulls are needed too, so all ids are returned.
codec::Bitmap first_ascending(const engine::CurrentOrder& order, const codec::Bitmap& ids,
                              std::uint64_t wanted, Ties ties) {
  codec::Bitmap first = order.first_of(ids, wanted, End::least, ties);
  return first.cardinality() < wanted ? ids : first;
}

// True if using the sorted column costs less than reading the records.
bool is_worth_it(const engine::CurrentOrder& order, std::uint64_t ids, std::uint64_t wanted,
                 double records) {
  const double steps = order.steps_to_first(ids, wanted);
  return cost::index_predicate + steps * cost::order_place < records;
}

/// Returns the number of ids that are in all of `sets` and in `more`.
std::uint64_t count_common(Sets sets, const codec::Bitmap& more) {
  if (more.empty()) return 0;
  std::vector<codec::Bitmap> all(sets.begin(), sets.end());
  all.push_back(more);
  return codec::intersection_cardinality(all);
}

/// Returns the sorted column of the property. Returns nullptr if the `count` records must be read:
/// because reading them is cheaper, or because the column lacks some values.
Result<engine::CurrentOrder::Ptr> order_of(GraphReader& graph, Sets sets, std::uint64_t count,
                                           const std::string& property, std::uint64_t wanted) {
  const double records = cost::record_read * static_cast<double>(count);
  CAIRN_ASSIGN(auto order, kept_order(graph, node_kind, {property}, records));
  if (order == nullptr || !order->single_valued() || !is_worth_it(*order, count, wanted, records))
    return engine::CurrentOrder::Ptr();
  const auto path = graph.catalog().find_path(node_kind, engine::join_path({property}));
  CAIRN_ASSIGN(const codec::Bitmap others,
               engine::unordered_at_path(graph.view(), node_kind, *path));
  if (count_common(sets, others) > 0) order = nullptr;
  return order;
}

/// Returns whether some of the ids have no value. If every id of the first set has a value, the
/// intersection need not be counted.
bool has_nulls(const engine::CurrentOrder& order, Sets sets, std::uint64_t count) {
  const codec::Bitmap& first = sets.front();
  if (count_common({&first, 1}, order.all()) == first.cardinality()) return false;
  return count_common(sets, order.all()) < count;
}

/// Returns the first ids of the intersection by walking the sorted column, without computing the
/// intersection. Returns nullopt if nulls come first or if there are fewer values than wanted.
std::optional<codec::Bitmap> first_walked(const engine::CurrentOrder& order, Sets sets,
                                          std::uint64_t count, const IndexTopN& by,
                                          std::uint64_t wanted) {
  if (by.descending && has_nulls(order, sets, count)) return std::nullopt;
  codec::Bitmap first =
      order.first_common(sets, wanted, by.descending ? End::greatest : End::least, ties_of(by));
  if (first.cardinality() < wanted) return std::nullopt;
  return first;
}

/// Estimates whether the intersection is so large that a walk finds its first ids soon. Assumes
/// that the sets are independent within the largest set. If the estimate is large enough, the
/// caller counts the real size next.
bool may_be_walked(Sets sets, std::uint64_t wanted) {
  double all = 0;
  for (const codec::Bitmap& set : sets) all = std::max(all, static_cast<double>(set.cardinality()));
  if (all == 0) return false;
  double expected = all;
  for (const codec::Bitmap& set : sets) expected *= static_cast<double>(set.cardinality()) / all;
  return expected * expected > all * static_cast<double>(wanted);
}

/// Returns those ids in the intersection of `sets` that are among the first `wanted` rows of ORDER
/// BY, including ties with the last of them unless the sort decides among them by id.
/// Returns more ids, up to all, if the column is not cached or if reading the records is cheaper.
/// Cost: a bit test per set for each position of the column up to the last wanted one. If that
/// position is far, the intersection is computed.
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
    if (auto found = first_walked(*order, sets, count, first, wanted)) return *std::move(found);
  ids = codec::intersect_all(sets);
  if (order == nullptr) return ids;
  return first.descending ? first_descending(*order, ids, wanted, ties_of(first))
                          : first_ascending(*order, ids, wanted, ties_of(first));
}

/// Returns for each property one or two ids, among them one with the least value and one with the
/// greatest value, as requested. Of equal values, returns the one with the lowest id, as the
/// aggregation would. Returns no id if no id has a value, and all ids if a column is not available.
Result<codec::Bitmap> index_min_max(GraphReader& graph, const codec::Bitmap& ids,
                                    std::span<const IndexMinMax> wanted) {
  if (ids.cardinality() <= 1) return ids;
  std::vector<std::uint64_t> found;
  bool is_told = true;
  for (const IndexMinMax& one : wanted) {
    // Asks for every column, so that each one becomes worth caching.
    CAIRN_ASSIGN(const auto order, order_of(graph, {&ids, 1}, ids.cardinality(), one.property, 1));
    is_told = is_told && order != nullptr;
    if (!is_told) continue;
    const auto take = [&](End end) {
      for (const std::uint64_t id : order->extremes(ids, end)) found.push_back(id);
    };
    if (one.least) take(End::least);
    if (one.greatest) take(End::greatest);
  }
  return is_told ? codec::Bitmap::from_unsorted(std::move(found)) : ids;
}

// Evaluates the filter once for all input rows, or once per row if the filter reads variables of
// the row.
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
  /// The sets and conditions are valid until the next row evaluates the filter again.
  Status begin(Row row) override {
    CAIRN_ASSIGN(const FilterEvaluator::FoundParts* parts, filter_.find_parts(row));
    recheck_ = parts->recheck;
    // If records must be rechecked, any of them may fail, so the scan must not omit rows.
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

  /// Checks the remaining conditions on all new rows of the batch at once.
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

  /// A packed batch accepts no further rows. So a few ids are returned unpacked, and other rows can
  /// follow.
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

  /// SKIP and LIMIT read no variable of a row. If their sum exceeds 64 bits, no ids are omitted.
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
  codec::Bitmap needed_;  // ids that the later sort or aggregation may need
  std::optional<codec::IdCursor> cursor_;
  std::optional<NearestFirst> nearest_;
  bool is_nearest_first_ = false;
};

}  // namespace

OperatorPtr make_operator(const ScanNodes& content, Parts parts) {
  return std::make_unique<ScanNodesOperator>(content, std::move(parts));
}

}  // namespace cairn::query
