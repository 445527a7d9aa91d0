#pragma once
// Statistics of a full-text index by namespace, so that scores depend only on the namespaces that a statement reads. A
// database that uses only the default namespace has no such statistics.

#include "codec/text_posting.hpp"
#include "engine/fulltext/text_changes.hpp"
#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <span>

namespace cairn::engine {

/// Returns the statistics of all documents in `name_spaces`, which must be different; 0 is the default namespace. `all` are
/// the statistics of the whole index, including the changes of the transaction. `own` are these changes, or nullptr.
/// Cost: one read of the store for each namespace.
[[nodiscard]] Result<codec::TextStatistics> statistics_of_spaces(
    const RocksStore& store, const StoreSnapshot* snapshot, std::uint32_t index,
    const codec::TextStatistics& all, const TextChanges* own,
    std::span<const std::uint32_t> name_spaces);

/// Updates the statistics of an index in a commit. `parts` are the changes. `before` is the store that has the old
/// statistics, or nullptr to start at zero. Requires the writer lock. Cost: reads and writes one key for each namespace
/// that changes.
[[nodiscard]] Status put_statistics_of_spaces(std::uint32_t index, std::size_t fields,
                                              std::span<const TextChanges* const> parts,
                                              const RocksStore* before, StoreBatch& batch);

}  // namespace cairn::engine
