#pragma once
// What several bitmaps have in common, chunk by chunk: no set is made on the way to it.

#include "codec/bitmap.hpp"

#include <cstdint>
#include <span>

namespace cairn::codec {

/// The ids that are in all of the sets, of which there is at least one.
/// Cost: in each chunk that all have, the smallest container decides; whole ones cost nothing.
[[nodiscard]] Bitmap intersect_all(std::span<const Bitmap> sets);
/// How many these are; nothing is made.
[[nodiscard]] std::uint64_t intersection_cardinality(std::span<const Bitmap> sets);

}  // namespace cairn::codec
