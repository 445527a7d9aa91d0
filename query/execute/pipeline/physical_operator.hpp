#pragma once
// PhysicalOperator: one step of a running plan. Rows are pulled: a consumer requests a batch from
// the last operator, and each operator requests batches from its input. Nothing runs before the
// first request.

#include "query/execute/expression/property_batch.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/row_batch.hpp"

#include <cairn/result.hpp>

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace cairn::query {

/// Base class of all operators. Derived classes produce batches. The base class counts steps and,
/// under PROFILE, rows and time.
class PhysicalOperator {
 public:
  PhysicalOperator(ExecutionContext& context, std::unique_ptr<PhysicalOperator> input,
                   std::uint32_t width)
      : context_(context), input_(std::move(input)), width_(width) {}
  virtual ~PhysicalOperator() = default;
  PhysicalOperator(const PhysicalOperator&) = delete;
  PhysicalOperator& operator=(const PhysicalOperator&) = delete;

  /// Fills `out` with the next rows. Returns true if there are rows. Returns false, and no rows, at
  /// the end.
  [[nodiscard]] Result<bool> next(RowBatch& out);
  /// Discards all state of the run and starts again.
  virtual void restart();

  [[nodiscard]] std::uint32_t width() const noexcept { return width_; }
  [[nodiscard]] const OperatorProfile& meter() const noexcept { return meter_; }

 protected:
  /// Implements next(). `out` is empty and has the width of the operator.
  [[nodiscard]] virtual Result<bool> produce(RowBatch& out) = 0;

  [[nodiscard]] PhysicalOperator& input() noexcept { return *input_; }
  [[nodiscard]] Evaluator& evaluator() noexcept { return context_.evaluator; }
  [[nodiscard]] GraphReader& graph() noexcept { return context_.graph; }
  [[nodiscard]] Budget& budget() noexcept { return context_.budget; }
  OperatorProfile& own_meter() noexcept { return meter_; }

  ExecutionContext& context_;

 private:
  [[nodiscard]] Result<bool> next_metered(RowBatch& out);

  std::unique_ptr<PhysicalOperator> input_;  // nullptr for the first operator of a pipeline
  std::uint32_t width_;
  OperatorProfile meter_;
};

using OperatorPtr = std::unique_ptr<PhysicalOperator>;

/// The first operator of a pipeline. Returns a single row.
class ArgumentOperator final : public PhysicalOperator {
 public:
  ArgumentOperator(ExecutionContext& context, std::uint32_t width)
      : PhysicalOperator(context, nullptr, width) {}

  /// Sets the row to return after the next restart. The row is truncated or filled up with nulls.
  void set(std::span<const Value> row) { row_.assign(row.begin(), row.end()); }
  void restart() override { is_given_ = false; }

 protected:
  Result<bool> produce(RowBatch& out) override;

 private:
  std::vector<Value> row_;
  bool is_given_ = false;
};

/// Base class of operators that make any number of rows from each input row.
class FanOutOperator : public PhysicalOperator {
 public:
  static constexpr std::size_t usual_first_limit = 32;

  FanOutOperator(ExecutionContext& context, std::unique_ptr<PhysicalOperator> input,
                 std::uint32_t width, std::size_t first_limit = usual_first_limit)
      : PhysicalOperator(context, std::move(input), width),
        first_limit_(first_limit),
        limit_(first_limit) {}
  void restart() override;

 protected:
  /// Starts with an input row. The row stays valid until the next call.
  [[nodiscard]] virtual Status begin(Row row) = 0;
  /// Appends rows until `out` is full. Returns false if the input row has no more rows. If the call
  /// fails, its rows are removed again.
  [[nodiscard]] virtual Result<bool> emit(Row row, RowBatch& out) = 0;
  Result<bool> produce(RowBatch& out) final;
  /// batch() is the input batch with the current row, and place() the position of this row. place()
  /// is 0 for the first row of each batch. Every row is started, in order, unless the operator is
  /// restarted.
  [[nodiscard]] RowBatch& batch() noexcept { return rows_; }
  [[nodiscard]] std::size_t place() const noexcept { return row_; }

 private:
  [[nodiscard]] Result<bool> next_row();
  [[nodiscard]] Result<bool> give(RowBatch& out);
  [[nodiscard]] Status fill(RowBatch& out);

  RowBatch rows_;
  std::size_t row_ = 0;
  bool is_begun_ = false;
  bool is_done_ = false;
  std::size_t first_limit_;
  /// Grows from batch to batch, so that a statement that needs few rows does not compute many.
  std::size_t limit_;
  std::optional<Error> failure_;  // error of the row after those that were returned
};

/// The arguments for the construction of every operator.
struct Parts {
  ExecutionContext& context;
  OperatorPtr input;
  std::uint32_t width = 0;
};

/// While an instance exists, the evaluator takes properties from the batch that was read ahead.
class ReadAhead {
 public:
  ReadAhead(Evaluator& evaluator, const PropertyBatch* properties)
      : evaluator_(evaluator), before_(evaluator.read_ahead()) {
    evaluator.use(properties);
  }
  ~ReadAhead() { evaluator_.use(before_); }
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

 private:
  Evaluator& evaluator_;
  const PropertyBatch* before_;
};

/// Removes the rows from `first` on for which a condition does not hold. Tests one condition after
/// the other.
[[nodiscard]] Status keep_passing(ExecutionContext& context,
                                  std::span<const Expression* const> conditions, RowBatch& batch,
                                  std::size_t first = 0);

/// Removes the rows from `first` on for which the condition does not return `wanted`. Null counts
/// as neither.
[[nodiscard]] Status keep_where(ExecutionContext& context, const Expression& condition, bool wanted,
                                RowBatch& batch, std::size_t first = 0);

}  // namespace cairn::query
