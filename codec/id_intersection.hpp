#pragma once
// What several id sets have in common, chunk by chunk: no set is made on the way to it.

#include "codec/id_set.hpp"

#include <cstdint>
#include <span>

namespace cairn::codec {

/// The ids that are in all of the sets, of which there is at least one.
/// Cost: in each chunk that all have, the smallest container decides; whole ones cost nothing.
[[nodiscard]] IdSet intersect_all(std::span<const IdSet> sets);
/// How many these are; nothing is made.
[[nodiscard]] std::uint64_t intersection_cardinality(std::span<const IdSet> sets);

}  // namespace cairn::codec
