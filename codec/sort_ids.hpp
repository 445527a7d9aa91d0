#pragma once
// Ids in order, for sets made of ids that were gathered without one (Bitmap, BitmapBuilder). Ids of a
// database are dense small numbers, which is why a radix sort pays.

#include <cstdint>
#include <vector>

namespace cairn::codec {

/// Bring ids into strictly ascending order: sorted, and each one once. Cost: linear.
void sort_ids(std::vector<std::uint64_t>& ids);

}  // namespace cairn::codec
