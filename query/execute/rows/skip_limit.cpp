// SKIP and LIMIT.

#include "query/execute/expression/evaluate_subquery.hpp"
#include "query/execute/rows/operators.hpp"
#include "query/plan/operator_content.hpp"

#include <algorithm>
#include <optional>

namespace cairn::query {
namespace {

// Base class of both operators. The count is evaluated once and reads no variable. A count that is
// negative or not an integer is an error, even if there are no rows.
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
  /// Returns the remaining count. The count is evaluated with the first batch.
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

// Drops the first rows, whole batches at a time if possible.
class SkipOperator final : public CountedOperator {
 public:
  SkipOperator(const Skip& content, Parts parts)
      : CountedOperator(*content.count, "SKIP", std::move(parts)) {}

 protected:
  /// In the batch where skipping ends, the remaining rows are moved to its beginning. Later batches
  /// pass unchanged.
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

// Requests no further batch after the last row, so that the operators before it do no unnecessary
// work.
class LimitOperator final : public CountedOperator {
 public:
  LimitOperator(const Limit& content, Parts parts)
      : CountedOperator(*content.count, "LIMIT", std::move(parts)),
        is_after_writes_(content.after_writes),
        must_pull_(is_after_writes_) {}

  void restart() override {
    CountedOperator::restart();
    must_pull_ = is_after_writes_;
  }

 protected:
  /// For LIMIT 0 the input runs only if it writes, for its effects.
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
  // The first batch of a writing input makes all writes happen.
  Result<bool> pull_anyway(RowBatch& out) {
    if (!must_pull_) return false;
    must_pull_ = false;
    CAIRN_TRY(input().next(out));
    out.truncate(0);
    return false;
  }

  const bool is_after_writes_;
  bool must_pull_;  // false once the input has run
};

}  // namespace

OperatorPtr make_operator(const Skip& content, Parts parts) {
  return std::make_unique<SkipOperator>(content, std::move(parts));
}

OperatorPtr make_operator(const Limit& content, Parts parts) {
  return std::make_unique<LimitOperator>(content, std::move(parts));
}

}  // namespace cairn::query
