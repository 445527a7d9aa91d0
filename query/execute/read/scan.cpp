// Nodes from a filter: index sets first, then one row for each id that is left.

#include "query/execute/filter/filter_evaluator.hpp"
#include "query/execute/operators.hpp"

#include <array>
#include <optional>

namespace cairn::query {
namespace {

// The filter is evaluated once for all rows of the input, or for each where it reads their
// variables.
class ScanNodesOperator final : public FanOutOperator {
 public:
  ScanNodesOperator(const ScanNodes& content, Parts parts)
      : FanOutOperator(parts.context, std::move(parts.input), parts.width),
        slot_(content.filter.slot),
        filter_(parts.context.evaluator, content.filter) {}

 protected:
  Status begin(Row row) override {
    CAIRN_ASSIGN(found_, filter_.find(row));
    cursor_.emplace(found_->ids);
    return {};
  }

  Result<bool> emit(Row row, RowBatch& out, std::size_t limit) override {
    std::array<std::uint64_t, RowBatch::capacity> ids;
    const std::size_t first = out.size();
    const std::size_t count = cursor_->next(std::span(ids).first(limit - first));
    for (std::size_t i = 0; i < count; ++i) out.append(row)[slot_] = Node(NodeId{ids[i]});
    CAIRN_TRY(budget().step(count));
    CAIRN_TRY(keep_passing(context_, found_->recheck, out, first));
    return count > 0;
  }

 private:
  Slot slot_;
  FilterEvaluator filter_;
  const FilterEvaluator::Found* found_ = nullptr;
  std::optional<codec::IdCursor> cursor_;
};

}  // namespace

OperatorPtr make_operator(const ScanNodes& content, Parts parts) {
  return std::make_unique<ScanNodesOperator>(content, std::move(parts));
}

}  // namespace cairn::query
