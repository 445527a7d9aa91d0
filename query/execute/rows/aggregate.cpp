// Grouping: returns one row for each combination of keys. Without keys there is always exactly one row. Reads all input before
// the first row, on one thread or on several.

#include "query/execute/pipeline/row_feed.hpp"
#include "query/execute/pipeline/running_plan.hpp"
#include "query/execute/rows/aggregation.hpp"
#include "query/execute/rows/operators.hpp"
#include "query/execute/rows/shared_aggregation.hpp"
#include "query/plan/logical_plan.hpp"
#include "query/plan/operator_content.hpp"

#include <memory>
#include <utility>

namespace cairn::query {
namespace {

class AggregateOperator final : public PhysicalOperator {
 public:
  AggregateOperator(const Aggregate& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        content_(content),
        aggregation_(content, parts.context, AggregatedRows::all) {}

  /// In a subquery, starts again for each outer row.
  void restart() override {
    PhysicalOperator::restart();
    if (chain_ != nullptr) chain_->restart();
    aggregation_.clear();
    is_gathered_ = false;
  }

 protected:
  Result<bool> produce(RowBatch& out) override {
    if (!is_gathered_) CAIRN_TRY(gather());
    is_gathered_ = true;
    return aggregation_.give(out);
  }

 private:
  Status gather() {
    if (content_.shared.threads > 1) {
      CAIRN_ASSIGN(const bool is_done, gather_on_threads());
      if (is_done) return aggregation_.add_only_group();
    }
    RowBatch rows;
    while (true) {
      CAIRN_ASSIGN(const bool more, (chain_ != nullptr ? *chain_ : input()).next(rows));
      if (!more) break;
      CAIRN_TRY(aggregation_.add(rows));
    }
    return aggregation_.add_only_group();
  }

  /// Returns false if one thread must do it: whatever stopped the others, it gives its result or its error.
  Result<bool> gather_on_threads() {
    SharedAggregation shared(content_, context_, input());
    CAIRN_ASSIGN(const bool is_done, shared.run(aggregation_));
    if (context_.profile) profiles_ = shared.profiles();
    for (const auto& [one, profile] : profiles_) context_.running[one] = &profile;
    if (is_done) return true;
    aggregation_.clear();
    input().restart();
    chain_ = std::make_unique<BorrowedOperator>(context_, input());
    const std::span<const Operator> steps(content_.shared.first, content_.shared.count);
    for (const Operator& one : steps) chain_ = lower(context_, one, std::move(chain_));
    return false;
  }

  const Aggregate& content_;
  Aggregation aggregation_;
  bool is_gathered_ = false;
  // The shared operators for one thread; nullptr: they have run on several threads, or there are none.
  OperatorPtr chain_;
  OperatorProfiles profiles_;  // of the shared operators
};

}  // namespace

OperatorPtr make_operator(const Aggregate& content, Parts parts) {
  return std::make_unique<AggregateOperator>(content, std::move(parts));
}

}  // namespace cairn::query
