// Counts rows without making them: as the cardinality of a bitmap, or by the value of one property.
// Records of the candidates are read only if an index is not exact. The cost is that of the filter:
// counting a million nodes with an exact filter reads no record.

#include "codec/catalog_entry.hpp"
#include "codec/ordered_key.hpp"
#include "codec/sorted_ids.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/index/path_column.hpp"
#include "engine/index/value_postings.hpp"
#include "engine/view/lookup_result.hpp"
#include "query/execute/filter/filter_evaluator.hpp"
#include "query/execute/filter/filter_ids.hpp"
#include "query/execute/holding.hpp"
#include "query/execute/path_index.hpp"
#include "query/execute/pipeline/row_set.hpp"
#include "query/execute/read/operators.hpp"
#include "query/plan/cardinality.hpp"
#include "query/plan/operator_content.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

namespace cairn::query {
namespace {

// Reads one input row and returns one row. Each of its columns is the count.
class CountRowsOperator final : public PhysicalOperator {
 public:
  CountRowsOperator(const CountRows& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        plan_(content.filter),
        columns_(content.clause->aggregates.size()),
        filter_(parts.context.evaluator, content.filter) {}

  void restart() override {
    PhysicalOperator::restart();
    is_done_ = false;
  }

 protected:
  Result<bool> produce(RowBatch& out) override {
    if (is_done_) return false;
    is_done_ = true;
    RowBatch argument;
    CAIRN_ASSIGN(const bool is_there, input().next(argument));
    if (!is_there) return false;
    CAIRN_ASSIGN(const std::uint64_t count, count(argument[0]));
    CAIRN_ASSIGN(const Row row, out.append());
    for (std::size_t i = 0; i < columns_; ++i) row[i] = static_cast<std::int64_t>(count);
    return true;
  }

 private:
  /// If conjuncts must be rechecked, tests the records batch by batch and counts those that pass.
  /// Otherwise counts the intersection without computing it.
  Result<std::uint64_t> count(Row argument) {
    CAIRN_ASSIGN(const FilterEvaluator::FoundParts* parts, filter_.find_parts(argument));
    if (parts->recheck.empty()) return codec::intersection_cardinality(parts->sets);
    std::uint64_t count = 0;
    CAIRN_TRY(for_each_passing(context_, {plan_.slot, plan_.kind, parts->recheck},
                               filter_.made().ids, argument,
                               [&](const RowBatch& rows) { count += rows.size(); }));
    return count;
  }

  const FilterPlan& plan_;
  std::size_t columns_;
  FilterEvaluator filter_;
  bool is_done_ = false;
};

}  // namespace

OperatorPtr make_operator(const CountRows& content, Parts parts) {
  return std::make_unique<CountRowsOperator>(content, std::move(parts));
}

// Counts the rows of a scan by the value of one property. Most values are counted from their
// posting lists. Records are read if the index does not have the exact value, or if there are fewer
// records than values. Counting by the index costs one set operation per distinct value, and
// counting by records one read per record. The constants in plan/cardinality.hpp decide. One group
// per value is held in memory and charged. Groups are returned in the order of their first ids,
// which is the order of a scan.

namespace {

/// A group of equal values, compared by equivalence (null equals null, 1 equals 1.0).
struct Counted {
  /// The least id, which determines the order of groups, and whether a number is returned as 1 or
  /// 1.0.
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

// Returns the least id that both sets contain. Walks the chunks of both in order and stops at the
// first common id, without computing the whole intersection.
std::optional<std::uint64_t> first_common(const codec::Bitmap& a, const codec::Bitmap& b) {
  auto other = b.chunks().begin();
  for (const codec::Bitmap::Chunk& chunk : a.chunks()) {
    while (other != b.chunks().end() && other->key < chunk.key) ++other;
    if (other == b.chunks().end()) break;
    if (other->key != chunk.key) continue;
    const codec::Container both = codec::intersect(*chunk.container, *other->container);
    if (!both.empty()) return chunk.key << 16 | both.first();
  }
  return std::nullopt;
}

/// Counts by the index first. If the index cannot answer, or if reading records is cheaper, starts
/// again by reading records.
class ValueCounts {
 public:
  ValueCounts(ExecutionContext& context, codec::EntityKind kind, const std::string& property)
      : context_(context), kind_(kind), property_(property), held_(context.budget) {}

