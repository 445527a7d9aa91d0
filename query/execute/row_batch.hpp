#pragma once
// RowBatch: up to some 1,024 rows of equal length. Operators hand batches on, so that the cost of a call is shared by
// many rows.

#include "query/execute/batch_column.hpp"
#include "query/execute/holding.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace cairn::query {

using Row = std::span<Value>;

/// Cells of all rows follow each other; a row is a span of them, valid until rows are added or go.
///
/// A batch may be packed instead: a column for each slot. Whoever asks for a row, or appends one, makes rows of it.
/// Cost: that of writing all cells.
///
/// A batch is full at its rows or at its bytes. All that it holds is charged to its statement before
/// it is allocated, until the batch is reset or goes. Errors of what adds: resource_limit, cancelled.
class RowBatch {
 public:
  static constexpr std::size_t capacity = 1'024;
  /// Of values beside the cells. A row may be larger, and then it is the last one.
  static constexpr std::size_t most_bytes = std::size_t{1} << 20;

  explicit RowBatch(std::uint32_t width = 0) : width_(width) {}  ///< charges nobody
  RowBatch(std::uint32_t width, Budget& budget) { reset(width, budget); }

  void reset(std::uint32_t width);
  void reset(std::uint32_t width, Budget& budget);
  /// Full at so many rows already, until the next reset.
  void limit_to(std::size_t rows) noexcept { limit_ = rows < limit_ ? rows : limit_; }

  [[nodiscard]] std::uint32_t width() const noexcept { return width_; }
  [[nodiscard]] std::size_t size() const noexcept { return rows_; }
  [[nodiscard]] bool empty() const noexcept { return rows_ == 0; }
  /// A packed batch with rows takes no more.
  [[nodiscard]] bool full() const noexcept {
    return rows_ >= limit_ || (is_packed_ && rows_ > 0) || held_.bytes() >= most_bytes ||
           (rows_ > 1 && held_.known_bytes() - first_known_bytes_ >= most_bytes);
  }
  /// Of short rows; it is full then.
  [[nodiscard]] std::size_t row_limit() const noexcept { return limit_; }
  /// How many rows fit that are copies of `row`; one at least, if it is not full.
  [[nodiscard]] std::size_t room_for(std::span<const Value> row) const;
  [[nodiscard]] Row operator[](std::size_t row) {
    if (is_packed_) unpack();
    return Row(cells_).subspan(row * width_, width_);
  }

  [[nodiscard]] bool is_packed() const noexcept { return is_packed_; }
  /// Make the batch, which is empty, one of columns: one for each slot, each of `rows` rows.
  [[nodiscard]] Status pack(std::size_t rows, std::vector<BatchColumn> columns);
  /// Of a packed batch.
  [[nodiscard]] const BatchColumn& column(std::size_t slot) const noexcept {
    return columns_[slot];
  }
  [[nodiscard]] std::span<const BatchColumn> columns() const noexcept { return columns_; }
  /// The columns of a packed batch, which is empty then.
  [[nodiscard]] std::vector<BatchColumn> take_columns();
  /// Make columns of the rows, if they are none.
  void pack_rows();

  /// A copy of one cell, of one row; the batch stays as it is.
  [[nodiscard]] Value cell(std::size_t row, std::size_t slot) const {
    return is_packed_ ? columns_[slot].value(row) : cells_[row * width_ + slot];
  }
  void copy_row(std::size_t row, std::vector<Value>& cells) const;

  /// Append a row of nulls. Valid until the next append.
  [[nodiscard]] Result<Row> append() { return append(std::span<const Value>()); }
  /// Append a copy of `row`, cut or filled up with nulls to the width.
  [[nodiscard]] Result<Row> append(std::span<const Value> row) {
    if (is_packed_) unpack();
    const auto given = row.first(std::min<std::size_t>(row.size(), width_));
    if (!has_room(given)) CAIRN_TRY(make_room(given));
    cells_.insert(cells_.end(), given.begin(), given.end());
    cells_.resize((rows_ + 1) * width_);
    return (*this)[rows_++];
  }
  /// The same with the values of `row` moved.
  [[nodiscard]] Result<Row> append_moved(Row row) {
    if (is_packed_) unpack();
    const Row given = row.first(std::min<std::size_t>(row.size(), width_));
    if (!has_room(given)) CAIRN_TRY(make_room(given));
    cells_.insert(cells_.end(), std::make_move_iterator(given.begin()),
                  std::make_move_iterator(given.end()));
    cells_.resize((rows_ + 1) * width_);
    return (*this)[rows_++];
  }
  /// Give a cell of the last row its value.
  [[nodiscard]] Status put(Value& cell, Value value) {
    CAIRN_TRY(held_.add_one(value));
    cell = std::move(value);
    return {};
  }
  /// Charge what cells of the last row were or will be given.
  [[nodiscard]] Status hold(std::span<const Value> cells) { return held_.add(cells); }
  [[nodiscard]] Status hold(std::size_t bytes) { return held_.add_bytes(bytes); }

  /// Keep the rows whose flag is set; the others go.
  void keep(const std::vector<bool>& flags);
  /// Of a packed batch these rows, which ascend.
  void keep_rows(std::span<const std::uint32_t> rows);
  void truncate(std::size_t rows);

 private:
  static constexpr std::uint32_t narrow_width = 64;  // a row of more cells takes time to copy

  /// Whether a row with these values, as most are, takes nothing that is not charged already.
  [[nodiscard]] bool has_room(std::span<const Value> values) const noexcept {
    if (cells_.size() + width_ > cells_.capacity() || width_ > narrow_width) return false;
    for (const Value& value : values)
      if (Holding::has_content(value)) return false;
    return true;
  }
  /// Charge a row with these values and make room for it.
  [[nodiscard]] Status make_room(std::span<const Value> values);
  [[nodiscard]] Status grow();
  /// Charge an array of so many cells.
  [[nodiscard]] Status charge_cells(std::size_t cells);
  void weigh_again();
  void unpack();

  std::uint32_t width_ = 0;
  std::size_t limit_ = capacity;
  std::size_t rows_ = 0;
  bool is_packed_ = false;
  std::vector<Value> cells_;           // empty while packed
  std::vector<BatchColumn> columns_;   // empty unless packed
  Holding cells_held_;                 // an array that there is, or will be when rows are made; it stays
  Holding held_;                       // what the values hold beside it
  std::size_t first_known_bytes_ = 0;  // of these, what the first row has: it may be in every row
  Budget* budget_ = nullptr;
};

}  // namespace cairn::query
