#pragma once
// What SHOW INDEXES says about one index.

#include "engine/graph/graph_view.hpp"

#include <cairn/result.hpp>
#include <cairn/snapshot.hpp>

#include <cstdint>

namespace cairn::engine {

/// `view` is one whose catalog has the entry. Errors: those of the store.
[[nodiscard]] Result<IndexDescription> describe_index(const GraphView& view, std::uint32_t id,
                                                      const codec::IndexEntry& entry);

}  // namespace cairn::engine
