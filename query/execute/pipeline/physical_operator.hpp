#pragma once
// PhysicalOperator: one step of a running plan. The last one is asked for batches and asks its
// input; nothing runs before it is asked.

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

/// Base of all operators. Derived classes give batches; the base counts steps and, under PROFILE,
/// rows and time.
class PhysicalOperator {
 public:
  PhysicalOperator(ExecutionContext& context, std::unique_ptr<PhysicalOperator> input,
                   std::uint32_t width)
      : context_(context), input_(std::move(input)), width_(width) {}
  virtual ~PhysicalOperator() = default;
  PhysicalOperator(const PhysicalOperator&) = delete;
  PhysicalOperator& operator=(const PhysicalOperator&) = delete;

  /// Fill `out` with the next rows. False, and no rows, at the end; never true without rows.
  [[nodiscard]] Result<bool> next(RowBatch& out);
  /// Forget everything and begin again.
  virtual void restart();

  [[nodiscard]] std::uint32_t width() const noexcept { return width_; }
  [[nodiscard]] const OperatorProfile& meter() const noexcept { return meter_; }

 protected:
  [[nodiscard]] virtual Result<bool> produce(RowBatch& out) = 0;

  [[nodiscard]] PhysicalOperator& input() noexcept { return *input_; }
  [[nodiscard]] Evaluator& evaluator() noexcept { return context_.evaluator; }
  [[nodiscard]] GraphReader& graph() noexcept { return context_.graph; }
  [[nodiscard]] Budget& budget() noexcept { return context_.budget; }
  OperatorProfile& own_meter() noexcept { return meter_; }

  ExecutionContext& context_;

 private:
  [[nodiscard]] Result<bool> next_metered(RowBatch& out);

  std::unique_ptr<PhysicalOperator> input_;  // null for the first of a pipeline
  std::uint32_t width_;
  OperatorProfile meter_;
};

using OperatorPtr = std::unique_ptr<PhysicalOperator>;

/// The first operator of a pipeline: gives one row.
class ArgumentOperator final : public PhysicalOperator {
 public:
  ArgumentOperator(ExecutionContext& context, std::uint32_t width)
      : PhysicalOperator(context, nullptr, width) {}

  /// The row that is given after the next restart, cut or filled up with nulls.
  void set(std::span<const Value> row) { row_.assign(row.begin(), row.end()); }
  void restart() override { is_given_ = false; }

 protected:
  Result<bool> produce(RowBatch& out) override;

 private:
  std::vector<Value> row_;
  bool is_given_ = false;
};

/// Base of operators that make any number of rows out of one.
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
  /// Begin with a row of the input; it stays valid until the next one.
  [[nodiscard]] virtual Status begin(Row row) = 0;
  /// Append rows until `out` is full; false if there are no more for this row. What was appended by a call
  /// that fails is taken back.
  [[nodiscard]] virtual Result<bool> emit(Row row, RowBatch& out) = 0;
  Result<bool> produce(RowBatch& out) final;
  /// The rows that came with the one that was begun, and its place among them: 0 for the first of each
  /// batch. Each is begun, in order, unless the operator is restarted.
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
  /// Grows from batch to batch, so that a statement that wants few rows does not pay for many.
  std::size_t limit_;
  std::optional<Error> failure_;  // of the row behind those that were given
};

/// What every operator is made of.
struct Parts {
  ExecutionContext& context;
  OperatorPtr input;
  std::uint32_t width = 0;
};

/// While it lives, properties come from what was read ahead.
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

/// Drop the rows of `batch` from `first` on for which a condition does not hold, one condition after
/// the other.
[[nodiscard]] Status keep_passing(ExecutionContext& context,
                                  std::span<const Expression* const> conditions, RowBatch& batch,
                                  std::size_t first = 0);

/// Drop the rows for which a condition does not give `wanted`; one that gives null drops them too.
[[nodiscard]] Status keep_where(ExecutionContext& context, const Expression& condition, bool wanted,
                                RowBatch& batch, std::size_t first = 0);

}  // namespace cairn::query
