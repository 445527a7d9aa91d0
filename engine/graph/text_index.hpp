#pragma once
// Full-text indexes of a database: loading their states when it is opened, and searching them for a view.

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
/// Returns the documents of an index that a transaction may have changed, by ascending id.
[[nodiscard]] std::vector<TouchedText> texts_touched(const codec::IndexEntry& index,
                                                     const WriteSet& write_set);

/// Loads the states of all full-text indexes in the catalog, as of the newest commit. Errors: corruption.
[[nodiscard]] Result<TextStates> load_text_states(const RocksStore& store, const Catalog& catalog);
/// Loads the log of one index as of `snapshot`, or of the newest commit if that is nullptr. Errors: corruption.
[[nodiscard]] Result<TextMemorySegment> load_text_memory_segments(const RocksStore& store,
                                                                  std::uint32_t id,
                                                                  const StoreSnapshot* snapshot);

/// Searches an index as a view sees it, including the changes of its transaction. `write_set` is nullptr outside of a
/// transaction.
/// Errors: not_found; unsupported if the transaction itself made the index.
[[nodiscard]] Result<TextHits> search_text_index(const GraphView& view, const RocksStore& store,
                                                 const WriteSet* write_set, std::uint32_t id,
                                                 const TextQuery& query);

}  // namespace cairn::engine
