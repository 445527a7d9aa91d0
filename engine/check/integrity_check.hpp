#pragma once
// Integrity check: whether everything derived says what the records say, and nothing else.
//
// Each record yields what the derived families must hold of it. Both sides are summed up as hashes
// for each entity, so that one pass over each family suffices and memory is eight bytes an entity;
// only entities whose sums differ are looked at in detail.

#include "engine/graph/state.hpp"

#include <cairn/database.hpp>
#include <cairn/result.hpp>

#include <cstddef>
#include <vector>

namespace cairn::engine {

class PostingCache;

/// A published state. Stops after `limit` findings. Errors: those of reading at all.
[[nodiscard]] Result<std::vector<Finding>> check_integrity(RocksStore& store, PostingCache& cache,
                                                           const StatePtr& state, std::size_t limit);

}  // namespace cairn::engine
