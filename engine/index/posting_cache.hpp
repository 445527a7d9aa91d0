#pragma once
// PostingCache: postings and unions of posting ranges as bitmaps, for the newest state and held
// snapshots. An entry is valid for an interval of commits; the committer closes the interval of what
// it changed, so that a reader never sees a set of another commit than its own.

#include "codec/bitmap.hpp"
#include "engine/index/column_cache.hpp"
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
