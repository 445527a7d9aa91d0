// Removes duplicate rows. A row passes on as soon as it is the first of its kind. Rows are compared
// by equivalence, as for grouping: null equals null, NaN equals NaN, and 1 equals 1.0. All distinct
// rows are held in memory and charged. Several threads give no row before they have read all.

#include "query/bind/bound_query.hpp"
#include "query/bind/expression.hpp"
#include "query/execute/rows/groups.hpp"
#include "query/execute/rows/operators.hpp"
#include "query/plan/operator_content.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

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
  Result<bool> produce(RowBatch& out) override {
    while (true) {
      CAIRN_ASSIGN(const bool more, input().next(out));
      if (!more) return false;
      CAIRN_TRY(keep_new(out));
      if (!out.empty()) return true;
    }
  }

 private:
  // A new key gets the next number, so a row is new if its number is the number of keys so far.
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

  // Only the first columns_ slots are compared. Other slots serve a later ORDER BY.
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
  RowKey key_;  // current row; reused to avoid allocations
  std::vector<std::uint32_t> numbers_;
};

/// Finds duplicates on several threads. Distinct rows are groups by all columns, in the order of their first rows.
class SharedDistinctOperator final : public PhysicalOperator {
 public:
  SharedDistinctOperator(const Distinct& content, Parts parts)
      : PhysicalOperator(parts.context, nullptr, parts.width),
        clause_(by_columns(content.columns)),
        groups_{&clause_, std::nullopt, content.shared},
        aggregation_(make_operator(groups_, std::move(parts))) {}

  void restart() override { aggregation_->restart(); }

 protected:
  Result<bool> produce(RowBatch& out) override { return aggregation_->next(out); }

 private:
  static ProjectClause by_columns(std::size_t columns) {
    ProjectClause clause;
    for (std::size_t i = 0; i < columns; ++i) {
      auto key = std::make_unique<Expression>();
      key->kind = ExpressionKind::variable;
      key->slot = static_cast<Slot>(i);
      clause.keys.push_back(std::move(key));
    }
    return clause;
  }

  ProjectClause clause_;
  Aggregate groups_;
  OperatorPtr aggregation_;
};

}  // namespace

OperatorPtr make_operator(const Distinct& content, Parts parts) {
  if (content.shared.threads > 1)
    return std::make_unique<SharedDistinctOperator>(content, std::move(parts));
  return std::make_unique<DistinctOperator>(content, std::move(parts));
}

}  // namespace cairn::query
