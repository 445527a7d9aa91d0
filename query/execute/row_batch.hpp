#pragma once
// RowBatch: up to some 1,024 rows of equal length in one array. Operators hand batches on, so that
// the cost of a call is shared by many rows.

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
  [[nodiscard]] bool full() const noexcept {
    return rows_ >= limit_ || held_.bytes() >= most_bytes ||
           (rows_ > 1 && held_.known_bytes() - first_known_bytes_ >= most_bytes);
  }
  /// How many rows fit that are copies of `row`; one at least, if it is not full.
  [[nodiscard]] std::size_t room_for(std::span<const Value> row) const;
  [[nodiscard]] Row operator[](std::size_t row) {
    return Row(cells_).subspan(row * width_, width_);
  }

  /// Append a row of nulls. Valid until the next append.
  [[nodiscard]] Result<Row> append() { return append(std::span<const Value>()); }
  /// Append a copy of `row`, cut or filled up with nulls to the width.
  [[nodiscard]] Result<Row> append(std::span<const Value> row) {
    const auto given = row.first(std::min<std::size_t>(row.size(), width_));
    if (!has_room(given)) CAIRN_TRY(make_room(given));
    cells_.insert(cells_.end(), given.begin(), given.end());
    cells_.resize((rows_ + 1) * width_);
    return (*this)[rows_++];
  }
  /// The same with the values of `row` moved.
  [[nodiscard]] Result<Row> append_moved(Row row) {
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
  void weigh_again();

  std::uint32_t width_ = 0;
  std::size_t limit_ = capacity;
  std::size_t rows_ = 0;
  std::vector<Value> cells_;
  Holding cells_held_;                 // the array, which stays from reset to reset
  Holding held_;                       // what the values hold beside it
  std::size_t first_known_bytes_ = 0;  // of these, what the first row has: it may be in every row
  Budget* budget_ = nullptr;
};

}  // namespace cairn::query
