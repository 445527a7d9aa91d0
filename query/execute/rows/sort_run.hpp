#pragma once
// SortRun: rows in memory and their order.

#include "query/execute/holding.hpp"
#include "query/execute/row_batch.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

namespace cairn::query {

/// Rows of equal length in one array, and their order. Each row is preceded by those keys that are
/// not columns of the row. All memory is charged before it is allocated.
///
///   cells    keys of 0 | row 0 | keys of 1 | row 1 | ...
///   places   index of the first row in sorted order, of the second row, ...
class SortRun {
 public:
  SortRun(std::size_t width, Budget& budget)
      : width_(width), held_(budget) {}  // at least one cell, the key

  [[nodiscard]] std::size_t size() const { return cells_.size() / width_; }
  [[nodiscard]] bool empty() const { return cells_.empty(); }
  [[nodiscard]] std::size_t bytes() const { return held_.bytes(); }
  /// A row is added in parts: first its keys and then its cells.
  Status add(Row cells) {
    CAIRN_TRY(held_.add(cells));
    if (cells_.size() + width_ > cells_.capacity())
      CAIRN_TRY(reserve(std::max(2 * cells_.capacity(), 8 * width_)));
    cells_.insert(cells_.end(), std::make_move_iterator(cells.begin()),
                  std::make_move_iterator(cells.end()));
    return {};
  }
  Status add(Value cell) { return add({&cell, 1}); }
  /// Makes room for `rows` more rows. A run that grows again doubles.
  Status make_room(std::size_t rows) {
    const std::size_t needed = cells_.size() + rows * width_;
    return needed <= cells_.capacity() ? Status()
                                       : reserve(std::max(2 * cells_.capacity(), needed));
  }

  /// Returns a row by its position of insertion.
  [[nodiscard]] Row row(std::size_t place) { return Row(cells_).subspan(place * width_, width_); }
  /// Returns a row by its position in sorted order.
  [[nodiscard]] Row sorted(std::size_t position) { return row(places_[position]); }

  /// Sorts the run so that the first `wanted` rows are in order and before all others.
  /// `compare(a, b)` is negative if row a comes first. Equal rows keep their order. After an error
  /// `compare` may return anything: the algorithms used here stay within the array even if the
  /// order is inconsistent.
  template <class Compare>
  Status sort(std::size_t wanted, const Compare& compare) {
    CAIRN_TRY(held_.add_bytes(size() * sizeof(std::uint32_t)));
    places_.resize(size());
    std::iota(places_.begin(), places_.end(), 0U);
    const auto precedes = [&](std::uint32_t a, std::uint32_t b) {
      const int order = compare(row(a), row(b));
      return order != 0 ? order < 0 : a < b;
    };
    if (wanted < size() / 2)
      std::partial_sort(places_.begin(), places_.begin() + static_cast<std::ptrdiff_t>(wanted),
                        places_.end(), precedes);
    else
      std::stable_sort(places_.begin(), places_.end(), precedes);
    return {};
  }

  /// Lets another budget pay for the rows.
  Status charge_to(Budget& budget) {
    Holding held(budget);
    CAIRN_TRY(held.add_bytes(bytes_of(cells_.capacity()) + size() * sizeof(std::uint32_t)));
    CAIRN_TRY(held.add(cells_));
    held_ = std::move(held);
    return {};
  }

  /// Releases unused memory after the last row was added.
  Status close() {
    if (cells_.capacity() - cells_.size() <= cells_.size() / 4) return {};
    CAIRN_TRY(held_.grow(bytes_of(cells_.capacity()), bytes_of(cells_.size())));
    cells_.shrink_to_fit();
    return {};
  }

  /// Keeps the first `wanted` rows of a sorted run, as if they had been added in this order.
  Status cut(std::size_t wanted, Budget& budget) {
    SortRun kept(width_, budget);
    CAIRN_TRY(kept.reserve(wanted * width_));
    for (std::size_t position = 0; position < wanted; ++position)
      CAIRN_TRY(kept.add(sorted(position)));
    kept.places_.resize(wanted);
    std::iota(kept.places_.begin(), kept.places_.end(), 0U);
    *this = std::move(kept);
    return {};
  }

 private:
  static std::size_t bytes_of(std::size_t cells) { return cells * sizeof(Value); }

  Status reserve(std::size_t cells) {
    CAIRN_TRY(held_.grow(bytes_of(cells_.capacity()), bytes_of(cells)));
    cells_.reserve(cells);
    return {};
  }

  std::size_t width_;
  std::vector<Value> cells_;
  std::vector<std::uint32_t> places_;
  Holding held_;
};

}  // namespace cairn::query
