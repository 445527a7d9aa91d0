#pragma once
// The ids of a path by value, for the query folder.

#include "codec/entity_kind.hpp"
#include "engine/index/sorted_column.hpp"

#include <cairn/result.hpp>

#include <cstdint>

namespace cairn::engine {

class View;

/// The ids with a scalar at the path in the order of ORDER BY, visible or not; null if it is not
/// cached, and always within a writing transaction. `spent`: the microseconds that the caller is about to spend for want of it, 0 to only ask.
/// What was spent adds up, and when the order costs no more it is made.
[[nodiscard]] Result<SortedColumn::Ptr> path_column(const View& view, codec::EntityKind kind,
                                                    std::uint32_t path, double spent);

/// The ids whose value at the path has no place in that order: nulls, containers, vectors and texts of which
/// the index has the beginning only. Ids without a value are not among them. For paths of one property.
[[nodiscard]] Result<codec::Bitmap> unordered_at_path(const View& view, codec::EntityKind kind,
                                                      std::uint32_t path);

}  // namespace cairn::engine
