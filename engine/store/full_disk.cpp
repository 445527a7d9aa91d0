// Where a write is refused for want of room, and what it takes to go on:
//
// the log cannot grow          reserve() fails; nothing to repair. One that would become larger than a file may be
//                              is closed by a flush first
// a new log cannot be made     RocksDB goes on with the one before; a flush that needs it is refused
// a flush in the background    RocksDB stops behind the write that it was for; resume() flushes again
// the manifest cannot grow     likewise where a flush meets it; resume() begins a new manifest
//
// A write that is refused has not reached the log, which its count of bytes proves.
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

/// What a flush writes beside the tables: logs, a manifest, the ends of tables.
constexpr std::uint64_t bytes_beside_tables = std::uint64_t{1} << 20;

/// Whether the disk takes so many bytes, tried with a file that goes again. One that cannot promise room is taken at
/// its word. Errors: NoSpace and others of the disk.
rocksdb::Status try_room(rocksdb::FileSystem& files, const std::string& name, std::uint64_t bytes) {
  std::unique_ptr<rocksdb::FSWritableFile> file;
  IOStatus status = files.NewWritableFile(name, rocksdb::FileOptions(), &file, nullptr);
  if (!status.ok()) return status;
  const bool is_too_large = bytes > most_file_bytes();  // Allocate() does not ask
  status =
      is_too_large ? IOStatus::NoSpace() : file->Allocate(0, bytes, rocksdb::IOOptions(), nullptr);
  file->Close(rocksdb::IOOptions(), nullptr).PermitUncheckedError();
  files.DeleteFile(name, rocksdb::IOOptions(), nullptr).PermitUncheckedError();
  if (!status.IsNoSpace()) return rocksdb::Status::OK();
  return rocksdb::Status::NoSpace("what is in memory takes up to " + std::to_string(bytes >> 20) +
                                  " MiB");
}

}  // namespace

rocksdb::Status RocksStore::Impl::flush_all() {
  const std::vector<rocksdb::ColumnFamilyHandle*> all(handles.begin(), handles.end());
  const FullDisk::Asking asking;
  // All families in one call, so that the log can be dropped as a whole.
  const rocksdb::Status flushed = database->Flush(rocksdb::FlushOptions(), all);
  return flushed.ok() && asking.was_refused() ? no_room() : flushed;
}

rocksdb::Status RocksStore::Impl::resume() {
  const std::lock_guard lock(log_mutex);
  return resume_locked();
}

// RocksDB 7.8 must not try to go on without room. When Resume() fails at one family, the thread of flushes takes the
// next one from its queue, may find RocksDB stopped again and leaves it there: the next Resume() waits for it for ever.
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
  full_disk->set_stopped(false);  // first, as RocksDB may stop again meanwhile
  const FullDisk::Asking asking;
  status = database->Resume();
  if (status.ok() && asking.was_refused()) status = no_room();
  if (!status.ok()) full_disk->set_stopped(true);
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

rocksdb::Status RocksStore::Impl::sync_logs() {
  const FullDisk::Asking asking;
  rocksdb::Status status = database->FlushWAL(true);
  if (!status.IsNoSpace() || log_latch->has_failed() || !log_room->is_synced()) return status;
  if (sync_directory(directory)) status = rocksdb::Status::OK();
  return status;
}

}  // namespace cairn::engine
