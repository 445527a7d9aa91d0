#pragma once
// SortedRows: rows in the order of an ORDER BY. Several threads may each sort a part of the rows. Then one thread
// merges the parts.

#include "query/bind/bound_query.hpp"
#include "query/execute/expression/property_batch.hpp"
#include "query/execute/holding.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/row_batch.hpp"
#include "query/execute/rows/shared_run.hpp"

#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
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

  /// Charges the memory of the rows to another budget.
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

/// What to sort, and how much of it.
struct Sorting {
  const ProjectClause& clause;
  std::size_t width = 0;   ///< of the rows
  std::size_t wanted = 0;  ///< rows after the first `wanted` ones may be dropped
  bool is_limited = false;
  /// True if several threads sort: rows of an earlier morsel come before equal ones of a later morsel.
  bool is_divided = false;
};

/// Rows are collected in runs, which are sorted and then merged while rows are returned. So the statement can be cancelled
/// within the time of one run. Threads: one at a time.
class SortedRows final : public ThreadPart {
 public:
  SortedRows(const Sorting& sorting, ExecutionContext& context);

  /// Adds the rows of a batch, and moves them out of it.
  [[nodiscard]] Status add(RowBatch& rows, std::uint64_t morsel) override;
  [[nodiscard]] Status finish() override;
  /// Takes the rows of several finished parts. Precondition: this object has no rows.
  [[nodiscard]] Status join(std::span<SortedRows* const> parts);
  /// Appends the next rows. Precondition: finish() or join() came before.
  [[nodiscard]] Status give(RowBatch& out);

 private:
  // Sorting this many rows takes about 5 ms if keys are short. Comparisons of long keys check the
  // clock themselves.
  static constexpr std::size_t run_rows = 8'192;
  // A run with a few large rows is truncated before too many of them are held.
  static constexpr std::size_t run_bytes = std::size_t{16} << 20;

  // The next row to read from a run.
  struct Head {
    std::size_t run = 0;
    std::size_t position = 0;
  };

  /// A key that is a column of the row need not be stored separately.
  [[nodiscard]] static bool is_column(const SortKey& key);
  [[nodiscard]] Budget& budget() { return context_.budget; }
  [[nodiscard]] std::size_t keys() const {
    return evaluated_.size() + (sorting_.is_divided ? 1 : 0);
  }
  [[nodiscard]] SortRun empty_run() { return {keys() + sorting_.width, budget()}; }

  [[nodiscard]] int compare(Row a, Row b);
  [[nodiscard]] bool may_walk(const Value& first, const Value& second);
  [[nodiscard]] Row at(const Head& head) { return runs_[head.run].sorted(head.position); }
  [[nodiscard]] bool comes_later(const Head& a, const Head& b);

  void drop_late(RowBatch& rows);
  [[nodiscard]] Status add_all(RowBatch& rows, std::uint64_t morsel);
  [[nodiscard]] Status tell_scan();
  [[nodiscard]] Status close_full_run();
  [[nodiscard]] Status sort(SortRun& run);
  void push(Head head);
  [[nodiscard]] Status give_least(RowBatch& out);

  Sorting sorting_;
  ExecutionContext& context_;
  std::vector<const Expression*> evaluated_;  // keys that are not columns of the row
  // For each key, its cell in a row of a run and whether it descends.
  struct Key {
    std::size_t cell = 0;
    bool descending = false;
  };
  std::vector<Key> keys_;
  PropertyBatch properties_;
  SortRun run_;  // gets further rows
  std::vector<SortRun> runs_;
  std::vector<Head> heads_;
  // For drop_late(): enough known rows have this first key or one that comes before it.
  std::optional<std::int64_t> latest_;
  Status stopped_;  // the first error of a comparison
};

}  // namespace cairn::query
