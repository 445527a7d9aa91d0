#pragma once
// InstantColumn: the instants of one path by id, in memory. What a posting says of one instant and all
// its ids, the column says of one id and all its instants; so few ids are dated without their records.

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

/// Threads: all calls from any; it does not change.
class InstantColumn {
 public:
  using Ptr = std::shared_ptr<const InstantColumn>;  // owners: the cache and readers
  struct Entry {
    std::uint64_t id = 0;
    std::int64_t instant = 0;  ///< microseconds UTC
    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  static constexpr std::size_t entry_bytes = sizeof(Entry);
  static constexpr double microseconds_a_change = 5;  ///< to bring it up to date

  /// Entries in any order; an id may have several.
  explicit InstantColumn(std::vector<Entry> entries);

  /// Call `visit(id, entries)` for each of `ids` that has an instant, its instants ascending. Cost:
  /// for few ids a search each, for many one pass over the column.
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

  /// Those of `ids` with an instant of [first, last].
  [[nodiscard]] codec::Bitmap among(const codec::Bitmap& ids, std::int64_t first,
                                    std::int64_t last) const;
  /// Those of `ids` with any instant.
  [[nodiscard]] codec::Bitmap among(const codec::Bitmap& ids) const;
  /// About how many entries lie in [first, last].
  [[nodiscard]] double estimate(std::int64_t first, std::int64_t last) const;

  /// The same column without the entries of some instants (ascending), and with new entries.
  [[nodiscard]] Ptr changed(std::span<const std::int64_t> without, std::vector<Entry> with) const;

  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
  [[nodiscard]] std::size_t memory_bytes() const noexcept {
    return entries_.capacity() * sizeof(Entry) + sample_.capacity() * sizeof(std::int64_t);
  }

 private:
  using Iterator = std::vector<Entry>::const_iterator;
  struct InOrder {};
  InstantColumn(InOrder, std::vector<Entry> entries);
  void take_sample();

  /// The first entry from `begin` on whose id is not less: by growing steps, then by halves.
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

  std::vector<Entry> entries_;        // ascending
  std::vector<std::int64_t> sample_;  // every so many an entry's instant, ascending
};

// The dates of a path by id, for the query folder.

class View;

/// The instants that texts at the path name, of all ids, visible or not; null if they are not cached
/// or entries of the path say too much. `spent`: the microseconds that the caller is about to spend
/// on records for want of them, 0 to only ask. What was spent adds up, and when the column costs no
/// more it is made.
[[nodiscard]] Result<InstantColumn::Ptr> path_instants(const View& view, codec::EntityKind kind,
                                                       std::uint32_t path, double spent);

}  // namespace cairn::engine
