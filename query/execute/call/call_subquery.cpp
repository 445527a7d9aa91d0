// CALL { query }: returns the rows of an inner plan for each input row, with its columns in slots
// of their own. A reading query streams its rows, and a later LIMIT ends it early. A writing query
// runs to its end for all input rows, in order, before any row passes on. So for each row the query
// sees the changes made for earlier rows. A query without columns passes each input row on once.

#include "query/execute/call/operators.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/pipeline/running_plan.hpp"
#include "query/execute/write/eager_operator.hpp"
#include "query/plan/operator_content.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace cairn::query {
namespace {

/// The inner plan, and the slots for its columns.
class CalledQuery {
 public:
  CalledQuery(ExecutionContext& context, const CallSubquery& content)
      : columns_(content.clause->columns),
        plan_(context, content.branches, content.distinct, columns_.size()) {}

  [[nodiscard]] bool gives_rows() const noexcept { return !columns_.empty(); }
  void start(Row row) { plan_.start(row); }
  [[nodiscard]] Result<bool> next(RowBatch& rows) { return plan_.next(rows); }
  /// Runs a query without columns, for its changes.
  [[nodiscard]] Status run_to_end() {
    RowBatch rows;
    while (true) {
      CAIRN_ASSIGN(const bool more, plan_.next(rows));
      if (!more) return {};
    }
  }
  /// Returns the columns of a row of the query.
  [[nodiscard]] Row columns_of(Row row) const { return row.first(columns_.size()); }
  // Moves the columns into the slots of an output row.
  void move_columns(Row from, Row made) const {
    for (std::size_t i = 0; i < columns_.size(); ++i) made[columns_[i]] = std::move(from[i]);
  }

 private:
  const std::vector<Slot>& columns_;
  RunningPlan plan_;
};

// For reading queries. The inner plan restarts for each row. The first output batch has only one
// row, because each row may cost a search.
class CallSubqueryOperator final : public FanOutOperator {
 public:
  CallSubqueryOperator(const CallSubquery& content, Parts parts)
      : FanOutOperator(parts.context, std::move(parts.input), parts.width, 1),
        query_(parts.context, content) {}

 protected:
  Status begin(Row row) override {
    query_.start(row);
    rows_.reset(0);
    next_ = 0;
    return {};
  }

  // Each output row is the input row with the columns of the subquery in their slots.
  Result<bool> emit(Row row, RowBatch& out) override {
    if (!query_.gives_rows()) return let_go_on(row, out);
    while (!out.full()) {
      if (next_ == rows_.size()) {
        CAIRN_ASSIGN(const bool more, query_.next(rows_));
        next_ = 0;
        if (!more) return false;
      }
      CAIRN_TRY(out.hold(query_.columns_of(rows_[next_])));
      CAIRN_ASSIGN(const Row made, out.append(row));
      query_.move_columns(rows_[next_++], made);
    }
    return true;
  }

 private:
  // For queries without columns.
  Result<bool> let_go_on(Row row, RowBatch& out) {
    CAIRN_TRY(query_.run_to_end());
    CAIRN_TRY(out.append(row));
    return false;
  }

  CalledQuery query_;
  RowBatch rows_;
  std::size_t next_ = 0;
};

// For writing queries.
class CallWritingSubqueryOperator final : public EagerOperator {
 public:
  CallWritingSubqueryOperator(const CallSubquery& content, Parts parts)
      : EagerOperator(std::move(parts)), query_(context_, content) {}

 protected:
  Status apply(Row row) override {
    query_.start(row);
    if (!query_.gives_rows()) return query_.run_to_end();
    take_over();
    RowBatch rows;
    while (true) {
      CAIRN_ASSIGN(const bool more, query_.next(rows));
      if (!more) return {};
      for (std::size_t i = 0; i < rows.size(); ++i) CAIRN_TRY(hand_on_columns(row, rows[i]));
    }
  }

 private:
  // Combines an input row with the columns of one row of the query.
  Status hand_on_columns(Row row, Row columns) {
    std::vector<Value> made(row.begin(), row.end());
    made.resize(std::max<std::size_t>(width(), row.size()));
    query_.move_columns(columns, made);
    return hand_on(made);
  }

  CalledQuery query_;
};

}  // namespace

// A query that only reads has nothing to commit, so IN TRANSACTIONS changes nothing.
OperatorPtr make_operator(const CallSubquery& content, Parts parts) {
  if (content.is_writing && content.clause->in_transactions)
    return make_batched_call(content, std::move(parts));
  if (content.is_writing)
    return std::make_unique<CallWritingSubqueryOperator>(content, std::move(parts));
  return std::make_unique<CallSubqueryOperator>(content, std::move(parts));
}

}  // namespace cairn::query
