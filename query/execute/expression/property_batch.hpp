#pragma once
// PropertyBatch: the properties that expressions will ask for, read for all rows of a batch at once.

#include "query/bind/expression.hpp"
#include "query/execute/graph_reader.hpp"
#include "query/execute/row_batch.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {

class PropertyBatch {
 public:
  /// What `expressions` read as variable.property of the row itself. A property that only one
  /// branch of a CASE or of a logical operator reads is read for all rows, too.
  void expect(const Expression& expression);
  [[nodiscard]] bool empty() const noexcept { return columns_.empty(); }

  /// Read them for the rows of `batch` from `first` on; what the statement has deleted is left out.
  [[nodiscard]] Status load(RowBatch& batch, GraphReader& graph, std::size_t first = 0);
  /// The row that expressions are evaluated on from now.
  void select(std::size_t row) noexcept { row_ = row; }

  /// The property on the selected row, or null where it was not read ahead.
  [[nodiscard]] const Value* find(Slot slot, std::string_view name) const noexcept {
    for (const Column& column : columns_)
      if (column.slot == slot && column.name == name)
        return column.is_read[row_] ? &column.values[row_] : nullptr;
    return nullptr;
  }

 private:
  struct Column {
    Slot slot = 0;
    std::string name;
    std::vector<Value> values;
    std::vector<bool> is_read;
  };
  [[nodiscard]] static Status load(Column& column, codec::EntityKind kind, RowBatch& batch,
                                   GraphReader& graph, std::size_t first);

  std::vector<Column> columns_;
  std::size_t row_ = 0;
};

}  // namespace cairn::query
