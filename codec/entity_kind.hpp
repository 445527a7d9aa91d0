#pragma once
// EntityKind: which of the two kinds of graph element something is about.

#include <cstdint>

namespace cairn::codec {

/// The two kinds of graph element. The numbers are stored.
enum class EntityKind : std::uint8_t { node = 1, relationship = 2 };

}  // namespace cairn::codec
