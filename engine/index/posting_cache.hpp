#pragma once
// PostingCache: postings and unions of posting ranges as bitmaps, for the newest state and held
// snapshots. An entry is valid for an interval of commits; the committer closes the interval of what
// it changed, so that a reader never sees a set of another commit than its own.

#include "codec/bitmap.hpp"
#include "engine/store/cursor.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cairn::engine {

// ColumnCache: columns in memory, of dates by id or of ids by value. A column costs a pass over
// its index; it is made when what was done for want of it has cost as much, so that never more than
// twice the cheaper of both ways is spent, whatever is asked and written.

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

  /// Whether a column of so many entries would be cached.
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

/// Threads: all calls from any.
class PostingCache {
 public:
  explicit PostingCache(std::size_t budget_bytes)
      : budget_bytes_(budget_bytes - budget_bytes / 4),
        columns_(budget_bytes / 4),
        orders_(budget_bytes / 4) {}

  /// The ids of all postings in a range of keys, as of a commit, if they are here.
  [[nodiscard]] std::optional<codec::Bitmap> find(const KeyRange& range, std::uint64_t commit);
  enum class Extent : std::uint8_t { one_posting, many_postings };
  /// Remember what a reader of `commit` found. The first key of one posting's range is its name.
  void insert(const KeyRange& range, Extent extent, std::uint64_t commit, const codec::Bitmap& ids);
  /// Names of postings, ascending; those of postings that are empty may be among them.
  using Names = std::shared_ptr<const std::vector<std::string>>;  // owners: the cache and readers
  /// The names of all postings in a range, as of a commit, if they are here.
  [[nodiscard]] Names find_names(const KeyRange& range, std::uint64_t commit);
  /// Remember them. They stay true until a posting with another name comes into the range.
  void insert_names(const KeyRange& range, std::uint64_t commit, std::vector<std::string> names);
  /// `commit` is published and changed these postings (names without chunk, ascending).
  void advance(std::uint64_t commit, std::span<const std::string_view> changed);

  /// The dates by id, which follow the same commits.
  [[nodiscard]] InstantColumnCache& columns() noexcept { return columns_; }
  /// The ids by value, likewise.
  [[nodiscard]] SortedColumnCache& orders() noexcept { return orders_; }

  [[nodiscard]] std::size_t memory_bytes() const;
  /// How often find() had a set, and had none.
  [[nodiscard]] std::uint64_t hits() const;
  [[nodiscard]] std::uint64_t misses() const;

 private:
  struct Entry {
    KeyRange range;
    codec::Bitmap ids;
    std::uint64_t from = 0;
    std::uint64_t until = 0;  ///< exclusive; open_end while nothing changed it
    std::size_t bytes = 0;
  };
  struct NamesEntry {
    KeyRange range;
    Names names;
    std::uint64_t from = 0;
    std::uint64_t until = 0;
    std::size_t bytes = 0;
  };
  using Entries = std::list<Entry>;
  static constexpr std::uint64_t open_end = ~std::uint64_t{0};

  /// Take an entry out of every list.
  void erase(Entries::iterator entry);
  /// End an entry's interval; older snapshots still find it.
  void close(Entries::iterator entry, std::uint64_t commit);
  /// End the ranges in which something changed. Cost: one binary search for each open range.
  void close_ranges(std::uint64_t commit, std::span<const std::string_view> changed);

  /// End the lists of names to which one was added.
  void close_names(std::uint64_t commit, std::span<const std::string_view> changed);
  void erase_names(std::list<NamesEntry>::iterator entry);

  mutable std::mutex mutex_;  // guards everything below but the columns
  Entries entries_;           // most recently used first
  std::map<KeyRange, Entries::iterator> by_range_;
  // Entries that are whole postings, by name, and the others by their first key; only those whose
  // interval is open.
  std::unordered_map<std::string_view, Entries::iterator> open_postings_;
  std::multimap<std::string_view, Entries::iterator> open_ranges_;
  std::list<NamesEntry> names_;  // few; most recently used first
  std::uint64_t commit_ = 0;
  std::uint64_t questions_ = 0;
  std::uint64_t hits_ = 0;
  std::size_t budget_bytes_;
  std::size_t bytes_ = 0;
  InstantColumnCache columns_;
  SortedColumnCache orders_;
};

}  // namespace cairn::engine
