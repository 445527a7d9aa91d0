// OPTIONAL MATCH: returns the rows of an inner pipeline for each row, or the row itself with nulls
// in the new variables. Inner rows are streamed. The row with nulls is returned only if the inner
// pipeline ends without rows. Conditions of the OPTIONAL MATCH belong to the inner pipeline, and
// those of a later WITH do not.

#include "query/execute/pipeline/running_plan.hpp"
#include "query/execute/read/operators.hpp"
#include "query/plan/operator_content.hpp"

namespace cairn::query {
namespace {

class OptionalOperator final : public FanOutOperator {
 public:
  OptionalOperator(const Optional& content, Parts parts)
      : FanOutOperator(parts.context, std::move(parts.input), parts.width),
        introduced_(content.introduced),
        inner_(parts.context, content.inner) {}

 protected:
  Status begin(Row row) override {
    inner_.start(row);
    rows_.reset(0);
    next_ = 0;
    has_matched_ = false;
    return {};
  }

  // An inner row has the slots of the outer row, so it is appended as it is.
  Result<bool> emit(Row row, RowBatch& out) override {
    while (!out.full()) {
      if (next_ == rows_.size()) {
        CAIRN_ASSIGN(const bool more, inner_.next(rows_));
        next_ = 0;
        if (!more) return give_nulls(row, out);
      }
      has_matched_ = true;
      CAIRN_TRY(out.append(rows_[next_++]));
    }
    return true;
  }

 private:
  /// Sets every variable of the clause to null, including the score and the breakdown of a search.
  Result<bool> give_nulls(Row row, RowBatch& out) {
    if (has_matched_) return false;
    CAIRN_ASSIGN(const Row made, out.append(row));
    for (Slot slot : introduced_) made[slot] = Value();
    return false;
  }

  const std::vector<Slot>& introduced_;
  RunningPipeline inner_;
  RowBatch rows_;
  std::size_t next_ = 0;
  bool has_matched_ = false;
};

}  // namespace

OperatorPtr make_operator(const Optional& content, Parts parts) {
  return std::make_unique<OptionalOperator>(content, std::move(parts));
}

}  // namespace cairn::query
