#pragma once
// State: everything that readers need of one commit. A published state never changes.

#include "engine/catalog/catalog.hpp"
#include "engine/fulltext/text_memory_segment.hpp"
#include "engine/store/rocks_store.hpp"
#include "engine/vector/vector_index.hpp"

#include <cstdint>
#include <map>
#include <memory>

namespace cairn::engine {

/// By catalog id of the index.
using VectorStates = std::map<std::uint32_t, VectorIndex::StatePtr>;

/// The part of a full-text index that is in memory. Most of its postings are in the store.
struct TextState {
  codec::TextStatistics statistics;  ///< counts of documents and words, for scores
  TextMemorySegment log;  ///< postings of recent commits, which are not merged into the store yet
};
using TextStates = std::map<std::uint32_t, TextState>;  ///< by catalog id

class ExternalIdHints;
class SegmentSet;
class TextCache;
class TextProgress;
struct Telemetry;

/// All members are of the same commit.
struct State {
  std::uint64_t commit = 0;
  SnapshotPtr store;
  std::shared_ptr<const Catalog> catalog;  // owners: states of one catalog, transactions
  Counters counters;
  VectorStates vectors;
  TextStates texts;
  // Shared by all states of a database, which are their owners.
  std::shared_ptr<ExternalIdHints> id_hints;
  std::shared_ptr<TextCache> text_cache;        // may be nullptr
  std::shared_ptr<SegmentSet> segments;         // may be nullptr
  std::shared_ptr<TextProgress> text_progress;  // progress of a full-text index that is being made
  std::shared_ptr<Telemetry> telemetry;         // nullptr: nothing is counted
};

using StatePtr = std::shared_ptr<const State>;  // owners: the core, snapshots and transactions

}  // namespace cairn::engine
