// Each row once.
// Streams: a row goes on when it is the first of its kind. Compared by sameness, as grouping does
// (null is null, NaN is NaN, 1 is 1.0). Held in memory: every different row, charged to the limit.

#include "query/execute/pipeline/row_set.hpp"
#include "query/execute/rows/operators.hpp"
#include "query/plan/operator_content.hpp"

namespace cairn::query {
namespace {

// Rows go on as they come; only what was seen is kept.
class DistinctOperator final : public PhysicalOperator {
 public:
  DistinctOperator(const Distinct& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        columns_(content.columns),
        seen_(parts.context.budget) {}

  void restart() override {
    PhysicalOperator::restart();
    seen_.clear();
  }

 protected:
  /// Streams: a row goes on as soon as it is new. What is held are the keys that were seen, charged
  /// to the statement's memory.
  Result<bool> produce(RowBatch& out) override {
    while (true) {
      CAIRN_ASSIGN(const bool more, input().next(out));
      if (!more) return false;
      std::vector<bool> is_new(out.size());
      for (std::size_t row = 0; row < out.size(); ++row) {
        CAIRN_ASSIGN(is_new[row], seen_.add(out[row].first(columns_)));
      }
      out.keep(is_new);
      if (!out.empty()) return true;
    }
  }

 private:
  std::size_t columns_;
  RowSet seen_;
};

}  // namespace

OperatorPtr make_operator(const Distinct& content, Parts parts) {
  return std::make_unique<DistinctOperator>(content, std::move(parts));
}

}  // namespace cairn::query
