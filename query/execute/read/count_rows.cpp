// The number of rows that a scan would give: the size of its bitmap. Only where an index was not
// exact are the records of the candidates read.
// Pulls one row, gives one row. Cost: that of the filter. A search over a million nodes by an exact
// filter reads no record at all.

#include "codec/id_intersection.hpp"
#include "query/execute/filter/filter_evaluator.hpp"
#include "query/execute/filter/filter_ids.hpp"
#include "query/execute/read/operators.hpp"
#include "query/plan/operator_content.hpp"

namespace cairn::query {
namespace {

// Gives one row; each of its columns is the count.
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
  /// One row for the statement, made of a cardinality: no record is read where the filter is exact.
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
  /// With conjuncts to recheck, batches of records are tested and only counted.
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

}  // namespace cairn::query
