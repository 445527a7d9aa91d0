#pragma once
// RowBatch: up to 1,024 rows of equal length. Operators pass batches on, so that many rows share
// the cost of a call.

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

/// The cells of all rows are stored one after the other. A row is a span of them, valid until rows
/// are added or removed.
///
/// A batch may instead be packed: then it has a column for each slot. Accessing or appending a row
/// unpacks the batch, which costs writing all cells.
///
/// A batch is full when it reaches its number of rows or its bytes. All its memory is charged to
/// the statement before it is allocated. The charge ends when the batch is reset or destroyed.
/// Errors of functions that add: resource_limit, cancelled.
class RowBatch {
 public:
  static constexpr std::size_t capacity = 1'024;
  /// Limit for the memory of values outside of the cells. A single row may exceed the limit, but is
  /// then the last row.
  static constexpr std::size_t most_bytes = std::size_t{1} << 20;

  /// Without a budget: charges nothing.
  explicit RowBatch(std::uint32_t width = 0) : width_(width) {}
  RowBatch(std::uint32_t width, Budget& budget) { reset(width, budget); }

  void reset(std::uint32_t width);
  void reset(std::uint32_t width, Budget& budget);
  /// Makes the batch full at this number of rows, until the next reset.
  void limit_to(std::size_t rows) noexcept { limit_ = rows < limit_ ? rows : limit_; }

  [[nodiscard]] std::uint32_t width() const noexcept { return width_; }
  [[nodiscard]] std::size_t size() const noexcept { return rows_; }
  [[nodiscard]] bool empty() const noexcept { return rows_ == 0; }
  /// True if no row may be appended. A packed batch with rows accepts no more rows.
  [[nodiscard]] bool full() const noexcept {
    return rows_ >= limit_ || (is_packed_ && rows_ > 0) || held_.bytes() >= most_bytes ||
           (rows_ > 1 && held_.known_bytes() - first_known_bytes_ >= most_bytes);
  }
  /// The number of rows at which the batch is full, if its rows are small.
  [[nodiscard]] std::size_t row_limit() const noexcept { return limit_; }
  /// Returns how many copies of `row` fit. At least one, unless the batch is full.
  [[nodiscard]] std::size_t room_for(std::span<const Value> row) const;
  /// Unpacks the batch if it is packed.
  [[nodiscard]] Row operator[](std::size_t row) {
    if (is_packed_) unpack();
    return Row(cells_).subspan(row * width_, width_);
  }

  [[nodiscard]] bool is_packed() const noexcept { return is_packed_; }
  /// Fills the empty batch with columns: one for each slot, each with `rows` rows.
  [[nodiscard]] Status pack(std::size_t rows, std::vector<BatchColumn> columns);
  /// Precondition: is_packed().
  [[nodiscard]] const BatchColumn& column(std::size_t slot) const noexcept {
    return columns_[slot];
  }
  [[nodiscard]] std::span<const BatchColumn> columns() const noexcept { return columns_; }
  /// Moves the columns out of a packed batch, which is empty afterwards.
  [[nodiscard]] std::vector<BatchColumn> take_columns();
  /// Converts rows to columns if the batch is not packed.
  void pack_rows();

  /// Returns a copy of one cell. Does not unpack the batch.
  [[nodiscard]] Value cell(std::size_t row, std::size_t slot) const {
    return is_packed_ ? columns_[slot].value(row) : cells_[row * width_ + slot];
  }
  /// Copies a whole row. Does not unpack the batch.
  void copy_row(std::size_t row, std::vector<Value>& cells) const;

  /// Appends a row of nulls. The result is valid until the next append.
  [[nodiscard]] Result<Row> append() { return append(std::span<const Value>()); }
  /// Appends a copy of `row`, truncated or filled up with nulls to the width of the batch.
  [[nodiscard]] Result<Row> append(std::span<const Value> row) {
    if (is_packed_) unpack();
    const auto given = row.first(std::min<std::size_t>(row.size(), width_));
    if (!has_room(given)) CAIRN_TRY(make_room(given));
    cells_.insert(cells_.end(), given.begin(), given.end());
    cells_.resize((rows_ + 1) * width_);
    return (*this)[rows_++];
  }
  /// Does the same but moves the values out of `row`.
  [[nodiscard]] Result<Row> append_moved(Row row) {
    if (is_packed_) unpack();
    const Row given = row.first(std::min<std::size_t>(row.size(), width_));
    if (!has_room(given)) CAIRN_TRY(make_room(given));
    cells_.insert(cells_.end(), std::make_move_iterator(given.begin()),
                  std::make_move_iterator(given.end()));
    cells_.resize((rows_ + 1) * width_);
    return (*this)[rows_++];
  }
  /// Sets a cell of the last row and charges its value.
  [[nodiscard]] Status put(Value& cell, Value value) {
    CAIRN_TRY(held_.add_one(value));
    cell = std::move(value);
    return {};
  }
  /// Charges memory of cells in the last row that the caller sets without put().
  [[nodiscard]] Status hold(std::span<const Value> cells) { return held_.add(cells); }
  [[nodiscard]] Status hold(std::size_t bytes) { return held_.add_bytes(bytes); }

  /// Keeps the rows whose flag is set and removes the others.
  void keep(const std::vector<bool>& flags);
  /// Keeps these rows of a packed batch. `rows` must be in ascending order.
  void keep_rows(std::span<const std::uint32_t> rows);
  void truncate(std::size_t rows);

 private:
  static constexpr std::uint32_t narrow_width = 64;  // copying wider rows counts as steps

  /// True if a row with these values needs no further charge, which is the usual case.
  [[nodiscard]] bool has_room(std::span<const Value> values) const noexcept {
    if (cells_.size() + width_ > cells_.capacity() || width_ > narrow_width) return false;
    for (const Value& value : values)
      if (Holding::has_content(value)) return false;
    return true;
  }
  /// Charges a row with these values and makes room for it.
  [[nodiscard]] Status make_room(std::span<const Value> values);
  [[nodiscard]] Status grow();
  /// Charges an array of this many cells.
  [[nodiscard]] Status charge_cells(std::size_t cells);
  void weigh_again();
  void unpack();

  std::uint32_t width_ = 0;
  std::size_t limit_ = capacity;
  std::size_t rows_ = 0;
  bool is_packed_ = false;
  std::vector<Value> cells_;          // empty while packed
  std::vector<BatchColumn> columns_;  // empty unless packed
  // The array for cells of rows, also while packed; remains charged after reset().
  Holding cells_held_;
  Holding held_;  // memory of the values outside of their cells
  // The part of held_ that the first row shares with other holders. Each row may have the same
  // content.
  std::size_t first_known_bytes_ = 0;
  Budget* budget_ = nullptr;
};

}  // namespace cairn::query
