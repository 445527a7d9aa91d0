#pragma once
// EagerOperator: base class of the writing clauses. All input rows are read before the first
// change, so that no earlier clause sees the changes. All changes are made before the first row is
// returned, so that every later clause sees them.

#include "query/execute/write/graph_editor.hpp"
#include "query/execute/write/operators.hpp"

#include <deque>

namespace cairn::query {

class EagerOperator : public PhysicalOperator {
 public:
  explicit EagerOperator(Parts parts)
      : PhysicalOperator(parts.context, std::move(parts.input), parts.width),
        editor_(parts.context) {}
  void restart() override;

 protected:
  /// Makes the changes for one row. The output rows are the input rows, unless take_over() is
  /// called.
  [[nodiscard]] virtual Status apply(Row row) = 0;
  /// Called after the last row.
  [[nodiscard]] virtual Status finish() { return {}; }
  /// All input rows, for finish().
  [[nodiscard]] std::deque<RowBatch>& gathered() noexcept { return rows_; }
  /// After this call, only rows passed to hand_on() are returned.
  void take_over() noexcept { makes_rows_ = true; }
  /// Returns this row instead of the input rows.
  [[nodiscard]] Status hand_on(Row row);
  [[nodiscard]] GraphEditor& editor() noexcept { return editor_; }

  Result<bool> produce(RowBatch& out) final;

 private:
  [[nodiscard]] Status run();
  [[nodiscard]] Status gather();
  [[nodiscard]] Status change(RowBatch& batch);

  GraphEditor editor_;
  std::deque<RowBatch> rows_;
  std::deque<RowBatch> made_;
  bool makes_rows_ = false;
  bool is_done_ = false;
};

}  // namespace cairn::query
