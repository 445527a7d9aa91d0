#pragma once
// InstantColumn: the instants of one path by id, in memory. A posting maps an instant to all its
// ids; the column maps an id to all its instants. So the dates of a few ids are found without
// reading their records.

#include "codec/bitmap.hpp"
#include "codec/entity_kind.hpp"

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

  /// Calls `visit(id, entries)` for each of `ids` that has an instant, with its instants ascending.
  /// Cost: for few ids a search each, for many one pass over the column.
  template <class Visit>
  void visit(const codec::Bitmap& ids, const Visit& visit) const {
    auto begin = entries_.begin();
    ids.for_each([&](std::uint64_t id) {
      begin = first_of(begin, id);
      auto end = begin;
      while (end != entries_.end() && end->id == id) ++end;
      if (begin != end) visit(id, std::span<const Entry>(begin, end));
      begin = end;
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

  /// The first entry from `begin` on with an id of at least `id`. Galloping search.
  [[nodiscard]] Iterator first_of(Iterator begin, std::uint64_t id) const {
    const auto is_less = [](const Entry& entry, std::uint64_t wanted) { return entry.id < wanted; };
    std::ptrdiff_t step = 1;
    while (entries_.end() - begin > step && is_less(begin[step], id)) {
      begin += step;
      step *= 2;
    }
    const auto end = begin + std::min(step + 1, entries_.end() - begin);
    return std::lower_bound(begin, end, id, is_less);
  }

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
