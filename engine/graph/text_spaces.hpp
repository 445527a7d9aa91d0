#pragma once
// The statistics of a full-text index by namespace, so that scores depend only on what a statement reads. A database with
// one namespace has none of them.

#include "codec/text_posting.hpp"
#include "engine/fulltext/text_changes.hpp"
#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <span>

namespace cairn::engine {

/// The statistics of the documents of some namespaces, each named once: 0 is the default one. `all`: those of the
/// index, with the transaction's own changes; `own`: these, or null.
/// Cost: one read of the store for each namespace.
[[nodiscard]] Result<codec::TextStatistics> statistics_of_spaces(
    const RocksStore& store, const StoreSnapshot* snapshot, std::uint32_t index,
    const codec::TextStatistics& all, const TextChanges* own,
    std::span<const std::uint32_t> name_spaces);

/// Bring those of an index up to date, within the writer's turn. `parts`: what a commit changes. `before`: where they
/// are now; null: nowhere yet. Cost: reads and writes one key for each namespace that changes.
[[nodiscard]] Status put_statistics_of_spaces(std::uint32_t index, std::size_t fields,
                                              std::span<const TextChanges* const> parts,
                                              const RocksStore* before, StoreBatch& batch);

}  // namespace cairn::engine
