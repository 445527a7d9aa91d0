#pragma once
// EagerOperator: base of the writing clauses. All rows of the input are read before the first change
// is made, so that no clause before sees it; all changes are made before the first row is handed on,
// so that every clause behind does.

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
  /// Make the changes for one row. Rows that go on are those of `row` unless take_over() is called.
  [[nodiscard]] virtual Status apply(Row row) = 0;
  /// After the last row.
  [[nodiscard]] virtual Status finish() { return {}; }
  /// The rows of the input, all of them: for finish().
  [[nodiscard]] std::deque<RowBatch>& gathered() noexcept { return rows_; }
  /// After this call only rows passed to hand_on() continue.
  void take_over() noexcept { makes_rows_ = true; }
  /// Hand this row on instead of those of the input.
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
