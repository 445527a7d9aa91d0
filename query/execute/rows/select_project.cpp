// Select, Project and TrimColumns: filter rows, compute new rows, and drop columns. All three
// stream one batch at a time.

#include "query/execute/expression/packed_expressions.hpp"
#include "query/execute/rows/operators.hpp"
#include "query/plan/operator_content.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cairn::query {
namespace {

/// Evaluates the conjuncts in the given order. A row is dropped at the first one that is false or
/// null.
class SelectOperator final : public PhysicalOperator {
 public:
  SelectOperator(const Select& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        conjuncts_(content.conjuncts) {}

 protected:
  Result<bool> produce(RowBatch& out) override {
    while (true) {
      CAIRN_ASSIGN(const bool more, input().next(out));
      if (!more) return false;
      CAIRN_TRY(keep_passing(context_, conjuncts_, out));
      if (!out.empty()) return true;
    }
  }

 private:
  const std::vector<const Expression*>& conjuncts_;
};

// Computes a new row for each row. Before the first expression, the properties of the whole batch
// are read. The input row is dropped unless a later sort needs it.
class ProjectOperator final : public PhysicalOperator {
 public:
  ProjectOperator(const Project& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        items_(content.clause->items),
        keeps_input_(content.keep_input) {
    for (const ProjectionItem& item : items_) properties_.expect(*item.expression);
  }

 protected:
  /// An expression may make megabytes per row, so a batch ends at a number of bytes as well as at a
  /// number of rows.
  Result<bool> produce(RowBatch& out) override {
    if (next_ == rows_.size()) {
      next_ = 0;
      CAIRN_ASSIGN(const bool more, input().next(rows_));
      if (!more) return false;
      if (!properties_.empty()) CAIRN_TRY(properties_.load(rows_, graph()));
    }
    if (rows_.is_packed()) {
      CAIRN_ASSIGN(const bool is_done, project_packed(out));
      if (is_done) return true;
    }
    const ReadAhead read_ahead(evaluator(), properties_.empty() ? nullptr : &properties_);
    while (next_ < rows_.size() && !out.full()) {
      properties_.select(next_);
      CAIRN_ASSIGN(const Row made, out.append());
      CAIRN_TRY(project(rows_[next_++], made, out));
      CAIRN_TRY(budget().step(items_.size()));
    }
    return true;
  }

 public:
  void restart() override {
    PhysicalOperator::restart();
    rows_.reset(0);
    next_ = 0;
  }

 private:
  /// Projects all rows at once if the values of all items are available as light columns. Otherwise
  /// returns false and does nothing.
  Result<bool> project_packed(RowBatch& out) {
    ReadyColumns ready(rows_, properties_, context_.parameters);
    std::vector<BatchColumn> columns;
    for (const ProjectionItem& item : items_) {
      const BatchColumn* const column = ready.of(*item.expression);
      if (column == nullptr || !is_light(*column)) return false;
      columns.push_back(*column);
    }
    const std::size_t rows = rows_.size();
    next_ = rows;
    if (keeps_input_) {
      std::vector<BatchColumn> input = rows_.take_columns();
      next_ = 0;
      input.resize(std::min(input.size(), width() - columns.size()));
      std::ranges::move(input, std::back_inserter(columns));
    }
    columns.resize(width());
    CAIRN_TRY(budget().step(items_.size() + rows / 16));
    CAIRN_TRY(out.pack(rows, std::move(columns)));
    return true;
  }

  /// Evaluates the items into `made`. If a sort needs the input row, moves its values after the
  /// columns, as far as they fit. The input row is not read again.
  Status project(Row row, Row made, RowBatch& out) {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      CAIRN_ASSIGN(Value value, evaluator().evaluate(*items_[i].expression, row));
      CAIRN_TRY(out.put(made[i], std::move(value)));
    }
    if (!keeps_input_) return {};
    const std::size_t kept = std::min(row.size(), made.size() - items_.size());
    CAIRN_TRY(out.hold(row.first(kept)));
    std::move(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(kept),
              made.begin() + static_cast<std::ptrdiff_t>(items_.size()));
    return {};
  }

  const std::vector<ProjectionItem>& items_;
  bool keeps_input_;
  PropertyBatch properties_;
  RowBatch rows_;
  std::size_t next_ = 0;
};

// Follows a sort that needed the input row, and passes only the columns on.
class TrimColumnsOperator final : public PhysicalOperator {
 public:
  TrimColumnsOperator(const TrimColumns& content, Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        columns_(content.columns) {}

 protected:
  Result<bool> produce(RowBatch& out) override {
    CAIRN_ASSIGN(const bool more, input().next(rows_));
    for (std::size_t row = 0; row < rows_.size(); ++row)
      CAIRN_TRY(out.append_moved(rows_[row].first(columns_)));
    return more;
  }

 private:
  std::size_t columns_;
  RowBatch rows_;
};

}  // namespace

OperatorPtr make_operator(const Select& content, Parts parts) {
  return std::make_unique<SelectOperator>(content, std::move(parts));
}

OperatorPtr make_operator(const Project& content, Parts parts) {
  return std::make_unique<ProjectOperator>(content, std::move(parts));
}

OperatorPtr make_operator(const TrimColumns& content, Parts parts) {
  return std::make_unique<TrimColumnsOperator>(content, std::move(parts));
}

}  // namespace cairn::query
