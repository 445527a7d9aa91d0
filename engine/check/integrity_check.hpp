#pragma once
// Integrity check: whether everything derived says what the records say, and nothing else.
//
// Each record yields what the derived families must hold of it. Both sides are summed up as hashes
// for each entity, so that one pass over each family suffices and memory is eight bytes an entity;
// only entities whose sums differ are looked at in detail.

#include "engine/graph/state.hpp"
#include "engine/store/damaged_file.hpp"

#include <cairn/database.hpp>
#include <cairn/result.hpp>

#include <cstddef>
#include <vector>

namespace cairn::engine {

class PostingCache;

/// A published state. Stops after `limit` findings. Errors: those of reading at all.
[[nodiscard]] Result<std::vector<Finding>> check_integrity(RocksStore& store, PostingCache& cache,
                                                           const StatePtr& state,
                                                           std::size_t limit);

// Damaged table files: a finding for each, and whether a repair can rebuild what they hold.

/// Names the file, what is in it, what is wrong with it and the repair, which hangs on what else is damaged: `all`.
[[nodiscard]] Finding finding_of(const DamagedFile& file, const std::vector<DamagedFile>& all);

/// Errors: corruption, naming the files, where one is not of a derived family: nothing can rebuild it.
[[nodiscard]] Status check_repairable(const std::vector<DamagedFile>& files);

}  // namespace cairn::engine
