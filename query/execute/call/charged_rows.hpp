#pragma once
// ChargedRows: the rows of a procedure while it makes them.

#include "query/execute/call/procedures.hpp"
#include "query/execute/holding.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace cairn::query {

/// Charges each row to the statement before the rows grow by it, until the end of this object.
class ChargedRows {
 public:
  explicit ChargedRows(Budget& budget) : budget_(budget), held_(budget) {}

  /// Errors: resource_limit, cancelled.
  [[nodiscard]] Status add(std::vector<Value> row) {
    CAIRN_TRY(budget_.step());
    CAIRN_TRY(grow());
    CAIRN_TRY(held_.add_bytes(block_bytes + row.capacity() * sizeof(Value)));
    CAIRN_TRY(held_.add(row));
    rows_.push_back(std::move(row));
    return {};
  }
  [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }
  [[nodiscard]] const Procedure::Rows& rows() const noexcept { return rows_; }
  /// Returns the rows. Their charges end with this object.
  [[nodiscard]] Procedure::Rows take() noexcept { return std::move(rows_); }

 private:
  static constexpr std::size_t row_bytes = sizeof(Procedure::Rows::value_type);
  static constexpr std::size_t block_bytes = 16;  // what an allocation takes besides its content

  /// Makes room for one more row. The old and the new array exist together for a moment.
  Status grow() {
    constexpr std::size_t first_rows = 16;
    const std::size_t old = rows_.capacity();
    if (rows_.size() < old) return {};
    const std::size_t more = std::max(first_rows, 2 * old);
    CAIRN_TRY(held_.grow(old * row_bytes, more * row_bytes));
    rows_.reserve(more);
    return {};
  }

  Budget& budget_;
  Procedure::Rows rows_;
  Holding held_;
};

}  // namespace cairn::query
