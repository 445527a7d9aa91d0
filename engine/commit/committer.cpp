// Writes one transaction as one atomic RocksDB batch. The batch has:
//
//   catalog      new names, paths, indexes, spaces
//   records      records, large texts, external ids, vectors: exactly the values of the write set
//   derived      adjacency; postings as merge operands or whole chunks; texts as a segment; counts
//   vector_log   entities whose vectors changed, so that a vector file can be brought up to date; while there are segment
//                files, all ids that changed
//   meta         the rest of each block of ids, the commit number
//
// Every batch has the commit number. At open it is compared with the bound in the file COMMIT, which detects lost commits.
//
// All reads (old vectors, frequent postings, texts) come before the write, so an error in them changes nothing. The state
// that the committer holds between commits changes only after the batch is written. A write that fails for lack of disk
// space has written nothing. After any other write error the outcome is unknown, and Core refuses further commits.
//
// Runs on the thread of the caller, which holds the writer lock; with many texts a second thread does half of the analysis.
// Readers continue meanwhile. Cost: linear in the changes, plus syncing the log.
#include "engine/commit/committer.hpp"

#include "engine/graph/index_members.hpp"
#include "engine/indexing/text_commit.hpp"
#include "engine/segment/segment_set.hpp"
#include "engine/store/meta.hpp"
#include "engine/system/within_memory.hpp"
#include "engine/write/property_editor.hpp"

namespace cairn::engine {
namespace {

Error no_memory() {
  return {ErrorCode::resource_limit,
          "the process has too little memory for the commit; nothing was written; commit in "
          "smaller pieces",
          {}};
}

/// Puts the keys and values of the write set, which are encoded already.
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

/// Puts a whole posting chunk, which replaces all merge operands before it.
void put_chunk(const std::string& key, const codec::Container& container, StoreBatch& batch) {
  // An empty chunk is erased at once. Otherwise a compaction filter would have to find it later.
  if (container.cardinality() == 0)
    batch.erase(Family::index, key);
  else
    batch.put(Family::index, key, codec::encode_posting(container));
}

/// Returns the changes to one index: for each touched entity its vector after the commit, or nullopt if it has none any
/// more.
///
/// `view` is the view of the transaction, so members.find() returns the vector after the commit. An entity that `state` has
/// and the view has not is erased. Membership is decided by record, as the records of touched entities are in the write set
/// anyway. The posting of a label may be long and changes with most commits, so reading it would be slow.
Result<std::vector<VectorChange>> changes_of(const codec::IndexEntry& index,
                                             const VectorState& state, const GraphView& view,
                                             const WriteSet& write_set) {
  const VectorMembers members = VectorMembers::by_record(index, view.records());
  std::vector<VectorChange> changes;
  for (const auto& [kind, id] : write_set.vector_entities()) {
    if (kind != index.entity) continue;
    CAIRN_ASSIGN(auto vector, members.find(id));
    if (!vector && !state.find(id)) continue;  // not a member before nor after
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
  const auto erase_unused = [&] {
    return within_memory([&] { return texts.erase_unused(); }, [] { return no_memory(); });
  };
  CAIRN_TRY(erase_unused());
  auto result = within_memory([&] { return put(view, write_set, catalog, folding, batch, texts); },
                              [] { return no_memory(); });
  if (result)
    if (const Status written = write(batch); !written) result = written.error();
  if (!result) {
    texts.withdraw(view.state());
    // The next commit would erase what was written ahead, too. But until then a check would report it.
    static_cast<void>(erase_unused());
    return result;
  }
  texts.finish();
  // Nobody else writes now, so this snapshot is exactly the new commit.
  result->state->store = store_.snapshot();
  return result;
}

Result<Committed> Committer::put(const GraphView& view, const WriteSet& write_set,
                                 const CatalogEditor& catalog, TextFolding folding,
                                 StoreBatch& batch, TextCommit& texts) {
  const State& base = view.state();
  Committed result;
  // First, as it may fail on a damaged vector, and nothing must be put then.
  CAIRN_ASSIGN(result.vectors, vector_changes(view, write_set));
  // The next state. Readers still use the published one, so it must not change.
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
  // The write set lives until the state is published. The postings are sorted, as the write buffer takes sorted keys faster
  // and the posting cache searches the names for ranges.
  result.postings = write_set.postings().by_name();
  put_postings(result.postings, batch);
  CAIRN_TRY(texts.put(view, write_set, *next));
  if (folding == TextFolding::all) CAIRN_TRY(texts.fold_all(*next));
  next->counters.put_changes(base.counters, batch);
  VectorIndexManager::put_log(*base.catalog, *next->catalog, write_set, next->commit, batch);
  if (next->segments != nullptr) next->segments->log(next->commit, write_set, batch);
  // In the same batch as the records that use the ids, so that a crash cannot separate them.
  ids_.put_changes(batch);
  MetaWriter(batch).put_commit(next->commit);
  result.bytes = batch.bytes();
  result.state = std::move(next);
  return result;
}

// Writes without waiting, reads the chunks to fold next, and only then waits for the log to be synced: the disk writes the
// log meanwhile.
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

// Puts one operand for each changed chunk, however many records changed it. A chunk that the last commit folded is put as a
// whole instead, with the changes of this commit. Keys are put in ascending order, as the write buffer finds the place of a
// key faster near the last one. `folded_` is not changed, as the write may still fail.
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

// Runs while the disk writes the log, which takes longer than the rest of a small commit. The newest values may be read
// without a snapshot: this thread holds the writer lock, so nobody else changes postings before the next commit.
Status Committer::fold_due() {
  for (std::string& key : due_) {
    CAIRN_ASSIGN(const auto stored, store_.get(Family::index, key, nullptr));
    codec::Container container;
    if (stored) {
      CAIRN_ASSIGN(container, codec::decode_posting_of(key, *stored));
    }
    folded_.emplace(std::move(key), std::move(container));
  }
  due_.clear();
  return {};
}

// Visits the indexes in the catalog of the view, so not those that this transaction drops.
Result<VectorCommit> Committer::vector_changes(const GraphView& view, const WriteSet& write_set) {
  VectorCommit commit;
  if (write_set.vector_entities().empty()) return commit;
  for (const auto& [id, index] : view.catalog().indexes()) {
    const auto state = view.state().vectors.find(id);
    if (state == view.state().vectors.end()) {
      // An index without a state is new, or could not be loaded because of a damaged vector. Both are built as a whole after
      // the commit, which may have repaired the vector. The empty entry requests that.
      if (index.kind == codec::IndexKind::vector) commit[id];
      continue;
    }
    CAIRN_ASSIGN(commit[id], changes_of(index, *state->second, view, write_set));
  }
  return commit;
}

}  // namespace cairn::engine
