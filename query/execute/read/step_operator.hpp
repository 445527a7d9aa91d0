#pragma once
// StepOperator: base class of operators that walk from a node of each row along relationships to
// other nodes. They make packed batches. Each new row records its input row, from which the other
// columns are copied.

#include "query/execute/pipeline/physical_operator.hpp"
#include "query/execute/read/path_steps.hpp"
#include "query/plan/operator_content.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cairn::query {

/// The rows made from one input batch.
struct MadeSteps {
  std::vector<std::uint32_t> sources;  ///< input row of each new row
  /// Relationship of each new row; empty if nothing reads it.
  std::vector<std::uint64_t> relationships;
  std::vector<std::uint64_t> nodes;  ///< node of each new row
  /// Number of steps that each new row represents. If not empty, it takes the place of the relationship and the node.
  std::vector<std::uint64_t> counts;

  [[nodiscard]] std::size_t size() const noexcept { return sources.size(); }
};

class StepOperator : public PhysicalOperator {
 public:
  /// Slots that are not `carried` become null. nullopt: all slots are carried.
  StepOperator(const Walk& walk, const std::optional<std::vector<bool>>& carried, Parts parts);
  void restart() override;

 protected:
  /// Starts with row() of rows(), which is packed.
  [[nodiscard]] virtual Status begin() = 0;
  /// Adds rows to made() until it has `room` rows or the input row has no more.
  [[nodiscard]] virtual Status take(std::size_t room) = 0;
  /// True if the current input row may return more rows.
  [[nodiscard]] virtual bool has_more() const = 0;
  /// If a row fails, the rows before it are returned first, as in FanOutOperator.
  Result<bool> produce(RowBatch& out) final;

  [[nodiscard]] const Walk& walk() const noexcept { return walk_; }
  [[nodiscard]] StepFilter& filter() noexcept { return filter_; }
  [[nodiscard]] const RowBatch& rows() const noexcept { return rows_; }
  [[nodiscard]] std::size_t row() const noexcept { return row_; }
  [[nodiscard]] MadeSteps& made() noexcept { return made_; }
  /// True if a later operator reads the relationships of made().
  [[nodiscard]] bool wants_relationships() const { return is_carried(walk_.pattern->slot); }
  /// Returns the node in a slot of the current row, or nullopt if it is null.
  /// Errors: type_error for any other value.
  [[nodiscard]] Result<std::optional<std::uint64_t>> node_at(Slot slot, const std::string& name);

 private:
  [[nodiscard]] Status fill(std::size_t room);
  [[nodiscard]] Status begin_row();
  /// Bytes of the texts that each new row copies from the current input row.
  [[nodiscard]] std::size_t text_bytes_of_row() const;
  [[nodiscard]] Result<bool> next_batch();
  [[nodiscard]] Status give(RowBatch& out);
  [[nodiscard]] bool is_carried(Slot slot) const {
    return !carried_ || (slot < carried_->size() && (*carried_)[slot]);
  }

  const Walk& walk_;
  const std::optional<std::vector<bool>>& carried_;
  StepFilter filter_;
  RowBatch rows_;  // current input batch, packed
  std::size_t row_ = 0;
  bool is_begun_ = false;
  bool may_have_texts_ = false;  // whether the current batch has texts in unpacked columns
  std::size_t text_bytes_ = 0;   // bytes of copied texts per new row
  MadeSteps made_;
  std::size_t made_bytes_ = 0;  // bytes of texts in made_
  /// Grows from batch to batch, so that a statement that needs few rows does not compute many.
  std::size_t limit_ = FanOutOperator::usual_first_limit;
  std::optional<Error> failure_;  // error of the row after those that were returned
};

}  // namespace cairn::query
