// Base class of all writing clauses. In openCypher a clause reads the graph as it was before the
// clause, so a writing clause must not change what its own input is still reading (the Halloween
// problem). Neo4j's planner inserts Eager operators where necessary. Here every writing clause is
// eager. The cost: rows do not stream through writes, and all rows are held in memory, bounded by
// the limit.
#include "query/execute/write/eager_operator.hpp"

#include <algorithm>

namespace cairn::query {

void EagerOperator::restart() {
  PhysicalOperator::restart();
  rows_.clear();
  made_.clear();
  is_done_ = makes_rows_ = false;
}

// Stores the input batches with their charges.
Status EagerOperator::gather() {
  RowBatch batch;
  while (true) {
    CAIRN_ASSIGN(const bool more, input().next(batch));
    if (!more) return {};
    rows_.push_back(std::move(batch));
  }
}

// Applies the changes of a batch. Rows that are not passed on are freed one by one.
Status EagerOperator::change(RowBatch& batch) {
  for (std::size_t row = 0; row < batch.size(); ++row) {
    CAIRN_TRY(apply(batch[row]));
    // A change costs some microseconds.
    CAIRN_TRY(budget().step(16));
    CAIRN_TRY(context_.charge_changes());
    if (makes_rows_) std::ranges::fill(batch[row], Value());
  }
  return {};
}

// Runs three separate steps: read all rows, make all changes, return rows. publish() drops cached
// sets, so that later operators see the changes. After an error only some changes are made, and the
// transaction can only be rolled back.
Status EagerOperator::run() {
  CAIRN_TRY(gather());
  for (RowBatch& batch : rows_) CAIRN_TRY(change(batch));
  CAIRN_TRY(finish());
  CAIRN_TRY(context_.charge_changes());
  editor_.publish();
  return {};
}

// Replaces the input rows by these rows in the output: MERGE may return several rows, or changed
// rows, for one input row.
Status EagerOperator::hand_on(Row row) {
  take_over();
  if (made_.empty() || made_.back().full()) made_.emplace_back(width(), budget());
  CAIRN_TRY(made_.back().append(row));
  return {};
}

// All work happens when the first batch is requested.
Result<bool> EagerOperator::produce(RowBatch& out) {
  if (!is_done_) {
    is_done_ = true;
    CAIRN_TRY(run());
    if (makes_rows_) rows_ = std::move(made_);
  }
  if (rows_.empty()) return false;
  out = std::move(rows_.front());
  rows_.pop_front();
  return true;
}

}  // namespace cairn::query
