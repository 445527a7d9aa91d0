#pragma once
// Columns of one path, for the query folder: ids sorted by value, and the ids whose value is not in
// that order.

#include "codec/entity_kind.hpp"
#include "engine/index/current_order.hpp"

#include <cairn/result.hpp>

#include <cstdint>

namespace cairn::engine {

class View;

/// The ids with a scalar at the path in the order of ORDER BY, visible or not. Returns null if the
/// column is not cached, and always within a writing transaction.
///
/// `spent` is the time in microseconds that the caller is about to spend because the column is
/// missing; 0 only looks for it. These times add up, and when they reach the cost of the column, it
/// is made.
[[nodiscard]] Result<CurrentOrder::Ptr> path_column(const View& view, codec::EntityKind kind,
                                                    std::uint32_t path, double spent);

/// The ids whose value at the path is not in the order of path_column(): nulls, containers,
/// vectors, and texts of which the index has only the beginning. Ids without a value are not
/// included. For paths of one property.
[[nodiscard]] Result<codec::Bitmap> unordered_at_path(const View& view, codec::EntityKind kind,
                                                      std::uint32_t path);

}  // namespace cairn::engine
