#pragma once
// Integrity check: compares all derived data (indexes, adjacency, counters and so on) with the records that it is derived
// from.
//
// The entries that a record implies and the entries that exist are both summed up as hashes, for each entity. One pass over
// each family is enough, and memory is eight bytes for each entity. Only entities whose sums differ are checked in detail.

#include "engine/graph/state.hpp"
#include "engine/store/damaged_file.hpp"

#include <cairn/database.hpp>
#include <cairn/result.hpp>

#include <cstddef>
#include <vector>

namespace cairn::engine {

class PostingCache;

/// Checks a published state; stops after `limit` findings. Errors: those of reading the store, unless the cause is a damaged
/// file, which is a finding.
[[nodiscard]] Result<std::vector<Finding>> check_integrity(RocksStore& store, PostingCache& cache,
                                                           const StatePtr& state,
                                                           std::size_t limit);

// Damaged table files: a finding for each, and whether a repair can rebuild their content.

/// Makes the finding of a damaged file: its name, its content, the damage and the repair. The repair depends on which
/// other files are damaged, so `all` must contain all damaged files.
[[nodiscard]] Finding finding_of(const DamagedFile& file, const std::vector<DamagedFile>& all);

/// Checks that a repair can rebuild all damaged files. Errors: corruption, naming the files that are not derived.
[[nodiscard]] Status check_repairable(const std::vector<DamagedFile>& files);

}  // namespace cairn::engine
