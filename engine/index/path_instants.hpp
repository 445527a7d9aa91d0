#pragma once
// The dates of a path by id, for the query room.

#include "codec/entity_kind.hpp"
#include "engine/index/instant_column.hpp"

#include <cairn/result.hpp>

#include <cstdint>

namespace cairn::engine {

class View;

/// The instants that texts at the path name, of all ids, visible or not; null where they are not kept
/// or entries of the path say too much. `spent`: the microseconds that the caller is about to spend
/// on records for want of them, 0 to only ask. What was spent adds up, and when the column costs no
/// more it is made.
[[nodiscard]] Result<InstantColumn::Ptr> path_instants(const View& view, codec::EntityKind kind,
                                                       std::uint32_t path, double spent);

}  // namespace cairn::engine
