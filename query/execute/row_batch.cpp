// Copies rows: the memory of a streaming statement grows here. Each operator holds a batch, so a
// batch must be small compared to the memory limit. A row of a pattern with 900 steps has 100 KB of
// cells, and each step has a batch of such rows.
#include "query/execute/row_batch.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query {
namespace {

// Returns how many rows a batch may have. A pattern of n steps has rows of about 2n cells, and n
// batches. Together the batches should take at most an eighth of the memory limit, unless single
// rows are too long for that.
//    n batches * rows * 2n cells * sizeof(Value) = memory / 8   with n = width / 2
std::size_t most_rows(std::uint32_t width, std::size_t memory) {
  const std::size_t cells = std::max<std::size_t>(width, 1);
  const std::size_t rows = memory / (4 * sizeof(Value) * cells * cells);
  return std::clamp<std::size_t>(rows, 1, RowBatch::capacity);
}

std::size_t bytes_of(std::size_t cells) { return cells * sizeof(Value); }

}  // namespace

// The array of cells and its charge remain for the next rows.
void RowBatch::reset(std::uint32_t width) {
  width_ = width;
  limit_ = budget_ == nullptr ? capacity : most_rows(width, budget_->memory_bytes());
  rows_ = 0;
  cells_.clear();
  columns_.clear();
  is_packed_ = false;
  held_.clear();
  first_known_bytes_ = 0;
}

// With another budget, the array is freed, because its charge belongs to the previous budget.
void RowBatch::reset(std::uint32_t width, Budget& budget) {
  if (budget_ != &budget) {
    budget_ = &budget;
    cells_ = {};
    cells_held_ = Holding(budget);
    held_ = Holding(budget);
  }
  reset(width);
}

// Copies of a row share lists and maps, but not texts. So only texts limit the number of copies.
std::size_t RowBatch::room_for(std::span<const Value> row) const {
  if (full()) return 0;
  std::size_t bytes = 0;
  for (const Value& value : row)
    if (const std::string* text = value.string()) bytes += text->size();
  const std::size_t rows = limit_ - rows_;
  return bytes * rows <= most_bytes ? rows : std::max<std::size_t>(1, most_bytes / bytes);
}

// Doubles the array, from 8 rows up to the largest size of a batch.
Status RowBatch::grow() {
  const std::size_t most = std::max(limit_, rows_ + 1) * width_;
  const std::size_t wanted = std::max<std::size_t>(2 * cells_.capacity(), 8UL * width_);
  const std::size_t cells = std::max<std::size_t>(std::min(wanted, most), (rows_ + 1) * width_);
  CAIRN_TRY(charge_cells(cells));
  cells_.reserve(cells);
  return {};
}

Status RowBatch::charge_cells(std::size_t cells) {
  const std::size_t charged = cells_held_.bytes();
  if (budget_ == nullptr || bytes_of(cells) <= charged) return {};
  return cells_held_.grow(charged, bytes_of(cells));
}

// Charges the cells of all rows in advance, because a later operator[] must be able to unpack the
// batch without an error.
Status RowBatch::pack(std::size_t rows, std::vector<BatchColumn> columns) {
  CAIRN_TRY(charge_cells(rows * width_));
  CAIRN_TRY(held_.add_bytes(columns.size() * sizeof(BatchColumn)));
  for (const BatchColumn& column : columns) {
    if (column.form() == BatchColumn::Form::constant && Holding::has_content(column.only()))
      for (std::size_t row = 0; row < rows; ++row) CAIRN_TRY(held_.add_one(column.only()));
    CAIRN_TRY(held_.add(column.all()));
    CAIRN_TRY(held_.add_bytes(column.text_bytes()));
  }
  columns_ = std::move(columns);
  rows_ = rows;
  is_packed_ = true;
  return {};
}

std::vector<BatchColumn> RowBatch::take_columns() {
  std::vector<BatchColumn> columns = std::move(columns_);
  reset(width_);
  return columns;
}

namespace {

/// Moves the cells from `first` on, each `stride` after the previous one, into a column.
BatchColumn column_of(Value* first, std::size_t rows, std::size_t stride) {
  if (rows == 1) return BatchColumn::constant(std::move(*first));
  std::vector<Value> values;
  values.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row) values.push_back(std::move(first[row * stride]));
  return BatchColumn::packed(std::move(values));
}

}  // namespace

// The charge for the cells remains, because the batch may be unpacked again.
void RowBatch::pack_rows() {
  if (is_packed_) return;
  if (rows_ > 0)
    for (std::size_t slot = 0; slot < width_; ++slot)
      columns_.push_back(column_of(&cells_[slot], rows_, width_));
  else
    columns_.resize(width_);
  cells_.clear();
  is_packed_ = true;
}

void RowBatch::copy_row(std::size_t row, std::vector<Value>& cells) const {
  cells.resize(width_);
  for (std::size_t slot = 0; slot < width_; ++slot) cells[slot] = cell(row, slot);
}

// The cells were charged when the batch was packed, so this cannot fail.
void RowBatch::unpack() {
  is_packed_ = false;
  cells_.resize(rows_ * width_);
  for (std::size_t slot = 0; slot < columns_.size(); ++slot)
    columns_[slot].copy_to(cells_.data() + slot, rows_, width_);
  columns_.clear();
}

// Appending a row with many cells takes time, so it counts as steps.
Status RowBatch::make_room(std::span<const Value> values) {
  if (budget_ == nullptr) return {};
  if (cells_.size() + width_ > cells_.capacity()) CAIRN_TRY(grow());
  CAIRN_TRY(budget_->step(width_ / narrow_width));
  if (rows_ == 1) first_known_bytes_ = held_.known_bytes();
  return held_.add(values);
}

void RowBatch::keep_rows(std::span<const std::uint32_t> rows) {
  if (rows.size() == rows_) return;
  for (BatchColumn& column : columns_) column.keep(rows);
  rows_ = rows.size();
}

// Moves the remaining rows forward by swapping. truncate() then destroys the removed rows.
void RowBatch::keep(const std::vector<bool>& flags) {
  if (is_packed_) {
    std::vector<std::uint32_t> rows;
    for (std::size_t row = 0; row < rows_; ++row)
      if (flags[row]) rows.push_back(static_cast<std::uint32_t>(row));
    return keep_rows(rows);
  }
  std::size_t kept = 0;
  for (std::size_t row = 0; row < rows_; ++row) {
    if (!flags[row]) continue;
    if (kept != row)
      std::swap_ranges((*this)[row].begin(), (*this)[row].end(), (*this)[kept].begin());
    ++kept;
  }
  truncate(kept);
}

void RowBatch::truncate(std::size_t rows) {
  if (rows >= rows_) return;
  rows_ = rows;
  if (is_packed_) {
    for (BatchColumn& column : columns_) column.truncate(rows);
    return;
  }
  cells_.resize(rows * width_);
  if (held_.bytes() + held_.known_bytes() >= most_bytes / 2) weigh_again();
}

// Renews the charge for the remaining values. Otherwise a batch that lost most of its rows would
// still count as full. The charge cannot fail, because it is smaller than before.
void RowBatch::weigh_again() {
  held_.clear();
  first_known_bytes_ = 0;
  (void)held_.add(cells_).has_value();
}

}  // namespace cairn::query
