#pragma once
// State: one published commit, as readers hold it. Never changes once published.

#include "engine/catalog/catalog.hpp"
#include "engine/fulltext/text_memory_segment.hpp"
#include "engine/store/rocks_store.hpp"
#include "engine/vector/vector_index.hpp"

#include <cstdint>
#include <map>
#include <memory>

namespace cairn::engine {

using VectorStates =
    std::map<std::uint32_t, VectorIndex::StatePtr>;  ///< by catalog id of the index

/// The state of one full-text index; its other postings are in the store.
struct TextState {
  codec::TextStatistics statistics;
  TextMemorySegment log;
};
using TextStates = std::map<std::uint32_t, TextState>;  ///< by catalog id

class ExternalIdHints;
class SegmentSet;
class TextCache;
class TextProgress;
struct Telemetry;

/// Everything in it is of the same commit.
struct State {
  std::uint64_t commit = 0;
  SnapshotPtr store;
  std::shared_ptr<const Catalog> catalog;  // owners: states of one catalog, transactions
  Counters counters;
  VectorStates vectors;
  TextStates texts;
  std::shared_ptr<ExternalIdHints> id_hints;    // owners: all states of the database
  std::shared_ptr<TextCache> text_cache;        // as before; may be null
  std::shared_ptr<SegmentSet> segments;         // as before
  std::shared_ptr<TextProgress> text_progress;  // as before: one for the whole database
  std::shared_ptr<Telemetry> telemetry;         // as before; null: nothing is counted
};

using StatePtr = std::shared_ptr<const State>;  // owners: the core, snapshots and transactions

}  // namespace cairn::engine
