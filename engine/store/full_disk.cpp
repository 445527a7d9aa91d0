// The situations in which a write is refused because the disk is full, and how writing resumes:
//
// the log cannot grow            reserve() fails; nothing needs a repair. If the log would exceed the limit for the size
//                                of a file, a flush begins a new log
// a new log cannot be created    RocksDB continues with the old one; a flush that needs the new one is refused
// a background flush fails       RocksDB stops after the write that caused the flush; resume() flushes again
// the manifest cannot grow       RocksDB stops if a flush meets this; resume() begins a new manifest
//
// The number of bytes written to the log proves that a refused write has not reached the log.
#include "engine/store/full_disk.hpp"

#include "engine/store/metadata_file.hpp"
#include "engine/store/rocks_status.hpp"
#include "engine/store/rocks_store_impl.hpp"
#include "engine/store/room_errors.hpp"

namespace cairn::engine {
namespace {

using rocksdb::IOStatus;

rocksdb::Status no_room() {
  return rocksdb::Status::NoSpace("a new log or the manifest cannot be written");
}

/// What a flush writes besides the data of tables: logs, a manifest, the ends of tables.
constexpr std::uint64_t bytes_beside_tables = std::uint64_t{1} << 20;

/// Checks that the disk has space for `bytes` bytes, by allocating a temporary file. Succeeds on a file system that
/// cannot reserve space. Errors: NoSpace and other errors of the disk.
rocksdb::Status try_room(rocksdb::FileSystem& files, const std::string& name, std::uint64_t bytes) {
  std::unique_ptr<rocksdb::FSWritableFile> file;
  IOStatus status = files.NewWritableFile(name, rocksdb::FileOptions(), &file, nullptr);
  if (!status.ok()) return status;
  const bool is_too_large = bytes > most_file_bytes();  // Allocate() does not check this limit
  status =
      is_too_large ? IOStatus::NoSpace() : file->Allocate(0, bytes, rocksdb::IOOptions(), nullptr);
  file->Close(rocksdb::IOOptions(), nullptr).PermitUncheckedError();
  files.DeleteFile(name, rocksdb::IOOptions(), nullptr).PermitUncheckedError();
  if (!status.IsNoSpace()) return rocksdb::Status::OK();
  return rocksdb::Status::NoSpace("a flush of the write buffers takes up to " +
                                  std::to_string(bytes >> 20) + " MiB");
}

}  // namespace

rocksdb::Status RocksStore::Impl::flush_all() {
  const std::vector<rocksdb::ColumnFamilyHandle*> all(handles.begin(), handles.end());
  const FullDisk::Asking asking;
  // All families in one call, so that RocksDB can delete the log afterwards.
  const rocksdb::Status flushed = database->Flush(rocksdb::FlushOptions(), all);
  return flushed.ok() && asking.was_refused() ? no_room() : flushed;
}

rocksdb::Status RocksStore::Impl::resume() {
  const std::lock_guard lock(log_mutex);
  return resume_locked();
}

// RocksDB 7.8 must not resume without space. If Resume() fails for one family, the flush thread takes the next family
// from its queue, may find RocksDB stopped again, and leaves the family there. The next Resume() would wait for it
// forever.
rocksdb::Status RocksStore::Impl::try_room_for_flush() {
  std::uint64_t in_memory = 0;
  database->GetAggregatedIntProperty(rocksdb::DB::Properties::kCurSizeAllMemTables, &in_memory);
  return try_room(*env->GetFileSystem(), directory + "/room" + std::string(unfinished_suffix),
                  in_memory + bytes_beside_tables);
}

rocksdb::Status RocksStore::Impl::resume_locked() {
  if (!full_disk->has_stopped()) return rocksdb::Status::OK();
  rocksdb::Status status = try_room_for_flush();
  if (!status.ok()) return status;
  full_disk->set_stopped(false);  // set before the call, because RocksDB may stop again during it
  const FullDisk::Asking asking;
  status = database->Resume();
  if (status.ok() && asking.was_refused()) status = no_room();
  if (status.ok())
    full_disk->forget_kept_files();
  else
    full_disk->set_stopped(true);
  return status;
}

rocksdb::Status RocksStore::Impl::make_room(std::uint64_t bytes) {
  rocksdb::Status status = resume_locked();
  if (status.ok()) status = log_room->reserve(bytes);
  if (status.ok() || !log_room->is_beyond_limit(bytes)) return status;
  status = flush_all();  // begins a new log
  if (status.ok()) status = log_room->reserve(bytes);
  return status;
}

bool RocksStore::Impl::is_for_want_of_room(const rocksdb::Status& status) const {
  return status.IsNoSpace() || (!status.ok() && full_disk->has_stopped());
}

Error RocksStore::Impl::refused(const rocksdb::Status& status, std::string_view what) {
  Error error = to_error(status, what);
  error.message += "; nothing was written: make room on the disk and try again";
  return error;
}

// The manifest records which logs were synced. If only that record fails for lack of space, the logs themselves are
// synced; their directory entries still need a sync.
rocksdb::Status RocksStore::Impl::sync_logs() {
  const FullDisk::Asking asking;
  rocksdb::Status status = database->FlushWAL(true);
  if (!status.IsNoSpace() || log_latch->has_failed() || !log_room->is_synced()) return status;
  if (sync_directory(directory)) status = rocksdb::Status::OK();
  return status;
}

}  // namespace cairn::engine
