#pragma once
// RowBatch: up to some 1,024 rows of equal length in one array. Operators hand batches on, so that
// the cost of a call is shared by many rows.

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
class RowBatch {
 public:
  static constexpr std::size_t capacity = 1'024;

  explicit RowBatch(std::uint32_t width = 0) : width_(width) {}

  void reset(std::uint32_t width) {
    width_ = width;
    rows_ = 0;
    cells_.clear();
  }
  [[nodiscard]] std::uint32_t width() const noexcept { return width_; }
  [[nodiscard]] std::size_t size() const noexcept { return rows_; }
  [[nodiscard]] bool empty() const noexcept { return rows_ == 0; }
  [[nodiscard]] bool full() const noexcept { return rows_ >= capacity; }
  [[nodiscard]] Row operator[](std::size_t row) {
    return Row(cells_).subspan(row * width_, width_);
  }

  /// Append a row of nulls. Valid until the next append.
  Row append() {
    cells_.resize(cells_.size() + width_);
    return (*this)[rows_++];
  }
  /// Append a copy of `row`, cut or filled up with nulls to the width.
  Row append(std::span<const Value> row) {
    const std::size_t given = row.size() < width_ ? row.size() : width_;
    cells_.insert(cells_.end(), row.begin(), row.begin() + static_cast<std::ptrdiff_t>(given));
    cells_.resize((rows_ + 1) * width_);
    return (*this)[rows_++];
  }
  /// The same with the values of `row` moved.
  Row append_moved(Row row) {
    const Row given = row.first(std::min<std::size_t>(row.size(), width_));
    cells_.insert(cells_.end(), std::make_move_iterator(given.begin()),
                  std::make_move_iterator(given.end()));
    cells_.resize((rows_ + 1) * width_);
    return (*this)[rows_++];
  }
  void pop_back() {
    cells_.resize(cells_.size() - width_);
    --rows_;
  }
  /// Keep the rows whose flag is set; the others go.
  void keep(const std::vector<bool>& flags) {
    std::size_t kept = 0;
    for (std::size_t row = 0; row < rows_; ++row) {
      if (!flags[row]) continue;
      if (kept != row)
        std::swap_ranges((*this)[row].begin(), (*this)[row].end(), (*this)[kept].begin());
      ++kept;
    }
    truncate(kept);
  }
  void truncate(std::size_t rows) {
    if (rows >= rows_) return;
    rows_ = rows;
    cells_.resize(rows * width_);
  }

 private:
  std::uint32_t width_;
  std::size_t rows_ = 0;
  std::vector<Value> cells_;
};

}  // namespace cairn::query
