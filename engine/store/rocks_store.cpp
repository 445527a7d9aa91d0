// Reads and writes of the open store. Ownership is the reason for most of its shape: Debian's
// librocksdb is built with assertions, and deleting a database under a live iterator, snapshot or
// handle aborts the process. So handles are closed by Impl, snapshots hold a pointer that is
// released before the store (State is a member of Core behind it), cursors are short-lived.
//
// Threads: reads from any. Writes are serialised by log_mutex, though the writer's turn makes
// nearly all of them one at a time already: trims of the vector log come from the thread that saves vector
// files.
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

std::string place(Family family) { return "family " + std::string(to_string(family)); }

// verify_checksums is on by default: each block is checked when it comes from disk, not when it is
// in the cache.
rocksdb::ReadOptions read_options(const StoreSnapshot* snapshot) {
  rocksdb::ReadOptions options;
  if (snapshot != nullptr) options.snapshot = snapshot->impl().snapshot;
  return options;
}

/// The three modes as RocksDB has them.
rocksdb::WriteOptions write_options(WriteMode mode) {
  rocksdb::WriteOptions options;
  options.sync = mode == WriteMode::sync;
  options.disableWAL = mode == WriteMode::unlogged;
  return options;
}

/// What the log takes of a batch at most: a header for each piece of a record, and the end of a block that is
/// passed over.
std::uint64_t log_bytes(const rocksdb::WriteBatch& batch) {
  constexpr std::uint64_t block_bytes = 32'768;
  constexpr std::uint64_t header_bytes = 7;
  const std::uint64_t bytes = batch.GetDataSize();
  return bytes + (bytes / (block_bytes - header_bytes) + 3) * header_bytes;
}

/// A cursor on the first key.
Cursor start(std::unique_ptr<Cursor::Impl> impl, std::string_view first) {
  Cursor cursor(std::move(impl));
  cursor.seek(first);
  return cursor;
}

}  // namespace

StoreSnapshot::StoreSnapshot(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
// A snapshot keeps compactions from dropping what it sees; the published state always holds one.
// In a forked child it is let be: a thread that the child does not have may have held RocksDB's lock.
StoreSnapshot::~StoreSnapshot() {
  if (impl_->process.is_this()) impl_->database->ReleaseSnapshot(impl_->snapshot);
}

RocksStore::RocksStore() : impl_(std::make_unique<Impl>()) {}
RocksStore::~RocksStore() = default;

SnapshotPtr RocksStore::snapshot() const {
  auto impl = std::make_unique<StoreSnapshot::Impl>();
  impl->database = impl_->database.get();
  impl->snapshot = impl_->database->GetSnapshot();
  return std::make_shared<const StoreSnapshot>(std::move(impl));
}

// A point read: memtables, then one block of each level that its filter lets through; merges
// operands of `index` and `text` on the way.
Result<RocksStore::Value> RocksStore::get(Family family, std::string_view key,
                                          const StoreSnapshot* snapshot) const {
  if (impl_->handle(family) == nullptr) return Value();  // only inspected, and not there
  std::string value;
  const rocksdb::Status status =
      impl_->database->Get(read_options(snapshot), impl_->handle(family), slice(key), &value);
  if (status.IsNotFound()) return Value();
  if (!status.ok()) return to_error(status, place(family));
  return Value(std::move(value));
}

Result<std::vector<RocksStore::Value>> RocksStore::multi_get(Family family,
                                                             std::span<const std::string> keys,
                                                             const StoreSnapshot* snapshot) const {
  // RocksDB sorts and pins all keys of one call at once; pieces keep that small.
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

Result<std::vector<RocksStore::Value>> RocksStore::multi_get_batch(
    Family family, std::span<const std::string> keys, const StoreSnapshot* snapshot) const {
  std::vector<rocksdb::Slice> slices(keys.begin(), keys.end());
  std::vector<rocksdb::PinnableSlice> found(keys.size());
  std::vector<rocksdb::Status> status(keys.size());
  impl_->database->MultiGet(read_options(snapshot), impl_->handle(family), keys.size(),
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
  rocksdb::ReadOptions options = read_options(snapshot);
  // Ranges cross prefixes, so that prefix filters must not be asked.
  options.total_order_seek = true;
  if (!range.last.empty()) options.iterate_upper_bound = &impl->bound;
  impl->iterator.reset(impl_->database->NewIterator(options, impl_->handle(family)));
  return start(std::move(impl), range.first);
}

// The filter of each file has the family's prefixes (a posting's name, a node), so a file without the
// prefix is not read. Longer prefixes (node and type) work too: the upper bound ends the scan.
Cursor RocksStore::scan_prefix(Family family, std::string_view prefix,
                               const StoreSnapshot* snapshot) const {
  auto impl = std::make_unique<Cursor::Impl>();
  impl->family = family;
  impl->last = codec::prefix_end(std::string(prefix));
  impl->bound = slice(impl->last);
  rocksdb::ReadOptions options = read_options(snapshot);
  options.prefix_same_as_start = true;
  if (!impl->last.empty()) options.iterate_upper_bound = &impl->bound;
  impl->iterator.reset(impl_->database->NewIterator(options, impl_->handle(family)));
  // The chunk 0 stands for all chunks of the posting list; see PostingPrefix in tuning.cpp.
  std::string first(prefix);
  if (family == Family::index) codec::append_chunk(first, 0);
  return start(std::move(impl), first);
}

// Atomic over all families, as they share one log. In mode `async` the log is written but not
// synced: a crash of the process loses nothing, one of the machine a suffix of the history.
//
// The last bytes of a record say whose it is (codec/commit_note.hpp), so that a foreign log and a lost one are detected.
Status RocksStore::write(StoreBatch& batch, WriteMode mode) {
  if (!impl_->ship) return write_local(batch, mode);
  const std::lock_guard one_order(impl_->ship_mutex);
  CAIRN_TRY(ship_batch(batch));
  const Status written = write_local(batch, mode);
  // It is true, and this copy lacks it: nothing may follow it here.
  return written ? written : impl_->end_writes(written.error());
}

Status RocksStore::write_local(StoreBatch& batch, WriteMode mode) {
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
  // The first batch of a new database, whose id was unknown before.
  if (!impl_->is_new) return {};
  impl_->is_new = false;
  return impl_->begin_notes(impl_->database_id(), *changes.commit);
}

bool RocksStore::has_failed() const {
  const std::lock_guard lock(impl_->log_mutex);
  return impl_->log_failure.has_value() || impl_->log_latch->has_failed();
}

Status RocksStore::sync_log() {
  const std::uint64_t logged = impl_->logged;
  CAIRN_TRY(impl_->log("sync of the log", [&] { return impl_->sync_logs(); }));
  impl_->tail.note(logged);
  return {};
}

// Memtables to files, synced: afterwards nothing depends on the log. The only way to make
// `unlogged` writes durable.
Status RocksStore::flush() {
  CAIRN_TRY(impl_->process.check());
  const std::uint64_t noted = impl_->tail.commit();
  rocksdb::Status flushed = impl_->log_latch->failure();
  if (flushed.ok()) flushed = impl_->resume();
  if (flushed.ok()) flushed = impl_->flush_all();
  // Once more, as what stopped RocksDB may have begun before there was room.
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

// For estimates of the planner: an error must not fail the query; the estimate is then unknown.
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
