#pragma once
// InstantColumn: the instants of one path by id, in memory. A posting maps an instant to all its
// ids; the column maps an id to all its instants. So the dates of a few ids are found without
// reading their records.

#include "codec/bitmap.hpp"
#include "codec/entity_kind.hpp"
#include "engine/index/column_change.hpp"

#include <cairn/result.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace cairn::engine {

/// The instants of one path, sorted by id. Immutable. Threads: any number at once.
class InstantColumn {
 public:
  using Ptr = std::shared_ptr<const InstantColumn>;  // owners: the cache and readers
  /// One instant of one id.
  struct Entry {
    std::uint64_t id = 0;
    std::int64_t instant = 0;  ///< microseconds since 1970 UTC
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  static constexpr std::size_t entry_bytes = sizeof(Entry);
  /// Estimated time to apply one changed posting.
  static constexpr double microseconds_a_change = 5;

  /// Makes a column of entries in any order. An id may have several.
  explicit InstantColumn(std::vector<Entry> entries);

  /// Calls `visit(id, entries)` for each of `ids` that has an instant, in ascending order, with its
  /// instants ascending. Cost: for few ids a search for each, for many ids one pass over the
  /// column.
  template <class Visit>
  void visit(const codec::Bitmap& ids, const Visit& visit) const {
    Cursor recent{entries_.begin(), entries_.end()};
    Cursor older =
        base_ == nullptr ? recent : Cursor{base_->entries_.begin(), base_->entries_.end()};
    auto changed = changed_.begin();
    ids.for_each([&](std::uint64_t id) {
      while (changed != changed_.end() && *changed < id) ++changed;
      const bool is_changed = changed != changed_.end() && *changed == id;
      const auto entries = (is_changed ? recent : older).entries_of(id);
      if (!entries.empty()) visit(id, entries);
    });
  }

  /// The ids among `ids` that have an instant in [first, last].
  [[nodiscard]] codec::Bitmap among(const codec::Bitmap& ids, std::int64_t first,
                                    std::int64_t last) const;
  /// The ids among `ids` that have any instant.
  [[nodiscard]] codec::Bitmap among(const codec::Bitmap& ids) const;
  /// The approximate number of entries in [first, last].
  [[nodiscard]] double estimate(std::int64_t first, std::int64_t last) const;

  /// Returns a copy without the entries of some instants (`without` ascends) and with new entries.
  [[nodiscard]] Ptr changed(std::span<const std::int64_t> without, std::vector<Entry> with) const;

  /// The instants of an id, ascending.
  [[nodiscard]] std::span<const Entry> entries_of(std::uint64_t id) const;

  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return entries_.capacity() * sizeof(Entry) + sample_.capacity() * sizeof(std::int64_t);
  }

 private:
  using Iterator = std::vector<Entry>::const_iterator;
  // Selects the constructor for entries that are sorted already.
  struct InOrder {};
  InstantColumn(InOrder, std::vector<Entry> entries);
  void take_sample();

  friend Ptr with_changes(const Ptr& column, std::span<const ColumnChange> changes);

  /// Reads entries of ascending ids. Galloping search.
  struct Cursor {
    Iterator at;
    Iterator end;
    /// Returns the entries of an id, which must not be below that of the last call. The step doubles until it passes
    /// the id, so the cost depends on the distance and not on the size of the column.
    std::span<const Entry> entries_of(std::uint64_t id) {
      const auto is_less = [](const Entry& entry, std::uint64_t wanted) {
        return entry.id < wanted;
      };
      std::ptrdiff_t step = 1;
      while (end - at > step && is_less(at[step], id)) {
        at += step;
        step *= 2;
      }
      const auto first = std::lower_bound(at, at + std::min(step + 1, end - at), id, is_less);
      at = first;
      while (at != end && at->id == id) ++at;
      return {first, at};
    }
  };

  // If commits changed a column: that column, the ids that they changed, ascending, and in `entries_` the instants of
  // these ids, which are read instead of those in `base_`.
  Ptr base_;
  std::vector<std::uint64_t> changed_;
  std::vector<Entry> entries_;        // by ascending id, then instant
  std::vector<std::int64_t> sample_;  // instants of entries at regular distances, ascending
};

class View;

/// The instants of texts at the path for all ids, visible or not. Returns null if the column is not
/// cached or if entries of the path may be a superset of its values.
///
/// `spent` is the time in microseconds that the caller is about to spend on records because the
/// column is missing; 0 only looks for it. These times add up, and when they reach the cost of the
/// column, it is made.
[[nodiscard]] Result<InstantColumn::Ptr> path_instants(const View& view, codec::EntityKind kind,
                                                       std::uint32_t path, double spent);

}  // namespace cairn::engine
