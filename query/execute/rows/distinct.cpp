// Removes duplicate rows. A row passes on as soon as it is the first of its kind. Rows are compared by equivalence, as
// for grouping: null equals null, NaN equals NaN, and 1 equals 1.0. All distinct rows are held in memory and charged.
// With several threads, no row is returned before all rows are read.

#include "query/bind/bound_query.hpp"
#include "query/bind/expression.hpp"
#include "query/execute/rows/aggregation.hpp"
#include "query/execute/rows/groups.hpp"
#include "query/execute/rows/operators.hpp"
#include "query/execute/rows/shared_run.hpp"
#include "query/plan/operator_content.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

/// Distinct rows of several threads: groups by all columns, in the order of their first rows.
struct DistinctGroups {
  DistinctGroups(const Distinct& distinct, ExecutionContext& context)
      : clause(by_columns(distinct.columns)),
        content{&clause, std::nullopt, distinct.shared},
        aggregation(content, context, AggregatedRows::all) {}

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

  ProjectClause clause;
  Aggregate content;
  Aggregation aggregation;
};

class DistinctOperator final : public PhysicalOperator {
 public:
  DistinctOperator(const Distinct& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        content_(content),
        columns_(content.columns),
        shared_(content.shared, parts.context, input()),
        seen_(content.columns, parts.context.budget) {}

  void restart() override {
    PhysicalOperator::restart();
    shared_.restart();
    groups_.reset();
    is_gathered_ = false;
    seen_.clear();
  }

 protected:
  Result<bool> produce(RowBatch& out) override {
    if (content_.shared.threads > 1 && !is_gathered_) CAIRN_TRY(gather());
    is_gathered_ = true;
    if (groups_) return groups_->aggregation.give(out);
    while (true) {
      CAIRN_ASSIGN(const bool more, shared_.rows().next(out));
      if (!more) return false;
      CAIRN_TRY(keep_new(out));
      if (!out.empty()) return true;
    }
  }

 private:
  // If a thread fails, one thread reads the rows again and passes each new row on: so memory suffices for more rows,
  // and the rows before an error are returned.
  Status gather() {
    groups_ = std::make_unique<DistinctGroups>(content_, context_);
    CAIRN_ASSIGN(const bool is_done,
                 shared_.gather(gathering_of(groups_->content, groups_->aggregation)));
    if (is_done) return {};
    groups_.reset();
    own_meter().remark = shared_.remark();
    return {};
  }

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

  const Distinct& content_;
  std::size_t columns_;
  SharedInput shared_;
  std::unique_ptr<DistinctGroups> groups_;  // rows found by several threads; nullptr: none
  bool is_gathered_ = false;
  Groups seen_;
  RowKey key_;  // current row; reused to avoid allocations
  std::vector<std::uint32_t> numbers_;
};

}  // namespace

OperatorPtr make_operator(const Distinct& content, Parts parts) {
  return std::make_unique<DistinctOperator>(content, std::move(parts));
}

}  // namespace cairn::query