  using Group = std::pair<RowKey, Counted>;
  /// Returns the values among `ids` in the order of their first ids, as Aggregate does. A partial
  /// count by the index is discarded, because combining it with a count by records would count some
  /// ids twice.
  Result<std::vector<Group>> count(const codec::Bitmap& ids) {
    CAIRN_ASSIGN(const bool is_counted, count_by_index(ids));
    if (!is_counted) {
      forget();
      CAIRN_TRY(read(ids));
    }
    std::vector<Group> groups(counts_.begin(), counts_.end());
    std::ranges::sort(groups, {}, [](const Group& group) { return group.second.first; });
    return groups;
  }

  /// Discards all groups.
  void forget() {
    counts_.clear();
    held_.clear();
  }

 private:
  static constexpr std::size_t group_bytes = 128;
  /// If more than this fraction of the records (one in 8) has values that posting lists do not
  /// show, all records are read.
  static constexpr std::size_t others_part = 8;

  /// Adds to the group of the value. An existing group keeps its key.
  Status add(Value value, Counted counted) {
    RowKey key;
    CAIRN_TRY(context_.budget.step(steps_of(value)));
    key.push_back(std::move(value));
    const auto found = counts_.find(key);
    if (found != counts_.end()) {
      found->second.count += counted.count;
      found->second.first = std::min(found->second.first, counted.first);
      return {};
    }
    // Charged twice: for the table, and for the list that is made from it.
    CAIRN_TRY(held_.add_bytes(2 * (group_bytes + sizeof(Value))));
    CAIRN_TRY(held_.add(key));
    CAIRN_TRY(held_.add(key));
    counts_.emplace(std::move(key), counted);
    return {};
  }

  /// Reads records in batches, because the store reads many records together at lower cost.
  Status read(const codec::Bitmap& ids) {
    std::array<std::uint64_t, RowBatch::capacity> batch;
    codec::IdCursor cursor(ids);
    while (const std::size_t size = cursor.next(batch)) {
      for (std::size_t next = 0; next < size;) {
        const auto rest = std::span(batch).subspan(next, size - next);
        CAIRN_ASSIGN(auto values, context_.graph.some_properties(kind_, rest, property_));
        for (Value& value : values) CAIRN_TRY(add(std::move(value), {batch[next++], 1}));
      }
    }
    return {};
  }

  /// Returns false if the index cannot answer or if reading records is cheaper.
  Result<bool> count_by_index(const codec::Bitmap& ids) {
    const engine::Catalog& catalog = context_.graph.catalog();
    const engine::View& view = context_.graph.view();
    const auto path = catalog.find_path(kind_, engine::join_path({property_}));
    if (!path || catalog.path(*path)->state != codec::IndexState::online) return false;
    CAIRN_ASSIGN(const double values,
                 engine::estimate_values(view, kind_, *path, codec::EntryKind::scalar));
    const auto all = static_cast<double>(ids.cardinality());
    if (values * cost::value_count > all * cost::record_read) return false;
    std::uint64_t counted = 0;
    std::vector<std::uint64_t> others;
    const std::size_t most_others = ids.cardinality() / others_part;
    const auto visit = [&](std::string_view value, const codec::Bitmap& having) -> Status {
      CAIRN_TRY(context_.budget.step());
      if (others.size() > most_others) return {};
      if (is_plain(value)) return add_posting(value, having, ids, counted);
      codec::intersect(having, ids).for_each([&](std::uint64_t id) { others.push_back(id); });
      return {};
    };
    const Status visited =
        engine::visit_values(view, kind_, *path, codec::EntryKind::scalar, visit);
    if (!visited) return visited.error();
    if (others.size() > most_others) return false;
    return count_rest(ids, *path, counted, codec::Bitmap::from_unsorted(std::move(others)));
  }

  // Counts the ids without a plain value: either their record is read, because they have another
  // value, or they have no value. Returns false if the sum of all counts differs from the number of
  // ids. Then all records are read.
  Result<bool> count_rest(const codec::Bitmap& ids, std::uint32_t path, std::uint64_t counted,
                          codec::Bitmap others) {
    if (counted == ids.cardinality()) return true;
    const engine::View& view = context_.graph.view();
    CAIRN_ASSIGN(const codec::Bitmap unordered, engine::unordered_at_path(view, kind_, path));
    const codec::Bitmap odd = codec::unite(others, codec::intersect(unordered, ids));
    engine::IndexPredicate any;
    any.kind = kind_;
    any.path = path;
    CAIRN_ASSIGN(const auto present, view.lookup(any));
    const codec::Bitmap missing = codec::subtract(ids, present.ids);
    if (counted + odd.cardinality() + missing.cardinality() != ids.cardinality()) return false;
    CAIRN_TRY(read(odd));
    if (!missing.empty()) CAIRN_TRY(add({}, {*missing.first(), missing.cardinality()}));
    return true;
  }

