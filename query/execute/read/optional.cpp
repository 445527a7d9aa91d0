// OPTIONAL MATCH: the rows of an inner pipeline for each row, or the row itself with nulls.
// Streams: the inner rows go on as they come. A row of nulls is given only when the inner pipeline
// has ended without any. Conditions of the OPTIONAL MATCH are within it; those of a WITH behind it
// are not.

#include "query/execute/pipeline/running_plan.hpp"
#include "query/execute/read/operators.hpp"
#include "query/plan/operator_content.hpp"

namespace cairn::query {
namespace {

// The inner pipeline starts again for each row; what it introduces is null where it gives nothing.
class OptionalOperator final : public FanOutOperator {
 public:
  OptionalOperator(const Optional& content, Parts parts)
      : FanOutOperator(parts.context, std::move(parts.input), parts.width),
        introduced_(content.introduced),
        inner_(parts.context, content.inner) {}

 protected:
  /// The inner plan starts again with each row, whose values it sees.
  Status begin(Row row) override {
    inner_.start(row);
    rows_.reset(0);
    next_ = 0;
    has_matched_ = false;
    return {};
  }

  /// Inner rows as they come; the row of nulls only when the inner plan has ended without one.
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
  /// Every variable that the clause introduces, the searched one's score and parts included.
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
