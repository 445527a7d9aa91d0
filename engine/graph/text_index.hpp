#pragma once
// The full-text indexes of a database: what the store holds of them when it is opened, and how a view
// searches them.

#include "engine/fulltext/text_search.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/graph/index_members.hpp"
#include "engine/graph/state.hpp"
#include "engine/transaction/write_set.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <vector>

namespace cairn::engine {

[[nodiscard]] inline bool is_text(const codec::IndexEntry& index) {
  return index.kind == codec::IndexKind::full_text;
}
/// The documents of an index that a transaction may have changed, by ascending id.
[[nodiscard]] std::vector<TouchedText> texts_touched(const codec::IndexEntry& index,
                                                     const WriteSet& write_set);

/// Of every full-text index in the catalog. Errors: corruption.
[[nodiscard]] Result<TextStates> load_text_states(const RocksStore& store, const Catalog& catalog);
/// Segments of one index as of `snapshot`, or the newest where it is null. Errors: corruption.
[[nodiscard]] Result<TextMemorySegment> load_text_memory_segments(const RocksStore& store,
                                                                  std::uint32_t id,
                                                                  const StoreSnapshot* snapshot);

/// Search one index as a view sees it: the transaction's own changes, where it has any, included.
/// Errors: not_found, unsupported for an index that the transaction itself made.
[[nodiscard]] Result<TextHits> search_text_index(const GraphView& view, const RocksStore& store,
                                                 const WriteSet* write_set, std::uint32_t id,
                                                 const TextQuery& query);

}  // namespace cairn::engine
