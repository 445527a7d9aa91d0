#pragma once
// What several containers of one chunk have in common, without a container for every step.

#include "codec/container.hpp"

#include <cstdint>
#include <span>

namespace cairn::codec {

/// Any number but none; the cost is least where they come in the order of their cardinalities.
using Containers = std::span<const Container* const>;
[[nodiscard]] Container intersect_all(Containers containers);
[[nodiscard]] std::uint32_t intersection_cardinality(Containers containers);

}  // namespace cairn::codec
