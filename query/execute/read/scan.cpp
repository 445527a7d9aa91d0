// Nodes from a filter: index sets first, then one row for each id that is left.
// Rows come in the order of ids. Held in memory: the set of ids, in chunks; rows are made as they
// are asked for. With nothing in the filter it is every node that the statement may see.

#include "query/execute/expression/evaluate_subquery.hpp"
#include "query/execute/filter/filter_evaluator.hpp"
#include "query/execute/read/index_top_n.hpp"
#include "query/execute/read/operators.hpp"
#include "query/plan/operator_content.hpp"

#include <array>
#include <optional>
#include <vector>

namespace cairn::query {
namespace {

// The filter is evaluated once for all rows of the input, or for each where it reads their
// variables.
class ScanNodesOperator final : public FanOutOperator {
 public:
  ScanNodesOperator(const ScanNodes& content, Parts parts)
      : FanOutOperator(parts.context, std::move(parts.input), parts.width),
        slot_(content.filter.slot),
        first_(content.first),
        extremes_(content.extremes),
        filter_(parts.context.evaluator, content.filter) {}

 protected:
  /// Sets and conditions hold until the filter is asked again, which is with the next row.
  Status begin(Row row) override {
    CAIRN_ASSIGN(const FilterEvaluator::FoundParts* parts, filter_.find_parts(row));
    recheck_ = parts->recheck;
    // Where records decide, any of them may drop out.
    const bool is_narrowed = (first_ || !extremes_.empty()) && recheck_.empty();
    if (is_narrowed) {
      CAIRN_ASSIGN(needed_, needed_of(parts->sets));
    }
    cursor_.emplace(is_narrowed ? needed_ : filter_.made().ids);
    return {};
  }

  /// What is to be checked is checked on the whole batch, from the first row that is new in it.
  Result<bool> emit(Row row, RowBatch& out) override {
    std::array<std::uint64_t, RowBatch::capacity> ids;
    const std::size_t first = out.size();
    const std::size_t count = cursor_->next(std::span(ids).first(out.room_for(row)));
    for (std::size_t i = 0; i < count; ++i) {
      CAIRN_ASSIGN(const Row made, out.append(row));
      made[slot_] = Node(NodeId{ids[i]});
    }
    CAIRN_TRY(budget().step(count));
    CAIRN_TRY(keep_passing(context_, recheck_, out, first));
    return count > 0;
  }

 private:
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
};

}  // namespace

OperatorPtr make_operator(const ScanNodes& content, Parts parts) {
  return std::make_unique<ScanNodesOperator>(content, std::move(parts));
}

}  // namespace cairn::query
