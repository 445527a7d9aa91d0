#pragma once
// ColumnCache: a cache of columns (dates by id, or ids by value). Making a column costs a pass over
// its index. It is made when the time spent because it is missing has reached its cost. So at most
// twice the cost of the cheaper way is spent, whatever is read and written (the rent-or-buy rule).

#include "engine/index/column_change.hpp"
#include "engine/index/posting_write_set.hpp"
#include "engine/store/cursor.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace cairn::engine {

class InstantColumn;
class SortedColumn;

/// Columns of one kind. A column belongs to a range of keys: all postings of one path that contain
/// the same kind of entry. It follows commits by a log of their changes. A column that is made
/// while commits continue misses no change if begin() was called for the state from which it is
/// made. Threads: any.
template <class Column>
class ColumnCache {
 public:
  using Ptr = std::shared_ptr<const Column>;          // owners: the cache and readers
  using View = typename FollowedColumn<Column>::Ptr;  // owners: the cache and readers

  explicit ColumnCache(std::size_t budget_bytes) : budget_bytes_(budget_bytes) {}

  /// The column as of a commit, or null if it is not cached, or too much has changed. Cost: if the
  /// range has changed since the last call, applies the logged changes.
  [[nodiscard]] View find(const KeyRange& range, std::uint64_t commit);

  /// What exists of a column that find() did not return, or that has a long log.
  struct Lack {
    double spent = 0;                  ///< microseconds since it was last cached
    Ptr base;                          ///< an outdated column to update, or null
    std::vector<std::string> changed;  ///< names of postings changed since then, ascending
  };
  /// Records that the absence of a column has cost `microseconds`, and returns what exists of it.
  /// Returns an empty Lack if the time spent would not even pay for applying the changes, or if
  /// `commit` is not the newest commit, for which a column is never made.
  [[nodiscard]] Lack note(const KeyRange& range, std::uint64_t commit, double microseconds);
  /// If the log of a column has become so long that a new column should be made, returns the column
  /// and the changed postings. Returns an empty Lack for other columns, and if another caller got
  /// this result already.
  [[nodiscard]] Lack long_log(const KeyRange& range, std::uint64_t commit);
  /// Logs changes from `commit` on, because the caller is about to make a column that does not
  /// exist yet. Does nothing if changes are logged already, for another reader that is making the
  /// column. `entries` is the approximate size of the column: a large column takes long to make,
  /// and may have a long log.
  void begin(const KeyRange& range, std::uint64_t commit, std::size_t entries);

  /// True if a column with this number of entries would be cached.
  [[nodiscard]] bool fits(std::size_t entries) const noexcept;
  [[nodiscard]] std::size_t budget_bytes() const noexcept { return budget_bytes_; }
  /// Caches a column that a reader of `commit` made, unless changes since then were not logged. If
  /// the column is not cached, or is null because it cannot be made, the time spent is reset, so
  /// that another column is not made soon.
  void insert(const KeyRange& range, std::uint64_t commit, Ptr column);
  /// To be called after `commit` was published; `changed` are the postings that it changed. If
  /// memory runs out, all columns are dropped.
  void advance(std::uint64_t commit, ChangedPostings changed);

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct Kept {
    KeyRange range;
    // Null if only the cost of its absence is recorded.
    Ptr column;
    // The commit of `column`, or of begin(): the log has all changes since then.
    std::uint64_t from = 0;
    bool is_logged = false;
    std::size_t expected_entries = 0;  // of the column that is being made
    std::vector<ColumnChange> log;
    double spent = 0;
    // The length of the log from which on long_log() returns the column.
    std::size_t next_update = 0;
    // What find() returned last, and the length of the log that it contains.
    bool has_view = false;
    View view;  // may be null
    std::size_t view_length = 0;
  };

  [[nodiscard]] std::size_t bytes() const;
  static void stop_logging(Kept& entry);
  /// Appends the changes of a commit to a log, or drops the column if there are too many.
  static void log_changes(Kept& entry, std::uint64_t commit, ChangedPostings changed);
  /// The entry of a range, made if it did not exist, and moved to the front as the most recently
  /// used one.
  [[nodiscard]] Kept& touch(const KeyRange& range);
  /// The entry of a range with a column that has the changes of a commit, or null.
  [[nodiscard]] Kept* find_kept(const KeyRange& range, std::uint64_t commit);

  mutable std::mutex mutex_;  // guards all members below
  std::list<Kept> kept_;      // few; most recently used first
  std::uint64_t commit_ = 0;
  std::size_t budget_bytes_;
};

using InstantColumnCache = ColumnCache<InstantColumn>;
using SortedColumnCache = ColumnCache<SortedColumn>;

extern template class ColumnCache<InstantColumn>;
extern template class ColumnCache<SortedColumn>;

}  // namespace cairn::engine
