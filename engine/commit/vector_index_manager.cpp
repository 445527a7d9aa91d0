// Vector indexes have three parts: an index in memory; a file, so that the next open need not build it; and a log of changed
// entities, which brings a file up to date. The vectors themselves are in family `vectors`. Everything here is derived, and
// rebuilt if it is lost.
//
// file        has all changes up to a sequence, which is a commit number
// vector_log  lists for each later commit which entities changed, without their vectors
// catch up    reads the current vector of each listed entity once, however often it changed
//
// The order of writes makes files safe. A file is written after the store's log is synced, so a power cut cannot make the
// file newer than the store. vector_log is trimmed after the files are written. A mark is written before the trimming, so
// that a trimmed log is never taken for a complete one.
#include "engine/commit/vector_index_manager.hpp"

#include "codec/byte_io.hpp"
#include "engine/graph/index_members.hpp"
#include "engine/store/erase_keys.hpp"
#include "engine/store/metadata_file.hpp"

#include <algorithm>

namespace cairn::engine {
namespace {

// The number of vectors that a rebuild adds at once, so that it does not hold all vectors in memory twice.
constexpr std::size_t rebuild_piece = 1'024;

/// True for vector indexes; the catalog also has range and full-text indexes.
bool is_vector_index(const codec::IndexEntry& entry) {
  return entry.kind == codec::IndexKind::vector;
}

/// The key range of a space in the log, from a sequence (commit number) on. `space + 1` does not overflow: spaces are
/// numbered from 1, and there are never 2^32 of them.
KeyRange log_range(std::uint32_t space, std::uint64_t first_sequence) {
  return {codec::vector_log_key(space, first_sequence), codec::vector_log_key(space + 1, 0)};
}

/// Appends the entities of a kind from one value of the log. Returns false if the value is damaged.
bool read_log_value(std::string_view value, codec::EntityKind kind,
                    std::vector<std::uint64_t>& out) {
  codec::ByteCursor cursor(value);
  while (!cursor.rest().empty()) {
    const auto entity_kind = static_cast<codec::EntityKind>(cursor.read_byte());
    const auto entity = cursor.read_big<std::uint64_t>();
    if (entity_kind == kind) out.push_back(entity);
  }
  return cursor.finished();
}

}  // namespace

std::filesystem::path VectorIndexManager::file_of(std::uint32_t id) const {
  return place_.directory / ("index-" + std::to_string(id) + ".segment");
}

Status VectorIndexManager::erase_index_file(std::uint32_t id) const {
  return erase_file(file_of(id));
}

// A read-only database has no background builds, so its indexes are completed while they are loaded.
Result<std::shared_ptr<VectorIndex>> VectorIndexManager::make_index(const codec::IndexEntry& entry,
                                                                    bool maps_rows) const {
  VectorIndexOptions options = vector_options(entry, place_.background_threads);
  options.finishes_on_load = place_.read_only;
  options.maps_rows = maps_rows;
  CAIRN_ASSIGN(auto index, VectorIndex::make(options));
  return std::shared_ptr<VectorIndex>(std::move(index));
}

Status VectorIndexManager::open(const StatePtr& state, std::vector<std::string>& warnings) {
  for (const auto& [id, entry] : state->catalog->indexes()) {
    if (!is_vector_index(entry)) continue;
    const bool maps_rows = !has_room_for(id);
    CAIRN_ASSIGN(auto index, make_index(entry, maps_rows));
    Slot slot{entry, std::move(index)};
    const Status loaded = load(state, id, slot, maps_rows, warnings);
    // A damaged vector, or in a read-only database a missing table file of the store, disables only its own index:
    // searches then return an error. The first commit after the vector is repaired builds the index again, see
    // follow().
    if (!loaded && loaded.error().code == ErrorCode::corruption) {
      missing_.insert(id);
      warnings.push_back("vector index " + entry.name +
                         " is not available: " + loaded.error().message);
      continue;
    }
    CAIRN_TRY(loaded);
    slots_.insert_or_assign(id, std::move(slot));
  }
  return {};
}

// Uses the file if it is valid and the log is complete from there on; otherwise rebuilds the index from its vectors. Errors:
// those of reading the store, and of damaged vectors.
Status VectorIndexManager::load(const StatePtr& state, std::uint32_t id, Slot& slot, bool maps_rows,
                                std::vector<std::string>& warnings) {
  const auto sequence = slot.index->load(file_of(id), place_.database_id, id);
  if (sequence) {
    slot.segment_sequence = slot.saved_sequence = *sequence;
    // Rows that should be mapped are in memory if the file has an older layout, which cannot be mapped. The file is
    // rewritten then.
    slot.is_unsaved = (maps_rows || wants_mapping(slot)) && slot.index->state()->memory().rows > 0;
    CAIRN_ASSIGN(const bool complete, catch_up(state, slot, *sequence));
    if (complete) return {};
  } else if (sequence.error().code == ErrorCode::corruption) {
    warnings.push_back("vector index " + slot.entry.name +
                       " is rebuilt from its vectors: " + sequence.error().message);
  }
  // An unusable file is erased before the next commit. If it is newer than the store, which lost commits, then it would pass
  // for an older file once the store has as many commits again.
  if (!place_.read_only) CAIRN_TRY(erase_index_file(id));
  CAIRN_ASSIGN(slot.index, make_index(slot.entry, false));
  slot.segment_sequence = slot.saved_sequence = 0;
  slot.is_unsaved = false;
  return rebuild(state, slot);
}

/// Returns false if the log is damaged or begins after `from`, or if the file is newer than the store.
Result<bool> VectorIndexManager::catch_up(const StatePtr& state, Slot& slot, std::uint64_t from) {
  // The file is newer than the store, which lost commits: its vectors may belong to entities that do not exist.
  if (from > state->commit) return false;
  CAIRN_ASSIGN(const auto entities, logged_since(*state, slot, from));
  if (!entities) return false;
  const GraphView view(store_, cache_, state);
  CAIRN_ASSIGN(const auto members, VectorMembers::of(slot.entry, view.records(), view.postings()));
  std::vector<VectorChange> changes;
  for (const std::uint64_t id : *entities) {
    CAIRN_ASSIGN(auto vector, members.find(id));
    changes.push_back({id, std::move(vector)});
  }
  slot.index->apply(changes, state->commit);
  return true;
}

Result<std::optional<std::vector<std::uint64_t>>> VectorIndexManager::logged_since(
    const State& state, const Slot& slot, std::uint64_t from) const {
  std::vector<std::uint64_t> entities;
  Cursor cursor = store_.scan(Family::vector_log, log_range(slot.entry.space, 0), &*state.store);
  for (; cursor.valid(); cursor.next()) {
    const auto key = codec::decode_vector_log_key(cursor.key());
    if (!key) return std::optional<std::vector<std::uint64_t>>();
    // A mark: the entries before it were trimmed, or the file belongs to an earlier index of the same number.
    if (cursor.value().empty() && key->sequence > from) {
      return std::optional<std::vector<std::uint64_t>>();
    }
    if (key->sequence <= from) continue;
    if (!read_log_value(cursor.value(), slot.entry.entity, entities)) {
      return std::optional<std::vector<std::uint64_t>>();
    }
  }
  CAIRN_TRY(cursor.status());
  std::sort(entities.begin(), entities.end());
  entities.erase(std::unique(entities.begin(), entities.end()), entities.end());
  return std::optional(std::move(entities));
}

Status VectorIndexManager::rebuild(const StatePtr& state, Slot& slot) {
  const GraphView view(store_, cache_, state);
  CAIRN_ASSIGN(const auto members, VectorMembers::of(slot.entry, view.records(), view.postings()));
  // Reads all vectors of the space and kind in one scan. Ids ascend, which is the best order for a new segment.
  const std::string first = codec::vector_key(slot.entry.space, slot.entry.entity, 0);
  Cursor cursor = store_.scan(Family::vectors, range_of_prefix(first.substr(0, first.size() - 8)),
                              &*state->store);
  std::vector<VectorChange> piece;
  for (; cursor.valid(); cursor.next()) {
    CAIRN_ASSIGN(const auto key, codec::decode_vector_key(cursor.key()));
    if (!members.grouped().contains(key.entity)) continue;
    auto components = codec::decode_vector(cursor.value());
    if (!components) return components.error();
    if (!members.takes(*components)) continue;
    piece.push_back({key.entity, std::move(*components)});
    if (piece.size() < rebuild_piece) continue;
    slot.index->apply(piece, state->commit);
    piece.clear();
  }
  CAIRN_TRY(cursor.status());
  slot.index->apply(piece, state->commit);
  return {};
}

Result<VectorIndexManager::Slot> VectorIndexManager::make_slot(const StatePtr& state,
                                                               const codec::IndexEntry& entry) {
  CAIRN_ASSIGN(auto index, make_index(entry, false));
  Slot slot{entry, std::move(index)};
  CAIRN_TRY(rebuild(state, slot));
  return slot;
}

// First drops indexes, then changes existing ones, then makes new ones, so that a dropped index and a new one with the same
// number do not mix. The commit is on disk already, so failures here are not errors of the commit.
void VectorIndexManager::follow(const StatePtr& state, const VectorCommit& changes) {
  const auto& indexes = state->catalog->indexes();
  for (auto slot = slots_.begin(); slot != slots_.end();) {
    if (indexes.contains(slot->first)) {
      ++slot;
      continue;
    }
    const std::uint32_t gone = slot->first;
    slot = slots_.erase(slot);
    // If it cannot be erased, it only takes disk space: the mark of put_log() prevents that a later index loads it.
    static_cast<void>(erase_index_file(gone));
  }
  for (const auto& [id, index_changes] : changes) {
    const auto slot = slots_.find(id);
    // One call for each index and commit. Readers of older states still see those states.
    if (slot != slots_.end()) slot->second.index->apply(index_changes, state->commit);
  }
  for (const auto& [id, entry] : indexes) {
    if (!is_vector_index(entry) || slots_.contains(id)) continue;
    // If this fails because of a damaged vector, the index has no state, and searches return an error. Making an index reads
    // all its vectors, so it is tried again only by commits that touch vectors.
    if (missing_.contains(id) && !changes.contains(id)) continue;
    auto made = make_slot(state, entry);
    if (made) {
      slots_.insert_or_assign(id, std::move(*made));
      missing_.erase(id);
    } else {
      missing_.insert(id);
    }
  }
  std::erase_if(missing_, [&](std::uint32_t id) { return !indexes.contains(id); });
}

VectorStates VectorIndexManager::states() const {
  VectorStates states;
  for (const auto& [id, slot] : slots_) states.emplace(id, slot.index->state());
  return states;
}

std::size_t VectorIndexManager::memory_bytes() const {
  std::size_t bytes = 0;
  for (const auto& [id, slot] : slots_) bytes += slot.index->state()->memory_bytes();
  return bytes;
}

// Returns the first index that wants a seal, even if another one has a larger delta, because the caller calls again
// after every build. The result holds the state to build from, so that its memory stays valid.
std::optional<VectorIndexManager::Sealing> VectorIndexManager::next_sealing() const {
  for (const auto& [id, slot] : slots_) {
    if (slot.index->wants_seal()) return Sealing{id, slot.index, slot.index->state()};
  }
  return std::nullopt;
}

std::vector<VectorIndexManager::Sealing> VectorIndexManager::forgetful() const {
  std::vector<Sealing> found;
  for (const auto& [id, slot] : slots_)
    if (slot.index->forgotten() > 0)
      found.push_back({id, slot.index, slot.index->state(), {}, true});
  return found;
}

Status VectorIndexManager::erase_other_files() const {
  std::set<std::filesystem::path> ours;
  for (const auto& [id, slot] : slots_)
    if (slot.saved_sequence != 0) ours.insert(file_of(id));
  std::error_code problem;
  std::vector<std::filesystem::path> others;
  std::filesystem::directory_iterator file(place_.directory, problem), end;
  for (; !problem && file != end; file.increment(problem))
    if (!ours.contains(file->path())) others.push_back(file->path());
  if (problem && problem != std::errc::no_such_file_or_directory)
    return Error{
        ErrorCode::io_error,
        "cannot read the directory " + place_.directory.string() + ": " + problem.message(),
        {}};
  for (const auto& other : others) CAIRN_TRY(erase_file(other));
  return {};
}

Status VectorIndexManager::build(Sealing& sealing, BuildThreads workers) {
  workers.hurried = [hurried = std::move(workers.hurried), index = sealing.index] {
    return (hurried && hurried()) || index->is_overdue();
  };
  CAIRN_ASSIGN(sealing.segment, sealing.is_afresh
                                    ? sealing.index->build_afresh(sealing.from, workers)
                                    : sealing.index->build_segment(sealing.from, workers));
  return {};
}

// Changes that arrived during the build stay in the delta.
void VectorIndexManager::adopt(const Sealing& sealing) {
  const auto slot = slots_.find(sealing.id);
  // The index was dropped, or dropped and made again, during the build: the segment is discarded.
  if (slot == slots_.end() || slot->second.index != sealing.index) return;
  sealing.index->adopt_segment(sealing.segment);
  // Changes after `from` are in the delta, so a file of this segment is complete up to `from`.
  slot->second.segment_sequence = sealing.from->sequence();
  slot->second.is_unsaved = true;
}

// Writes files without the lock, so commits continue. The caller prevents adopt() meanwhile: a segment adopted after the log
// is synced could have commits that are not on disk.
Status VectorIndexManager::save(std::uint64_t commit) {
  if (place_.read_only) return {};
  const std::vector<Saving> savings = unsaved();
  // A power cut must not leave a file that is newer than the store. Nothing is written if the directory was deleted or
  // replaced, which may happen between two files too.
  CAIRN_TRY(store_.sync_log());
  if (!savings.empty()) CAIRN_TRY(make_directory(place_.directory));
  for (const Saving& saving : savings) {
    if (store_.has_failed()) return store_.sync_log();
    CAIRN_TRY(saving.index->save(file_of(saving.id), place_.database_id, saving.id));
    CAIRN_TRY(note_saved(saving));
    map_rows(saving);
  }
  std::set<std::uint32_t> tried;
  while (const auto one = over_memory(tried)) {
    tried.insert(one->id);
    map_rows(*one);
  }
  for (const auto& [space, sequence] : needed_logs(commit)) CAIRN_TRY(trim_log(space, sequence));
  return {};
}

/// Returns the segments that are not in their file yet.
std::vector<VectorIndexManager::Saving> VectorIndexManager::unsaved() const {
  const auto held = lock();
  std::vector<Saving> savings;
  for (const auto& [id, slot] : slots_) {
    if (!slot.is_unsaved) continue;
    savings.push_back({id, slot.index, slot.segment_sequence});
  }
  return savings;
}

/// Notes that a segment was saved. If its index was dropped meanwhile, erases the file.
Status VectorIndexManager::note_saved(const Saving& saving) {
  const auto held = lock();
  const auto slot = slots_.find(saving.id);
  if (slot == slots_.end() || slot->second.index != saving.index)
    return erase_index_file(saving.id);
  slot->second.saved_sequence = saving.sequence;
  slot->second.is_unsaved = false;
  return {};
}

/// True if an index can be held in memory within the budget. It needs about as much memory as its file has bytes.
bool VectorIndexManager::has_room_for(std::uint32_t id) const {
  std::error_code none;  // without a file there is nothing to map, so true
  const auto bytes = std::filesystem::file_size(file_of(id), none);
  const std::size_t held = memory_bytes();
  return none || (held <= place_.memory_bytes && bytes <= place_.memory_bytes - held);
}

/// True if the float32 vectors of an index are always mapped from its file, as its storage option says.
bool VectorIndexManager::wants_mapping(const Slot& slot) {
  return slot.entry.storage != codec::VectorStorage::float32;
}

/// Maps the vectors of an index from its file, if they should not be held in memory. If mapping fails, they stay in memory.
void VectorIndexManager::map_rows(const Saving& saving) {
  {
    const auto held = lock();
    const auto slot = slots_.find(saving.id);
    if (slot == slots_.end() || slot->second.index != saving.index) return;
    const VectorMemory memory = slot->second.index->state()->memory();
    // Rows that are mapped already are mapped again: they refer to the replaced file, which keeps its disk space until then.
    if (!wants_mapping(slot->second) && memory.mapped == 0 && memory_bytes() <= place_.memory_bytes)
      return;
  }
  const auto mapped = saving.index->map_rows(file_of(saving.id), place_.database_id, saving.id);
  if (!mapped || *mapped == nullptr) return;
  const auto held = lock();
  const auto slot = slots_.find(saving.id);
  if (slot != slots_.end() && slot->second.index == saving.index)
    slot->second.index->adopt_rows(*mapped);
}

/// Returns the index that holds the most bytes of vectors in memory, of those that should be mapped: all indexes if the
/// budget of memory is exceeded. Skips the indexes in `tried`, and those whose file is not up to date.
std::optional<VectorIndexManager::Saving> VectorIndexManager::over_memory(
    const std::set<std::uint32_t>& tried) const {
  const auto held = lock();
  const bool is_over = memory_bytes() > place_.memory_bytes;
  std::optional<Saving> most;
  std::size_t most_bytes = 0;
  for (const auto& [id, slot] : slots_) {
    const std::size_t bytes = slot.index->state()->memory().rows;
    if (bytes <= most_bytes || slot.is_unsaved || slot.saved_sequence == 0 || tried.contains(id) ||
        !(is_over || wants_mapping(slot)))
      continue;
    most = Saving{id, slot.index, slot.segment_sequence};
    most_bytes = bytes;
  }
  return most;
}

/// Returns for each space the sequence of its oldest file, from which on the log is needed. An index without a file needs no
/// log.
std::map<std::uint32_t, std::uint64_t> VectorIndexManager::needed_logs(std::uint64_t commit) const {
  const auto held = lock();
  std::map<std::uint32_t, std::uint64_t> needed;
  for (const auto& [id, slot] : slots_) {
    std::uint64_t& sequence = needed.try_emplace(slot.entry.space, commit).first->second;
    if (slot.saved_sequence != 0) sequence = std::min(sequence, slot.saved_sequence);
  }
  return needed;
}

// Erases the entries before `keep_after`. The entry of `keep_after` itself becomes the mark: the oldest file has its
// changes.
Status VectorIndexManager::trim_log(std::uint32_t space, std::uint64_t keep_after) {
  const KeyRange trimmed{codec::vector_log_key(space, 0), codec::vector_log_key(space, keep_after)};
  if (!store_.scan(Family::vector_log, trimmed, nullptr).valid()) return {};
  // The mark is written first, so that a trimmed log is never taken for a complete one.
  StoreBatch batch(store_);
  batch.put(Family::vector_log, trimmed.last, "");
  CAIRN_TRY(store_.write_local(batch, WriteMode::sync));
  return erase_keys(store_, Family::vector_log, trimmed);
}

// The indexes of a space share its log, and every space gets all changed entities. An entity that does not concern an index
// costs one read at open. The entries are in the batch of the commit: without its entry, a change would be missed at the
// next open.
void VectorIndexManager::put_log(const Catalog& before, const Catalog& after,
                                 const WriteSet& write_set, std::uint64_t sequence,
                                 StoreBatch& batch) {
  std::string value;
  for (const auto& [kind, id] : write_set.vector_entities()) {
    codec::append_big(value, static_cast<std::uint8_t>(kind));
    codec::append_big(value, id);
  }
  const auto put = [&](const codec::IndexEntry& entry, const std::string& entities) {
    batch.put(Family::vector_log, codec::vector_log_key(entry.space, sequence), entities);
  };
  for (const auto& [id, entry] : after.indexes()) {
    if (is_vector_index(entry) && !value.empty()) put(entry, value);
  }
  // The mark may replace the entry above for the same space. Other indexes of the space are then rebuilt at the next open
  // unless their files are saved before, which only costs time.
  for (const auto& [id, entry] : after.indexes()) {
    if (is_vector_index(entry) && !before.indexes().contains(id)) put(entry, "");
  }
}

}  // namespace cairn::engine
