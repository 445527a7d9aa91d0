#pragma once
// A filter straight to the ids of the nodes or relationships that pass, without rows.

#include "codec/entity_kind.hpp"

#include <cairn/filter.hpp>
#include <cairn/result.hpp>

namespace cairn::codec {
class Bitmap;
}

namespace cairn::query {

struct ExecutionContext;

/// The visible entities of the kind that pass `filter`, which has been checked. Records are read only where no index
/// decides.
[[nodiscard]] Result<codec::Bitmap> filter_ids(ExecutionContext& context, const Filter& filter,
                                               codec::EntityKind kind = codec::EntityKind::node);

}  // namespace cairn::query
