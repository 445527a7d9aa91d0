// Each row once.
// Streams: a row goes on when it is the first of its kind. Compared by sameness, as grouping does
// (null is null, NaN is NaN, 1 is 1.0). Held in memory: every different row, charged to the limit.

#include "query/execute/rows/groups.hpp"
#include "query/execute/rows/operators.hpp"
#include "query/plan/operator_content.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

// Rows go on as they come; only what was seen is remembered.
class DistinctOperator final : public PhysicalOperator {
 public:
  DistinctOperator(const Distinct& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        columns_(content.columns),
        seen_(content.columns, parts.context.budget) {}

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
      CAIRN_TRY(keep_new(out));
      if (!out.empty()) return true;
    }
  }

 private:
  Status keep_new(RowBatch& out) {
    std::size_t known = seen_.size();
    CAIRN_TRY(number_rows(out));
    std::vector<bool> is_new(out.size());
    for (std::size_t row = 0; row < out.size(); ++row) {
      is_new[row] = numbers_[row] == known;
      if (is_new[row]) ++known;
    }
    out.keep(is_new);
    return {};
  }

  Status number_rows(RowBatch& rows) {
    if (rows.is_packed()) {
      std::vector<const BatchColumn*> columns;
      for (std::size_t i = 0; i < columns_; ++i) columns.push_back(&rows.column(i));
      return seen_.number_rows(columns, rows.size(), numbers_);
    }
    numbers_.resize(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const Row cells = rows[row].first(columns_);
      key_.assign(cells.begin(), cells.end());
      CAIRN_ASSIGN(numbers_[row], seen_.number(key_));
    }
    return {};
  }

  std::size_t columns_;
  Groups seen_;
  RowKey key_;  // of the row at hand; its memory serves them all
  std::vector<std::uint32_t> numbers_;
};

}  // namespace

OperatorPtr make_operator(const Distinct& content, Parts parts) {
  return std::make_unique<DistinctOperator>(content, std::move(parts));
}

}  // namespace cairn::query
