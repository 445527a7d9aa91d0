// Grouping: returns one row for each combination of keys. Without keys there is always exactly one row. Reads all input before
// the first row, on one thread or on several.

#include "query/execute/rows/aggregation.hpp"
#include "query/execute/rows/operators.hpp"
#include "query/execute/rows/shared_run.hpp"
#include "query/plan/operator_content.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

class AggregateOperator final : public PhysicalOperator {
 public:
  AggregateOperator(const Aggregate& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        content_(content),
        aggregation_(content, parts.context, AggregatedRows::all),
        shared_(content.shared, parts.context, input()) {}

  /// In a subquery, starts again for each outer row.
  void restart() override {
    PhysicalOperator::restart();
    shared_.restart();
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
    CAIRN_ASSIGN(const bool is_done, shared_.gather(gathering_of(content_, aggregation_)));
    if (!is_done) CAIRN_TRY(gather_alone());
    return aggregation_.add_only_group();
  }

  Status gather_alone() {
    own_meter().remark = shared_.remark();
    aggregation_.clear();
    RowBatch rows;
    while (true) {
      CAIRN_ASSIGN(const bool more, shared_.rows().next(rows));
      if (!more) return {};
      CAIRN_TRY(aggregation_.add(rows));
    }
  }

  const Aggregate& content_;
  Aggregation aggregation_;
  SharedInput shared_;
  bool is_gathered_ = false;
};

}  // namespace

OperatorPtr make_operator(const Aggregate& content, Parts parts) {
  return std::make_unique<AggregateOperator>(content, std::move(parts));
}

}  // namespace cairn::query
