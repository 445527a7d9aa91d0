#pragma once
// ColumnCache: the columns that are kept, of dates by id or of ids by value. A column costs a pass over
// its index; it is made when what was done for want of it has cost as much, so that never more than
// twice the cheaper of both ways is spent, whatever is asked and written.

#include "engine/store/cursor.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace cairn::engine {

class InstantColumn;
class SortedColumn;

/// A column belongs to a range of keys, all postings of one path that say the same kind of thing. Threads:
/// all calls from any.
template <class Column>
class ColumnCache {
 public:
  using Ptr = std::shared_ptr<const Column>;  // owners: the cache and readers

  explicit ColumnCache(std::size_t budget_bytes) : budget_bytes_(budget_bytes) {}

  /// The column as of a commit, or null.
  [[nodiscard]] Ptr find(const KeyRange& range, std::uint64_t commit);

  /// What there is of a column that `find` did not give.
  struct Lack {
    double spent = 0;                  ///< microseconds, since it was last there
    Ptr base;                          ///< as it was, or null
    std::vector<std::string> changed;  ///< postings changed since, ascending
  };
  /// Note that its absence cost so much. Nothing is noted before that would pay for the changes alone;
  /// an older commit than the newest lacks it for good: nothing is noted.
  [[nodiscard]] Lack note(const KeyRange& range, std::uint64_t commit, double microseconds);

  /// Whether a column of so many entries would be kept.
  [[nodiscard]] bool fits(std::size_t entries) const noexcept;
  [[nodiscard]] std::size_t budget_bytes() const noexcept { return budget_bytes_; }
  /// Keep what a reader of `commit` made; no other commit may have come since. What does not fit, or is
  /// null because it cannot be made, is not tried again before as much was spent once more.
  void insert(const KeyRange& range, std::uint64_t commit, Ptr column);
  /// `commit` is published and changed these postings (ascending).
  void advance(std::uint64_t commit, std::span<const std::string_view> changed);

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct Kept {
    KeyRange range;
    Ptr column;  // null: only what its absence cost is known
    std::uint64_t from = 0;
    std::uint64_t until = 0;  // exclusive; open_end while nothing changed it
    std::vector<std::string> changed;
    double spent = 0;
  };
  static constexpr std::uint64_t open_end = ~std::uint64_t{0};

  [[nodiscard]] std::size_t bytes() const;
  /// The entry of a range, now the most recently used one; a new one where there was none.
  [[nodiscard]] Kept& touch(const KeyRange& range);

  mutable std::mutex mutex_;  // guards everything below
  std::list<Kept> kept_;      // few; most recently used first
  std::uint64_t commit_ = 0;
  std::size_t budget_bytes_;
};

using InstantColumnCache = ColumnCache<InstantColumn>;
using SortedColumnCache = ColumnCache<SortedColumn>;

extern template class ColumnCache<InstantColumn>;
extern template class ColumnCache<SortedColumn>;

}  // namespace cairn::engine
