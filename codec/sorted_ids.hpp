#pragma once
// Operations on ascending ids: seeking in a set, intersecting several sets, and sorting.

#include "codec/bitmap.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace cairn::codec {

// IdSeeker: finds the next member of a set at or after an id, for a sequence of ascending ids.

/// A forward-only cursor over a set. It searches from its current place, so near members are found
/// in few steps. The set must outlive the seeker and must not change.
class IdSeeker {
 public:
  static constexpr std::uint64_t end = std::numeric_limits<std::uint64_t>::max();

  explicit IdSeeker(const Bitmap& set) : chunks_(set.chunks()) {}

  /// Returns the first member not below `id`, or `end`. No id may be below the id of an earlier
  /// call.
  std::uint64_t seek(std::uint64_t id) {
    if (id > found_ || !has_begun_) find(id);
    return found_;
  }
  /// True if `id` is a member. The rules of seek() apply.
  bool contains(std::uint64_t id) { return seek(id) == id; }

 private:
  void find(std::uint64_t id);
  /// Returns a value not below `low` in the current chunk, or Container::capacity if all values are
  /// below.
  std::uint32_t find_low(std::uint32_t low);

  std::span<const Bitmap::Chunk> chunks_;
  std::size_t chunk_ = 0;
  std::size_t place_ = 0;  // in the array or runs of the chunk; everything before it is too small
  std::uint64_t found_ = 0;
  bool has_begun_ = false;
};

// Intersections of several bitmaps, chunk by chunk, without intermediate sets.

/// Returns the ids that are in all sets; there must be at least one set. Cost: for each chunk that
/// all sets have, proportional to the smallest container; full containers cost nothing.
[[nodiscard]] Bitmap intersect_all(std::span<const Bitmap> sets);
/// Returns the size of intersect_all() without making that set.
[[nodiscard]] std::uint64_t intersection_cardinality(std::span<const Bitmap> sets);

// Sorting of ids that were collected in any order, for Bitmap and BitmapBuilder. Ids of a database
// are dense small numbers, so a radix sort is faster than comparisons.

/// Sorts ids into strictly ascending order and removes repeated ids. Cost: linear.
void sort_ids(std::vector<std::uint64_t>& ids);

}  // namespace cairn::codec
