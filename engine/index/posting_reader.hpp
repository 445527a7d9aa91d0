#pragma once
// PostingReader: postings as of one commit, with a transaction's own changes laid over them.

#include "codec/bitmap.hpp"
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

/// Threads: safe from any number without an write_set, from one with it.
class PostingReader {
 public:
  /// Everything given must outlive the reader; `write_set` may be null.
  PostingReader(const RocksStore& store, PostingCache& cache, const StoreSnapshot& snapshot,
                std::uint64_t commit, PostingWriteSet* write_set)
      : store_(&store),
        cache_(&cache),
        snapshot_(&snapshot),
        commit_(commit),
        write_set_(write_set) {}

  /// The ids of one posting, named without its chunk.
  [[nodiscard]] Result<codec::Bitmap> posting(std::string_view name) const;
  /// The union of all postings in a range of keys. Cost: one pass over them.
  [[nodiscard]] Result<codec::Bitmap> range(const KeyRange& range) const;

  /// Visit each posting of a range once, in no promised order; changes of the transaction included.
  /// Of ranges with few names the cache keeps names and postings, so that the next visit reads
  /// nothing that is unchanged.
  using VisitPosting = std::function<Status(std::string_view name, const codec::Bitmap& ids)>;
  [[nodiscard]] Status each_posting(const KeyRange& range, const VisitPosting& visit) const;

  /// How many names a visit of the range would go through, if that is known without one.
  [[nodiscard]] std::optional<std::size_t> known_names(const KeyRange& range) const;

  /// What a short walk from the front of a range saw.
  struct Sample {
    std::uint64_t keys = 0;
    std::uint64_t ids = 0;
    bool complete = false;  ///< the walk came to the end of the range
  };
  /// Committed keys only. Cost: at most `max_keys` steps, none where the union is cached; that of a range
  /// which ends before is cached.
  [[nodiscard]] Result<Sample> sample(const KeyRange& range, std::size_t max_keys) const;
  /// The walk itself, whatever is cached.
  [[nodiscard]] Result<Sample> walk(const KeyRange& range, std::size_t max_keys) const;
  /// The instants of a path by id: null until it pays to have them. `range` are its postings of
  /// instants, `texts` the posting of the ids that can have one, `spent` the microseconds that the
  /// caller is about to spend for want of them. Always null within a writing transaction. Cost: a
  /// pass over the range when it pays, at most as much as was spent before.
  [[nodiscard]] Result<InstantColumn::Ptr> instants(const KeyRange& range, std::string_view texts,
                                                    double spent) const;
  /// The ids of a path by value, likewise. `path` is what the names of all its scalars begin with.
  [[nodiscard]] Result<SortedColumn::Ptr> order(std::string_view path, double spent) const;
  /// Good for comparing ranges, not for counting.
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
  /// `scanned` grows by the keys that were read.
  [[nodiscard]] Result<codec::Bitmap> scan_range(const KeyRange& range, bool skip_changed,
                                                 std::size_t& scanned) const;
  [[nodiscard]] static Status append_committed(const Cursor& cursor, codec::Bitmap& ids);

  /// The order of the path that `key` belongs to; null for keys that are no values of a property.
  [[nodiscard]] Result<SortedColumn::Ptr> committed_order(std::string_view key, double spent) const;
  [[nodiscard]] Result<SortedColumn::Ptr> scan_order(const KeyRange& range) const;
  [[nodiscard]] Result<SortedColumn::Ptr> catch_up(const SortedColumnCache::Lack& lack) const;
  /// What a pass over the path's scalars takes; negative if they are too many to be cached.
  [[nodiscard]] Result<double> scan_cost(std::string_view path) const;
  /// The ends of a range of keys as values; no last one where it goes on to the end of the path.
  [[nodiscard]] static std::string_view first_value(const KeyRange& range);
  [[nodiscard]] static std::optional<std::string_view> last_value(const KeyRange& range);

  const RocksStore* store_;
  PostingCache* cache_;
  const StoreSnapshot* snapshot_;
  std::uint64_t commit_;
  PostingWriteSet* write_set_;
};

}  // namespace cairn::engine
