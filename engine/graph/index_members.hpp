#pragma once
// Which entities an index of labels or types is about.

#include "codec/catalog_entry.hpp"
#include "codec/id_set.hpp"
#include "engine/view.hpp"

#include <cairn/result.hpp>

namespace cairn::engine {

/// Every entity with one of the labels or types, as the view has them: hidden ones among them.
/// Cost: one posting for each label or type.
[[nodiscard]] Result<codec::IdSet> index_members(const codec::IndexEntry& index, const View& view);

}  // namespace cairn::engine
