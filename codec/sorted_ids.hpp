#pragma once
// Ascending ids: made by sorting, sought in, intersected.

#include "codec/bitmap.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace cairn::codec {

// IdSeeker: the next member of a set from a given id on, for questions that ascend.

/// Goes forward only, so that it looks from where it stands: near members are found in few steps. The set
/// must outlive it and stay as it is.
class IdSeeker {
 public:
  static constexpr std::uint64_t end = std::numeric_limits<std::uint64_t>::max();

  explicit IdSeeker(const Bitmap& set) : chunks_(set.chunks()) {}

  /// The first member not below `id`, or `end`. Of several calls no id may be below that of the one before.
  std::uint64_t seek(std::uint64_t id) {
    if (id > found_ || !has_begun_) find(id);
    return found_;
  }
  /// Whether `id` is a member; counts as a call of seek().
  bool contains(std::uint64_t id) { return seek(id) == id; }

 private:
  void find(std::uint64_t id);
  /// In the chunk it is in, a value not below `low`; Container::capacity if there is no such value.
  std::uint32_t find_low(std::uint32_t low);

  std::span<const Bitmap::Chunk> chunks_;
  std::size_t chunk_ = 0;
  std::size_t place_ = 0;  // in the array or the runs of the chunk: what is before is too small
  std::uint64_t found_ = 0;
  bool has_begun_ = false;
};

// What several bitmaps have in common, chunk by chunk: no set is made on the way to it.

/// The ids that are in all of the sets, of which there is at least one.
/// Cost: for each chunk that all sets have, proportional to the smallest container; full containers cost nothing.
[[nodiscard]] Bitmap intersect_all(std::span<const Bitmap> sets);
/// The size of intersect_all(), without making the set.
[[nodiscard]] std::uint64_t intersection_cardinality(std::span<const Bitmap> sets);

// Ids in order, for sets made of ids that were gathered without one (Bitmap, BitmapBuilder). Ids of a
// database are dense small numbers, which is why a radix sort pays.

/// Bring ids into strictly ascending order: sorted, and each one once. Cost: linear.
void sort_ids(std::vector<std::uint64_t>& ids);

}  // namespace cairn::codec
