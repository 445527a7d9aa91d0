#pragma once
#include <cstdint>
#include <vector>

namespace cairn::codec {

/// Bring ids into strictly ascending order: sorted, and each one once. Cost: linear.
void sort_ids(std::vector<std::uint64_t>& ids);

}  // namespace cairn::codec