  /// True if the posting list of a value has exactly the records with an equal value.
  static bool is_plain(std::string_view value) {
    const auto tag = static_cast<codec::OrderedTag>(value.front());
    return tag == codec::OrderedTag::string || tag == codec::OrderedTag::boolean ||
           tag == codec::OrderedTag::number;
  }

  // 1 and 1.0 are one value in the index. The first record decides which one is returned.
  Status add_posting(std::string_view value, const codec::Bitmap& having, const codec::Bitmap& ids,
                     std::uint64_t& counted) {
    const std::uint64_t count = codec::intersection_cardinality(having, ids);
    if (count == 0) return {};
    counted += count;
    const Counted group{*first_common(having, ids), count};
    if (static_cast<codec::OrderedTag>(value.front()) == codec::OrderedTag::number) {
      CAIRN_ASSIGN(Value number, context_.graph.property(kind_, group.first, property_));
      return add(std::move(number), group);
    }
    CAIRN_ASSIGN(Value decoded, codec::read_ordered(value));
    return add(std::move(decoded), group);
  }

  ExecutionContext& context_;
  codec::EntityKind kind_;
  const std::string& property_;
  std::unordered_map<RowKey, Counted, RowHash, RowEquivalence> counts_;
  Holding held_;
};

class IndexGroupCountOperator final : public PhysicalOperator {
 public:
  IndexGroupCountOperator(const IndexGroupCount& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        plan_(content.filter),
        columns_(content.columns),
        is_grouped_(content.is_grouped),
        filter_(parts.context.evaluator, content.filter),
        counts_(parts.context, content.filter.kind, content.property) {}

  void restart() override {
    PhysicalOperator::restart();
    counts_.forget();
    groups_.clear();
    next_ = 0;
    is_done_ = false;
  }

 protected:
  /// As Cypher requires, returns one row without grouping even if there are no ids. With grouping,
  /// returns no row if there are no ids.
  Result<bool> produce(RowBatch& out) override {
    const bool is_first = !std::exchange(is_done_, true);
    if (is_first) CAIRN_TRY(gather());
    if (!is_grouped_) {
      if (is_first && is_asked_) {
        CAIRN_ASSIGN(const Row row, out.append());
        count_all(row);
      }
      return !out.empty();
    }
    for (; next_ < groups_.size() && !out.full(); ++next_) {
      CAIRN_ASSIGN(const Row row, out.append());
      CAIRN_TRY(out.put(row[0], groups_[next_].first.front()));
      for (std::size_t i = 0; i < columns_.size(); ++i)
        row[i + 1] = static_cast<std::int64_t>(groups_[next_].second.count);
    }
    return !out.empty();
  }

 private:
  /// Reads the single input row and counts all groups.
  Status gather() {
    RowBatch argument;
    CAIRN_ASSIGN(const bool is_there, input().next(argument));
    is_asked_ = is_there;
    if (!is_there) return {};
    CAIRN_ASSIGN(const codec::Bitmap passing,
                 filter_ids(context_, plan_, filter_, {}, argument[0]));
    CAIRN_ASSIGN(groups_, counts_.count(passing));
    return {};
  }

  const FilterPlan& plan_;
  /// A null, stored or missing, counts as a row but not as a value.
  void count_all(Row row) const {
    std::int64_t rows = 0;
    std::int64_t values = 0;
    for (const auto& [key, counted] : groups_) {
      rows += static_cast<std::int64_t>(counted.count);
      if (!key.front().is_null()) ++values;
    }
    for (std::size_t i = 0; i < columns_.size(); ++i)
      row[i] = columns_[i] == IndexGroupCount::Column::rows ? rows : values;
  }

  const std::vector<IndexGroupCount::Column>& columns_;
  const bool is_grouped_;
  FilterEvaluator filter_;
  ValueCounts counts_;
  std::vector<ValueCounts::Group> groups_;
  std::size_t next_ = 0;
  bool is_done_ = false;
  bool is_asked_ = false;  ///< whether there was an input row
};

}  // namespace

OperatorPtr make_operator(const IndexGroupCount& content, Parts parts) {
  return std::make_unique<IndexGroupCountOperator>(content, std::move(parts));
}

}  // namespace cairn::query
