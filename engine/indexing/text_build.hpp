#pragma once
// A full-text index made over what is there already: its keys are written in pieces ahead of the commit
// that makes it. Nobody reads the keys of a number that no catalog has, so that the index is there
// whole with that commit or not at all; what a process leaves that died before it is erased at the next
// opening.

#include "codec/bitmap.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/fulltext/text_progress.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>

namespace cairn::engine {

/// What is made: `view` is the transaction's own, `members` what it has of the index's labels.
/// `piece_bytes`: held in memory at a time, with one document more.
struct TextBuild {
  std::uint32_t id;
  const codec::IndexEntry& index;
  const codec::Bitmap& members;
  const GraphView& view;
  std::size_t piece_bytes;
};

/// Within the writer's turn. Returns the statistics, which it does not write. `progress` advances with
/// each member.
/// Errors: corruption where a record cannot be read, those of the store. Cost: reads every member.
[[nodiscard]] Result<codec::TextStatistics> build_text_index(RocksStore& store, WriteMode mode,
                                                             const TextBuild& build,
                                                             TextProgress& progress);

/// Erases the keys of one index in batches of `piece_bytes`, or a few MiB if that is less.
/// Cost: reads each key.
[[nodiscard]] Status erase_text_keys(RocksStore& store, WriteMode mode, std::uint32_t id,
                                     std::size_t piece_bytes);

/// Erases the keys of all full-text indexes that `catalog` does not have. Before any is used.
/// Cost: one seek for each index, where there is nothing to erase.
[[nodiscard]] Status erase_unfinished_texts(RocksStore& store, WriteMode mode,
                                            const Catalog& catalog);

}  // namespace cairn::engine
