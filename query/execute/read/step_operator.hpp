#pragma once
// StepOperator: base of operators that go from a node of each row along relationships to others. They make packed
// batches: of each row that is made it is noted which row it comes from, and the other columns are gathered by that.

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

/// The rows that were made of one batch of the input.
struct MadeRows {
  std::vector<std::uint32_t> sources;        ///< rows of the input
  std::vector<std::uint64_t> relationships;  ///< as many, or none
  std::vector<std::uint64_t> nodes;

  [[nodiscard]] std::size_t size() const noexcept { return sources.size(); }
};

class StepOperator : public PhysicalOperator {
 public:
  /// Slots that are not `carried` become null; nothing: all are.
  StepOperator(const Walk& walk, const std::optional<std::vector<bool>>& carried, Parts parts);
  void restart() override;

 protected:
  /// Begin with row() of rows(), which is packed.
  [[nodiscard]] virtual Status begin() = 0;
  /// Add to made() until it has `room` rows, or there are no more for this row.
  [[nodiscard]] virtual Status take(std::size_t room) = 0;
  [[nodiscard]] virtual bool has_more() const = 0;
  /// A row that fails takes none of those before it along, as of FanOutOperator.
  Result<bool> produce(RowBatch& out) final;

  [[nodiscard]] const Walk& walk() const noexcept { return walk_; }
  [[nodiscard]] StepFilter& filter() noexcept { return filter_; }
  [[nodiscard]] const RowBatch& rows() const noexcept { return rows_; }
  [[nodiscard]] std::size_t row() const noexcept { return row_; }
  [[nodiscard]] MadeRows& made() noexcept { return made_; }
  /// Whether relationships() of made() are read by anybody.
  [[nodiscard]] bool wants_relationships() const { return is_carried(walk_.pattern->slot); }
  /// The node in a slot of the row; nothing where it is null. Errors: type_error.
  [[nodiscard]] Result<std::optional<std::uint64_t>> node_at(Slot slot, const std::string& name);

 private:
  [[nodiscard]] Status fill(std::size_t room);
  [[nodiscard]] Status begin_row();
  /// Texts that each row made of this one has a copy of.
  [[nodiscard]] std::size_t text_bytes_of_row() const;
  [[nodiscard]] Result<bool> next_batch();
  [[nodiscard]] Status give(RowBatch& out);
  [[nodiscard]] bool is_carried(Slot slot) const {
    return !carried_ || (slot < carried_->size() && (*carried_)[slot]);
  }

  const Walk& walk_;
  const std::optional<std::vector<bool>>& carried_;
  StepFilter filter_;
  RowBatch rows_;  // of the input, packed
  std::size_t row_ = 0;
  bool is_begun_ = false;
  std::size_t text_bytes_ = 0;  // of the row, for each that is made of it
  MadeRows made_;
  std::size_t made_bytes_ = 0;  // of texts in these
  /// Grows from batch to batch, so that a statement that wants few rows does not pay for many.
  std::size_t limit_ = FanOutOperator::usual_first_limit;
  std::optional<Error> failure_;  // of the row behind those that were given
};

}  // namespace cairn::query
