// SKIP and LIMIT.

#include "query/execute/expression/evaluate_subquery.hpp"
#include "query/execute/rows/operators.hpp"
#include "query/plan/operator_content.hpp"

#include <algorithm>
#include <optional>

namespace cairn::query {
namespace {

// The count is evaluated once; it reads no variable.
// Negative numbers and what is not an integer are errors, also where no row comes.
class CountedOperator : public PhysicalOperator {
 public:
  CountedOperator(const Expression& count, const char* what, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        count_(count),
        what_(what) {}

  void restart() override {
    PhysicalOperator::restart();
    left_.reset();
  }

 protected:
  /// Evaluated when the first batch is asked for and counted down from then on.
  Result<std::size_t*> left() {
    if (!left_) {
      CAIRN_ASSIGN(left_, evaluate_count(evaluator(), count_, what_));
    }
    return &*left_;
  }

 private:
  const Expression& count_;
  const char* what_;
  std::optional<std::size_t> left_;
};

// Drops the first rows, whole batches of them where it can.
class SkipOperator final : public CountedOperator {
 public:
  SkipOperator(const Skip& content, Parts parts)
      : CountedOperator(*content.count, "SKIP", std::move(parts)) {}

 protected:
  /// Rows of the batch in which skipping ends are moved up; all batches behind it pass as they are.
  Result<bool> produce(RowBatch& out) override {
    CAIRN_ASSIGN(std::size_t* left, this->left());
    while (true) {
      CAIRN_ASSIGN(const bool more, input().next(out));
      if (!more) return false;
      const std::size_t skipped = std::min(*left, out.size());
      *left -= skipped;
      if (skipped == out.size()) continue;
      std::vector<bool> kept(out.size(), true);
      std::fill_n(kept.begin(), skipped, false);
      if (skipped > 0) out.keep(kept);
      return true;
    }
  }
};

// Stops asking its input as soon as it has enough.
// Asks for no batch beyond the last row that it gives, so that nothing below is done in vain.
class LimitOperator final : public CountedOperator {
 public:
  LimitOperator(const Limit& content, Parts parts)
      : CountedOperator(*content.count, "LIMIT", std::move(parts)),
        must_pull_(content.after_writes) {}

 protected:
  /// At 0 nothing is pulled, unless what lies below writes: LIMIT 0 keeps no row, but all effects.
  Result<bool> produce(RowBatch& out) override {
    CAIRN_ASSIGN(std::size_t* left, this->left());
    if (*left == 0) return pull_anyway(out);
    CAIRN_ASSIGN(const bool more, input().next(out));
    out.truncate(*left);
    *left -= out.size();
    must_pull_ = false;
    return more;
  }

 private:
  // The first batch makes all writes below happen.
  Result<bool> pull_anyway(RowBatch& out) {
    if (!must_pull_) return false;
    must_pull_ = false;
    CAIRN_TRY(input().next(out));
    out.truncate(0);
    return false;
  }

  bool must_pull_;
};

}  // namespace

OperatorPtr make_operator(const Skip& content, Parts parts) {
  return std::make_unique<SkipOperator>(content, std::move(parts));
}

OperatorPtr make_operator(const Limit& content, Parts parts) {
  return std::make_unique<LimitOperator>(content, std::move(parts));
}

}  // namespace cairn::query
