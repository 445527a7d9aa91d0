// The base of all writing clauses. openCypher's clauses read the graph as it was before them, so
// that a writing clause may not change what its own input is still reading (the Halloween problem).
// Neo4j's planner inserts Eager operators where it must; here every writing clause is one, always.
// The cost: no streaming through writes, and memory for all rows, which the limit bounds.
#include "query/execute/write/eager_operator.hpp"

#include <algorithm>

namespace cairn::query {

void EagerOperator::restart() {
  PhysicalOperator::restart();
  rows_.clear();
  made_.clear();
  is_done_ = makes_rows_ = false;
}

// Holds batches as they came, with their charges.
Status EagerOperator::gather() {
  RowBatch batch;
  while (true) {
    CAIRN_ASSIGN(const bool more, input().next(batch));
    if (!more) return {};
    rows_.push_back(std::move(batch));
  }
}

// Frees the rows that do not go on, one by one.
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

// Three steps that never mix: read all, change all, hand on.
// publish() makes the changes seen by what follows: cached sets are dropped. If anything fails,
// some of the changes are made, and the transaction is only fit for rollback.
Status EagerOperator::run() {
  CAIRN_TRY(gather());
  for (RowBatch& batch : rows_) CAIRN_TRY(change(batch));
  CAIRN_TRY(finish());
  CAIRN_TRY(context_.charge_changes());
  editor_.publish();
  return {};
}

// MERGE may give several rows for one, or others than it got.
// Once called, the rows that were read are not handed on; only these are.
Status EagerOperator::hand_on(Row row) {
  take_over();
  if (made_.empty() || made_.back().full()) made_.emplace_back(width(), budget());
  CAIRN_TRY(made_.back().append(row));
  return {};
}

// Everything happens when the first batch is asked for.
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
