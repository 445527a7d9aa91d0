// The pull model with batches: a consumer requests rows from the last operator, and each operator
// requests rows from its input. Batches share the cost of a call and let properties of many records
// be read at once. Operators that multiply rows begin with small batches, so that LIMIT 1 does not
// pay for a thousand rows. (The interface is that of Volcano, the vectors are as in MonetDB/X100.)
#include "query/execute/pipeline/physical_operator.hpp"

#include "query/execute/expression/packed_expressions.hpp"
#include "query/plan/expression_traits.hpp"

#include <algorithm>
#include <chrono>

namespace cairn::query {

// Counts steps for every batch, so that loops without rows can be stopped too.
Result<bool> PhysicalOperator::next(RowBatch& out) {
  out.reset(width_, budget());
  CAIRN_TRY(budget().step(16));
  if (context_.profile) return next_metered(out);
  return produce(out);
}

// Measures the time including the inputs. EXPLAIN subtracts the time of the inputs.
Result<bool> PhysicalOperator::next_metered(RowBatch& out) {
  using Clock = std::chrono::steady_clock;
  OperatorProfile* const outer = std::exchange(graph().meter, &meter_);
  const auto begun = Clock::now();
  auto result = produce(out);
  meter_.nanoseconds += static_cast<std::uint64_t>((Clock::now() - begun).count());
  meter_.rows += out.size();
  graph().meter = outer;
  return result;
}

// Restarts the whole pipeline, which then runs with the new row of the argument operator.
void PhysicalOperator::restart() {
  if (input_) input_->restart();
}

// For a statement the row is empty. For a pipeline that runs once per row it is the outer row.
Result<bool> ArgumentOperator::produce(RowBatch& out) {
  if (is_given_) return false;
  is_given_ = true;
  CAIRN_TRY(out.append(row_));
  return true;
}

void FanOutOperator::restart() {
  PhysicalOperator::restart();
  rows_.reset(0);
  row_ = 0;
  is_begun_ = is_done_ = false;
  limit_ = first_limit_;
  failure_.reset();
}

// An input row stays in place until all its output rows are made. emit() may write into the row.
Result<bool> FanOutOperator::next_row() {
  if (row_ < rows_.size()) return true;
  if (is_done_) return false;
  row_ = 0;
  CAIRN_ASSIGN(const bool more, input().next(rows_));
  is_done_ = !more;
  return more;
}

/// Appends output rows of the current input row. Returns true if there are more.
Result<bool> FanOutOperator::give(RowBatch& out) {
  if (!is_begun_) {
    CAIRN_TRY(begin(rows_[row_]));
    is_begun_ = true;
  }
  const std::size_t before = out.size();
  auto more = emit(rows_[row_], out);
  if (!more) out.truncate(before);
  return more;
}

// An output batch may have rows of several input rows, and one input row may fill several batches.
Status FanOutOperator::fill(RowBatch& out) {
  while (!out.full()) {
    CAIRN_ASSIGN(const bool is_there, next_row());
    if (!is_there) return {};
    CAIRN_ASSIGN(const bool more, give(out));
    if (more) continue;
    is_begun_ = false;
    ++row_;
    CAIRN_TRY(budget().step());
  }
  return {};
}

// Batches have at most 32, 128, 512 and then 1,024 rows, unless the operator sets another first
// limit. If a row fails, the rows before it are returned first, and the error with the next call.
// An exhausted limit or a cancellation is reported at once.
Result<bool> FanOutOperator::produce(RowBatch& out) {
  if (failure_) return *failure_;
  out.limit_to(limit_);
  const Status filled = fill(out);
  if (!filled && (out.empty() || !budget().check())) return filled.error();
  if (!filled) failure_ = filled.error();
  limit_ = std::min(limit_ * 4, RowBatch::capacity);
  return !out.empty();
}

namespace {

/// Provides rows of a batch for an expression. For a packed batch, copies the cells that the
/// expression reads into a separate row.
class RowsFor {
 public:
  // Accessing a row of the packed batch would unpack it.
  RowsFor(RowBatch& batch, const Expression& expression) : batch_(batch) {
    if (!batch.is_packed()) return;
    const SlotSet read = free_slots(expression);
    slots_.assign(read.begin(), read.end());
    cells_.resize(batch.width());
  }
  Row operator[](std::size_t row) {
    if (!batch_.is_packed()) return batch_[row];
    for (const Slot slot : slots_) cells_[slot] = batch_.cell(row, slot);
    return cells_;
  }

 private:
  RowBatch& batch_;
  std::vector<Slot> slots_;
  std::vector<Value> cells_;
};

/// Returns the rows of a packed batch that pass, or nullopt if the condition must be evaluated row
/// by row.
Result<std::optional<std::vector<std::uint32_t>>> passing_rows(ExecutionContext& context,
                                                               const Expression& condition,
                                                               bool wanted, const RowBatch& batch,
                                                               const PropertyBatch& properties) {
  using Rows = std::vector<std::uint32_t>;
  if (!batch.is_packed()) return std::optional<Rows>();
  ReadyColumns ready(batch, properties, context.parameters);
  CAIRN_ASSIGN(const auto truths, truths_of(condition, batch.size(), ready, context.graph));
  if (!truths) return std::optional<Rows>();
  CAIRN_TRY(context.budget.step(1 + batch.size() / 16));
  Rows passing;
  for (std::size_t row = 0; row < batch.size(); ++row)
    if ((*truths)[row] == (wanted ? RowTruth::yes : RowTruth::no))
      passing.push_back(static_cast<std::uint32_t>(row));
  return std::optional(std::move(passing));
}

}  // namespace

// Tests all rows before removing any, so that the remaining rows are moved only once.
Status keep_where(ExecutionContext& context, const Expression& condition, bool wanted,
                  RowBatch& batch, std::size_t first) {
  PropertyBatch properties;
  // Nothing is read ahead for a single row, because the condition may not need the property.
  if (batch.size() > first + 1) properties.expect(condition);
  CAIRN_TRY(properties.load(batch, context.graph, first));
  CAIRN_ASSIGN(const auto rows, passing_rows(context, condition, wanted, batch, properties));
  if (rows) {
    batch.keep_rows(*rows);
    return {};
  }
  const ReadAhead read_ahead(context.evaluator, properties.empty() ? nullptr : &properties);
  RowsFor cells(batch, condition);
  std::vector<bool> passing(batch.size(), true);
  for (std::size_t row = first; row < batch.size(); ++row) {
    properties.select(row);
    CAIRN_ASSIGN(const auto truth, context.evaluator.truth(condition, cells[row]));
    passing[row] = truth == wanted;
    CAIRN_TRY(context.budget.step());
  }
  batch.keep(passing);
  return {};
}

// Tests condition by condition, not row by row. Each condition reads properties only of rows that
// passed the previous conditions, and reads those of all rows together.
Status keep_passing(ExecutionContext& context, std::span<const Expression* const> conditions,
                    RowBatch& batch, std::size_t first) {
  for (const Expression* condition : conditions) {
    if (batch.size() == first) break;
    CAIRN_TRY(keep_where(context, *condition, true, batch, first));
  }
  return {};
}

}  // namespace cairn::query
