#pragma once
// PostingCache: a cache of postings, and of unions of posting ranges, as bitmaps, for readers of
// the newest state and of held snapshots. An entry is valid for an interval of commits. Either it
// follows a commit that changes it, or its interval ends. So a reader never sees a bitmap of
// another commit than its own.

#include "codec/bitmap.hpp"
#include "engine/index/column_cache.hpp"
#include "engine/index/posting_write_set.hpp"
#include "engine/index/versioned_ids.hpp"
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

/// Threads: any.
class PostingCache {
 public:
  /// Half of the budget is for postings, a quarter for each kind of column.
  explicit PostingCache(std::size_t budget_bytes)
      : budget_bytes_(budget_bytes - 2 * (budget_bytes / 4)),
        columns_(budget_bytes / 4),
        orders_(budget_bytes / 4) {}

  /// The ids of all postings in a range of keys as of a commit, or nullopt if they are not cached.
  [[nodiscard]] std::optional<codec::Bitmap> find(const KeyRange& range, std::uint64_t commit);
  enum class Extent : std::uint8_t { one_posting, many_postings };
  /// Caches what a reader of `commit` has read. If it is one posting, the first key of its range is
  /// its name.
  void insert(const KeyRange& range, Extent extent, std::uint64_t commit, const codec::Bitmap& ids);
  /// Names of postings, ascending. Some may belong to postings that are empty.
  using Names = std::shared_ptr<const std::vector<std::string>>;  // owners: the cache and readers
  /// The names of all postings in a range as of a commit, or nullptr if they are not cached.
  [[nodiscard]] Names find_names(const KeyRange& range, std::uint64_t commit);
  /// Caches names. A commit that adds names extends a short list; a long one is not used for later commits.
  void insert_names(const KeyRange& range, std::uint64_t commit, std::vector<std::string> names);
  /// To be called after `commit` was published; `changed` are the postings that it changed, by
  /// ascending name. If memory runs out, all entries are dropped. Cost: a lookup for each posting,
  /// and for each cached posting a copy of the containers of its changed ids.
  void advance(std::uint64_t commit, ChangedPostings changed);

  /// The columns of dates by id, which follow the same commits.
  [[nodiscard]] InstantColumnCache& columns() noexcept { return columns_; }
  /// The columns of ids by value, which follow the same commits.
  [[nodiscard]] SortedColumnCache& orders() noexcept { return orders_; }

  [[nodiscard]] std::size_t memory_bytes() const;
  /// The budget of postings and their names, without columns.
  [[nodiscard]] std::size_t budget_bytes() const noexcept { return budget_bytes_; }
  /// How many calls of find() returned a bitmap, and how many did not.
  [[nodiscard]] std::uint64_t hits() const;
  [[nodiscard]] std::uint64_t misses() const;

 private:
  struct Entry {
    KeyRange range;
    Extent extent = Extent::one_posting;
    VersionedIds ids;
    /// End of the interval, exclusive; open_end as long as the entry follows all commits.
    std::uint64_t until = 0;
    std::size_t bytes = 0;
    /// Commits that the entry followed since it was last found; a commit that changed many ids
    /// counts several times.
    std::size_t unread = 0;
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

  /// Removes an entry from all containers.
  void erase(Entries::iterator entry);
  /// Ends the interval of an entry. Older snapshots still find it.
  void close(Entries::iterator entry, std::uint64_t commit);
  /// Applies the changes of a commit to an entry; false if its interval has to end instead.
  [[nodiscard]] bool follow(Entry& entry, std::uint64_t commit, ChangedPostings changed);
  void follow_postings(std::uint64_t commit, ChangedPostings changed);
  /// Cost: a binary search for each open range.
  void follow_ranges(std::uint64_t commit, ChangedPostings changed);
  /// Adds new names to the lists of their ranges, or ends the intervals of the lists.
  void follow_names(std::uint64_t commit, ChangedPostings changed);
  /// Removes the least recently used entries until the rest fits the budget.
  void evict();
  void erase_names(std::list<NamesEntry>::iterator entry);
  void forget_all();

  mutable std::mutex mutex_;  // guards all members below except the columns
  Entries entries_;           // most recently used first
  std::map<KeyRange, Entries::iterator> by_range_;
  // Entries with an open interval: single postings by name, and ranges by their first key.
  std::unordered_map<std::string_view, Entries::iterator> open_postings_;
  std::multimap<std::string_view, Entries::iterator> open_ranges_;
  std::list<NamesEntry> names_;  // few; most recently used first
  std::uint64_t commit_ = 0;
  // Calls of find(), and how many of them found an entry.
  std::uint64_t questions_ = 0;
  std::uint64_t hits_ = 0;
  std::size_t budget_bytes_;
  std::size_t bytes_ = 0;
  InstantColumnCache columns_;
  SortedColumnCache orders_;
};

}  // namespace cairn::engine
