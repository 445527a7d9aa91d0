// One transaction as one RocksDB batch. What the batch holds, all or nothing:
//
//   catalog      new names, paths, indexes, spaces
//   truth        records, large texts, external ids, vectors       as the write_set has them
//   derived      adjacency; postings as operands or folded; texts as a segment; counts
//   vector_log   entities whose vectors changed, so that a file can catch up
//   meta         what is left of id blocks, the commit number
//
// The commit number is in every batch: at open it is compared with the bound in COMMIT, and a lost
// suffix shows. Reads come before the write (old vectors, hot postings, texts), so an error in them
// leaves nothing that anybody reads. What the committer keeps from commit to commit changes once the
// batch is written. A write that is refused for want of room has written nothing; another error of
// it leaves the outcome unknown, and Core takes no commit after it.
//
// On the thread of the caller, within the turn, half of many texts on another; readers go on. Cost:
// linear in the changes, plus the log's sync.
#include "engine/commit/committer.hpp"

#include "engine/graph/index_members.hpp"
#include "engine/indexing/text_commit.hpp"
#include "engine/store/meta.hpp"
#include "engine/system/within_memory.hpp"
#include "engine/write/property_editor.hpp"

namespace cairn::engine {
namespace {

Error no_memory() {
  return {ErrorCode::resource_limit,
          "the process has not got the memory that the commit needs; nothing of it is written: "
          "commit in smaller pieces",
          {}};
}

/// The write_set holds keys and values as the store wants them.
void put_keys(const WriteSet& write_set, StoreBatch& batch) {
  for (const Family family : all_families) {
    for (const auto& [key, value] : write_set.changes(family)) {
      if (value)
        batch.put(family, key, *value);
      else
        batch.erase(family, key);
    }
  }
}

/// A whole chunk in place of all operands before.
void put_chunk(const std::string& key, const codec::Container& container, StoreBatch& batch) {
  // Erased here rather than left to the compaction filter: the whole value is at hand.
  if (container.cardinality() == 0)
    batch.erase(Family::index, key);
  else
    batch.put(Family::index, key, codec::encode_posting(container));
}

/// Each touched entity as it is after the commit: its vector, or that it has none any more.
/// The view is the transaction's: members.find() gives the vector as it will be. What `state` still
/// has and the view has not is an erasure. The records of touched entities are in the write_set: the
/// posting of a label, which may be long and changes with most commits, need not be read.
Result<std::vector<VectorChange>> changes_of(const codec::IndexEntry& index,
                                             const VectorState& state, const GraphView& view,
                                             const WriteSet& write_set) {
  const VectorMembers members = VectorMembers::by_record(index, view.records());
  std::vector<VectorChange> changes;
  for (const auto& [kind, id] : write_set.vector_entities()) {
    if (kind != index.entity) continue;
    CAIRN_ASSIGN(auto vector, members.find(id));
    if (!vector && !state.find(id)) continue;  // neither before nor after
    changes.push_back({id, std::move(vector)});
  }
  return changes;
}

}  // namespace

Result<Committed> Committer::commit(const GraphView& view, const WriteSet& write_set,
                                    const CatalogEditor& catalog, TextFolding folding) {
  CAIRN_TRY(fold_failure_);
  StoreBatch batch(store_);
  TextCommit texts(store_, mode_, piece_bytes_, texts_, batch);
  CAIRN_TRY(within_memory([&] { return texts.erase_unused(); }, [] { return no_memory(); }));
  auto result = within_memory([&] { return put(view, write_set, catalog, folding, batch, texts); },
                              [] { return no_memory(); });
  if (result)
    if (const Status written = write(batch); !written) result = written.error();
  if (!result) {
    texts.withdraw(view.state());
    return result;
  }
  texts.finish();
  // Nobody else writes, so that this snapshot is exactly the new commit.
  result->state->store = store_.snapshot();
  return result;
}

Result<Committed> Committer::put(const GraphView& view, const WriteSet& write_set,
                                 const CatalogEditor& catalog, TextFolding folding,
                                 StoreBatch& batch, TextCommit& texts) {
  const State& base = view.state();
  Committed result;
  // First, as it may fail on a damaged vector: nothing is put yet.
  CAIRN_ASSIGN(result.vectors, vector_changes(view, write_set));
  // The state to come, beside the published one, which readers hold.
  auto next = std::make_shared<State>();
  next->commit = base.commit + 1;
  next->catalog = catalog.published();
  next->id_hints = base.id_hints;
  next->segments = base.segments;
  next->telemetry = base.telemetry;
  next->counters = base.counters;
  next->counters.add(write_set.counters());

  texts.begin(view, write_set, *next);
  catalog.put_changes(batch);
  put_keys(write_set, batch);
  // Names point into the write_set, which outlives the publication.
  // Sorted for the store as for the cache, which looks for ranges in them.
  const auto postings = write_set.postings().by_name();
  for (const auto* posting : postings) result.postings.push_back(posting->name());
  put_postings(postings, batch);
  CAIRN_TRY(texts.put(view, write_set, *next));
  if (folding == TextFolding::all) CAIRN_TRY(texts.fold_all(*next));
  next->counters.put_changes(base.counters, batch);
  VectorIndexManager::put_log(*base.catalog, *next->catalog, write_set, next->commit, batch);
  // Ids with the records that took them: a crash between the two cannot be.
  ids_.put_changes(batch);
  MetaWriter(batch).put_commit(next->commit);
  result.bytes = batch.bytes();
  result.state = std::move(next);
  return result;
}

// Logged first and waited for at the end: the disk takes the log meanwhile.
Status Committer::write(StoreBatch& batch) {
  CAIRN_TRY(store_.write(batch, mode_ == WriteMode::sync ? WriteMode::async : mode_));
  settle();
  fold_failure_ = fold_due();
  return mode_ == WriteMode::sync ? store_.sync_log() : Status();
}

void Committer::settle() {
  ids_.settle();
  folded_.clear();
}

// One operand a chunk, however many records of the transaction changed it. In the order of their keys:
// the write buffer finds the place of a key quicker when it was near the last one. What was folded stays as it is until
// all is written.
void Committer::put_postings(std::span<const PostingWriteSet::Posting* const> postings,
                             StoreBatch& batch) {
  std::string key;
  ChunkChanges chunks;
  auto folded = folded_.begin();
  for (const PostingWriteSet::Posting* posting : postings) {
    for (const ChunkChange& change : chunks.of(posting->changes())) {
      key = posting->name();
      codec::append_chunk(key, change.chunk);
      for (; folded != folded_.end() && folded->first < key; ++folded)
        put_chunk(folded->first, folded->second, batch);
      if (folded != folded_.end() && folded->first == key) {
        codec::Container container = folded->second;
        container.apply(change.delta.added, change.delta.removed);
        put_chunk(key, container, batch);
        ++folded;
        continue;
      }
      batch.merge(Family::index, key, codec::encode_posting_delta(change.delta));
      if (operands_.add(key)) due_.push_back(key);
    }
  }
  for (; folded != folded_.end(); ++folded) put_chunk(folded->first, folded->second, batch);
}

// While the disk takes the log, as it takes longer than all else of a small commit. Reading the newest
// value is safe: the turn is ours, and nobody else changes postings until the next commit.
Status Committer::fold_due() {
  for (std::string& key : due_) {
    CAIRN_ASSIGN(const auto stored, store_.get(Family::index, key, nullptr));
    codec::Container container;
    if (stored) {
      CAIRN_ASSIGN(container, codec::decode_posting(*stored));
    }
    folded_.emplace(std::move(key), std::move(container));
  }
  due_.clear();
  return {};
}

// Indexes of the view's catalog, which lacks those that this transaction drops.
Result<VectorCommit> Committer::vector_changes(const GraphView& view, const WriteSet& write_set) {
  VectorCommit commit;
  if (write_set.vector_entities().empty()) return commit;
  for (const auto& [id, index] : view.catalog().indexes()) {
    const auto state = view.state().vectors.find(id);
    if (state == view.state().vectors.end()) {
      // A vector index is built after the commit as a whole. A damaged one is built again, as the commit may have repaired it.
      if (index.kind == codec::IndexKind::vector) commit[id];
      continue;
    }
    CAIRN_ASSIGN(commit[id], changes_of(index, *state->second, view, write_set));
  }
  return commit;
}

}  // namespace cairn::engine
