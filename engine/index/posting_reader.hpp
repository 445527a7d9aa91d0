#pragma once
// PostingReader: reads postings as of one commit, including a transaction's own changes.

#include "codec/bitmap.hpp"
#include "engine/index/current_order.hpp"
#include "engine/index/instant_column.hpp"
#include "engine/index/posting_cache.hpp"
#include "engine/index/posting_write_set.hpp"
#include "engine/index/sorted_column.hpp"
#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// Threads: any number at once without a write set, one with it.
class PostingReader {
 public:
  /// All arguments must outlive the reader. `write_set` may be nullptr.
  PostingReader(const RocksStore& store, PostingCache& cache, const StoreSnapshot& snapshot,
                std::uint64_t commit, PostingWriteSet* write_set)
      : store_(&store),
        cache_(&cache),
        snapshot_(&snapshot),
        commit_(commit),
        write_set_(write_set) {}

  /// The ids of the posting with this name.
  [[nodiscard]] Result<codec::Bitmap> posting(std::string_view name) const;
  /// The union of all postings in a range of keys. Cost: one pass over them.
  [[nodiscard]] Result<codec::Bitmap> range(const KeyRange& range) const;

  /// Visits each posting of a range once, in unspecified order, including the transaction's
  /// changes. If there are few names, the cache holds names and postings, so that the next visit
  /// reads only what changed.
  using VisitPosting = std::function<Status(std::string_view name, const codec::Bitmap& ids)>;
  [[nodiscard]] Status each_posting(const KeyRange& range, const VisitPosting& visit) const;

  /// The number of names in the range, if it is known without a visit.
  [[nodiscard]] std::optional<std::size_t> known_names(const KeyRange& range) const;

  /// What a short scan from the beginning of a range has seen.
  struct Sample {
    std::uint64_t keys = 0;
    std::uint64_t ids = 0;
    bool complete = false;  ///< the scan reached the end of the range
  };
  /// Samples committed keys. Cost: at most `max_keys` steps, none if the union is cached. If the
  /// range has fewer keys, its union is cached.
  [[nodiscard]] Result<Sample> sample(const KeyRange& range, std::size_t max_keys) const;
  /// Scans the range, even if its union is cached.
  [[nodiscard]] Result<Sample> walk(const KeyRange& range, std::size_t max_keys) const;
  /// The instants of a path by id; null as long as making the column does not pay. Always null
  /// within a writing transaction.
  ///
  /// `range` are the path's postings of instants, and `texts` is the posting of the ids that can
  /// have one. `spent` is the time in microseconds that the caller is about to spend because the
  /// column is missing. Cost: when it pays, a pass over the range, which takes at most as long as
  /// was spent before.
  [[nodiscard]] Result<InstantColumn::Ptr> instants(const KeyRange& range, std::string_view texts,
                                                    double spent) const;
  /// The ids of a path sorted by value, under the same conditions as instants(). `path` is the
  /// common beginning of the names of its scalars.
  [[nodiscard]] Result<CurrentOrder::Ptr> order(std::string_view path, double spent) const;
  /// The size of a range in the store. Good enough to compare ranges, but not to count.
  [[nodiscard]] std::uint64_t approximate_bytes(const KeyRange& range) const {
    return store_->approximate_bytes(Family::index, range);
  }

 private:
  [[nodiscard]] Result<codec::Bitmap> committed_posting(std::string_view name) const;
  [[nodiscard]] Result<codec::Bitmap> committed_range(const KeyRange& range) const;
  [[nodiscard]] Status each_named(const std::vector<std::string>& names, const KeyRange& range,
                                  const VisitPosting& visit) const;
  [[nodiscard]] Status scan_postings(const KeyRange& range, const VisitPosting& visit) const;
  [[nodiscard]] Status scan_and_keep(const KeyRange& range, const VisitPosting& visit) const;
  [[nodiscard]] Result<InstantColumn::Ptr> scan_instants(const KeyRange& range) const;
  [[nodiscard]] Result<InstantColumn::Ptr> catch_up(const InstantColumnCache::Lack& lack) const;
  /// Unites the postings of a range. `skip_changed` skips postings that the transaction changed.
  /// Adds the number of keys read to `scanned`.
  [[nodiscard]] Result<codec::Bitmap> scan_range(const KeyRange& range, bool skip_changed,
                                                 std::size_t& scanned) const;
  [[nodiscard]] static Status append_committed(const Cursor& cursor, codec::Bitmap& ids);

  /// The sorted column of the path of `key`; null if `key` is not a scalar of a property.
  [[nodiscard]] Result<CurrentOrder::Ptr> committed_order(std::string_view key, double spent) const;
  [[nodiscard]] Result<SortedColumn::Ptr> scan_order(const KeyRange& range) const;
  [[nodiscard]] Result<SortedColumn::Ptr> catch_up(const SortedColumnCache::Lack& lack) const;
  /// About how many scalars a path has.
  [[nodiscard]] Result<std::size_t> count_scalars(std::string_view path) const;
  /// The bounds of a range of keys as values. last_value() is nullopt if the range extends to the
  /// end of the path.
  [[nodiscard]] static std::string_view first_value(const KeyRange& range);
  [[nodiscard]] static std::optional<std::string_view> last_value(const KeyRange& range);

  const RocksStore* store_;
  PostingCache* cache_;
  const StoreSnapshot* snapshot_;
  std::uint64_t commit_;
  PostingWriteSet* write_set_;
};

}  // namespace cairn::engine
