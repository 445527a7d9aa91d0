// Reads and writes of the open store. Lifetimes need care: Debian's librocksdb is built with assertions, and aborts
// if a database is deleted while an iterator, snapshot or handle of it exists. So Impl closes the handles, snapshots
// are released before the store (in Core the member State is declared after the store), and cursors are short-lived.
//
// Threads: reads from any thread. Writes are serialised by log_mutex. The writer lock already serialises nearly all
// of them; only trims of the vector log come from the thread that saves vector files.
#include "engine/store/rocks_store.hpp"

#include "codec/commit_note.hpp"
#include "codec/keys.hpp"
#include "engine/store/cursor_impl.hpp"
#include "engine/store/full_disk.hpp"
#include "engine/store/rocks_status.hpp"
#include "engine/store/rocks_store_impl.hpp"

#include <rocksdb/cache.h>

#include <algorithm>
#include <iterator>

namespace cairn::engine {
namespace {

/// The place for messages.
std::string place(Family family) { return "family " + std::string(to_string(family)); }

// The default verify_checksums applies: a block is checked when it is read from disk, not when it comes from the
// cache.
rocksdb::ReadOptions read_options(const StoreSnapshot* snapshot) {
  rocksdb::ReadOptions options;
  if (snapshot != nullptr) options.snapshot = snapshot->impl().snapshot;
  return options;
}

/// The options of RocksDB for a mode.
rocksdb::WriteOptions write_options(WriteMode mode) {
  rocksdb::WriteOptions options;
  options.sync = mode == WriteMode::sync;
  options.disableWAL = mode == WriteMode::unlogged;
  return options;
}

/// The maximum size of a batch in the log: with a header for each fragment, and the padding at the end of a block.
std::uint64_t log_bytes(const rocksdb::WriteBatch& batch) {
  constexpr std::uint64_t block_bytes = 32'768;
  constexpr std::uint64_t header_bytes = 7;
  const std::uint64_t bytes = batch.GetDataSize();
  return bytes + (bytes / (block_bytes - header_bytes) + 3) * header_bytes;
}

Error is_fixed() {
  return {ErrorCode::unsupported, "a fixed state of the store takes no changes", {}};
}

/// A cursor on the first key of its range.
Cursor start(std::unique_ptr<Cursor::Impl> impl, std::string_view first) {
  Cursor cursor(std::move(impl));
  cursor.seek(first);
  return cursor;
}

}  // namespace

StoreSnapshot::StoreSnapshot(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
// While a snapshot exists, compactions do not drop what it sees. The published state always holds one. A forked child
// does not release it: a thread that the child lacks may have held the lock of RocksDB.
StoreSnapshot::~StoreSnapshot() {
  if (impl_->process.is_this()) impl_->database->ReleaseSnapshot(impl_->snapshot);
}

RocksStore::RocksStore() : impl_(std::make_shared<Impl>()) {}
RocksStore::RocksStore(std::shared_ptr<Impl> impl, SnapshotPtr fixed)
    : impl_(std::move(impl)), fixed_(std::move(fixed)) {}
RocksStore::~RocksStore() = default;

std::unique_ptr<RocksStore> RocksStore::fixed() const {
  return std::unique_ptr<RocksStore>(new RocksStore(impl_, snapshot()));
}

SnapshotPtr RocksStore::snapshot() const {
  if (fixed_) return fixed_;
  auto impl = std::make_unique<StoreSnapshot::Impl>();
  impl->database = impl_->database.get();
  impl->snapshot = impl_->database->GetSnapshot();
  return std::make_shared<const StoreSnapshot>(std::move(impl));
}

// A point read: looks in the memtables, then reads one block of each level whose filter permits it. For `index` and
// `text` it merges operands.
Result<RocksStore::Value> RocksStore::get(Family family, std::string_view key,
                                          const StoreSnapshot* snapshot) const {
  // A store that is only inspected may lack the family.
  if (impl_->handle(family) == nullptr) return Value();
  std::string value;
  const rocksdb::Status status =
      impl_->database->Get(read_options(seen(snapshot)), impl_->handle(family), slice(key), &value);
  if (status.IsNotFound()) return Value();
  if (!status.ok()) return to_error(status, place(family));
  return Value(std::move(value));
}

Result<std::vector<RocksStore::Value>> RocksStore::multi_get(Family family,
                                                             std::span<const std::string> keys,
                                                             const StoreSnapshot* snapshot) const {
  // RocksDB sorts and pins all keys of a call at once. Pieces limit the memory for this.
  constexpr std::size_t piece = 1'024;
  std::vector<Value> values;
  values.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size(); i += piece) {
    CAIRN_ASSIGN(
        auto some,
        multi_get_batch(family, keys.subspan(i, std::min(piece, keys.size() - i)), snapshot));
    std::move(some.begin(), some.end(), std::back_inserter(values));
  }
  return values;
}

// Returns the values in the order of the keys; nullopt for a key that is absent.
Result<std::vector<RocksStore::Value>> RocksStore::multi_get_batch(
    Family family, std::span<const std::string> keys, const StoreSnapshot* snapshot) const {
  std::vector<rocksdb::Slice> slices(keys.begin(), keys.end());
  std::vector<rocksdb::PinnableSlice> found(keys.size());
  std::vector<rocksdb::Status> status(keys.size());
  impl_->database->MultiGet(read_options(seen(snapshot)), impl_->handle(family), keys.size(),
                            slices.data(), found.data(), status.data());
  std::vector<Value> values(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (status[i].ok())
      values[i].emplace(found[i].data(), found[i].size());
    else if (!status[i].IsNotFound())
      return to_error(status[i], place(family));
  }
  return values;
}

Cursor RocksStore::scan(Family family, const KeyRange& range, const StoreSnapshot* snapshot) const {
  auto impl = std::make_unique<Cursor::Impl>();
  impl->family = family;
  impl->last = range.last;
  impl->bound = slice(impl->last);
  rocksdb::ReadOptions options = read_options(seen(snapshot));
  // A range spans several prefixes, so prefix filters must not be used.
  options.total_order_seek = true;
  if (!range.last.empty()) options.iterate_upper_bound = &impl->bound;
  impl->iterator.reset(impl_->database->NewIterator(options, impl_->handle(family)));
  return start(std::move(impl), range.first);
}

// The filter of each file contains the prefixes of the family (the name of a posting, a node), so a file without the
// prefix is not read. A longer prefix (node and type) works too, because the upper bound ends the scan.
Cursor RocksStore::scan_prefix(Family family, std::string_view prefix,
                               const StoreSnapshot* snapshot) const {
  auto impl = std::make_unique<Cursor::Impl>();
  impl->family = family;
  impl->last = codec::prefix_end(std::string(prefix));
  impl->bound = slice(impl->last);
  rocksdb::ReadOptions options = read_options(seen(snapshot));
  options.prefix_same_as_start = true;
  if (!impl->last.empty()) options.iterate_upper_bound = &impl->bound;
  impl->iterator.reset(impl_->database->NewIterator(options, impl_->handle(family)));
  // The filter needs a complete key. Chunk 0 represents all chunks of the posting list; see PostingPrefix in
  // tuning.cpp.
  std::string first(prefix);
  if (family == Family::index) codec::append_chunk(first, 0);
  return start(std::move(impl), first);
}

Cursor RocksStore::seek_prefixes(Family family, const StoreSnapshot* snapshot) const {
  auto impl = std::make_unique<Cursor::Impl>();
  impl->family = family;
  rocksdb::ReadOptions options = read_options(seen(snapshot));
  options.prefix_same_as_start = true;
  impl->iterator.reset(impl_->database->NewIterator(options, impl_->handle(family)));
  return Cursor(std::move(impl));
}

// A write is atomic over all families, because they share one log. In mode `async` the log is written but not synced:
// a crash of the process loses nothing, a crash of the machine loses the newest commits.
//
// Each record ends with a note of the database and the commit (codec/commit_note.hpp), so that foreign and lost logs
// are detected.
Status RocksStore::write(StoreBatch& batch, WriteMode mode) {
  if (fixed_) return is_fixed();
  if (!impl_->ship) return write_local(batch, mode);
  const std::lock_guard one_order(impl_->ship_mutex);
  CAIRN_TRY(ship_batch(batch));
  const Status written = write_local(batch, mode);
  // The home has the commit, but this copy lacks it. So this copy must not get any later write.
  return written ? written : impl_->end_writes(written.error());
}

Status RocksStore::write_local(StoreBatch& batch, WriteMode mode) {
  if (fixed_) return is_fixed();
  StoreBatch::Impl& changes = *batch.impl_;
  if (impl_->log_database != 0 && mode != WriteMode::unlogged) {
    const codec::LogNote note{impl_->log_database, changes.commit.value_or(0)};
    changes.batch.PutLogData(codec::encode(note)).PermitUncheckedError();
  }
  const std::uint64_t bytes = mode == WriteMode::unlogged ? 0 : log_bytes(changes.batch);
  CAIRN_TRY(impl_->change("commit", bytes, [&] {
    const FullDisk::Asking asking;
    return impl_->database->Write(write_options(mode), &changes.batch);
  }));
  if (!changes.commit || mode == WriteMode::unlogged) return {};
  impl_->logged = *changes.commit;
  if (mode == WriteMode::sync || !impl_->options.syncs_commits) impl_->tail.note(*changes.commit);
  // The first batch of a new database contains its id, which was unknown before.
  if (!impl_->is_new) return {};
  impl_->is_new = false;
  return impl_->begin_notes(impl_->database_id(), *changes.commit);
}

bool RocksStore::has_failed() const {
  const std::lock_guard lock(impl_->log_mutex);
  return impl_->log_failure.has_value() || !impl_->log_latch->failure().ok();
}

Status RocksStore::sync_log() {
  const std::uint64_t logged = impl_->logged;
  CAIRN_TRY(impl_->log("sync of the log", [&] { return impl_->sync_logs(); }));
  impl_->tail.note(logged);
  return {};
}

// Writes the memtables to files and syncs them. Afterwards no data depends on the log. This is the only way to make
// `unlogged` writes durable.
Status RocksStore::flush() {
  CAIRN_TRY(impl_->process.check());
  const std::uint64_t noted = impl_->tail.commit();
  rocksdb::Status flushed = impl_->log_latch->failure();
  if (flushed.ok()) flushed = impl_->resume();
  if (flushed.ok()) flushed = impl_->flush_all();
  // Tries again: RocksDB may have stopped writing on a full disk that has space again.
  if (flushed.IsNoSpace()) {
    flushed = impl_->resume();
    if (flushed.ok()) flushed = impl_->flush_all();
  }
  if (!flushed.ok()) return to_error(flushed, "flush");
  impl_->tail.note_in_files(noted);
  return {};
}

Status RocksStore::erase_range(Family family, const KeyRange& range, WriteMode mode) {
  StoreBatch batch(*this);
  batch.impl_->batch.DeleteRange(impl_->handle(family), slice(range.first), slice(range.last))
      .PermitUncheckedError();
  return write(batch, mode);
}

// For estimates of the planner. An error must not fail a query, so it yields 0, which means unknown.
std::uint64_t RocksStore::approximate_bytes(Family family, const KeyRange& range) const {
  const std::string last = range.last.empty() ? std::string(64, '\xff') : range.last;
  const rocksdb::Range asked(slice(range.first), slice(last));
  rocksdb::SizeApproximationOptions options;
  options.include_memtables = true;
  std::uint64_t bytes = 0;
  const auto status =
      impl_->database->GetApproximateSizes(options, impl_->handle(family), &asked, 1, &bytes);
  return status.ok() ? bytes : 0;
}

std::uint64_t RocksStore::memory_bytes() const {
  return impl_->memory.cache->GetUsage();  // the write buffers are charged to it
}

void RocksStore::limit_cache(std::size_t bytes) { impl_->memory.cache->SetCapacity(bytes); }

}  // namespace cairn::engine
