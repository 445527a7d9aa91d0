// Where a write is refused for want of room, and what it takes to go on:
//
// the log cannot grow          reserve() fails; nothing to mend
// a new log cannot be made     RocksDB goes on with the one before; a flush that needs it is refused
// a flush in the background    RocksDB stops behind the write that it was for; resume() flushes again
// the manifest cannot grow     likewise where a flush meets it; resume() begins a new manifest
//
// A write that is refused has not reached the log, which its count of bytes proves.
#include "engine/store/full_disk.hpp"

#include "engine/store/rocks_status.hpp"
#include "engine/store/rocks_store_impl.hpp"
#include "engine/store/side_file.hpp"

namespace cairn::engine {
namespace {

rocksdb::Status no_room() {
  return rocksdb::Status::NoSpace("a new log or the manifest cannot be written");
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

rocksdb::Status RocksStore::Impl::resume_locked() {
  if (!full_disk->has_stopped()) return rocksdb::Status::OK();
  full_disk->set_stopped(false);  // first, as RocksDB may stop again meanwhile
  const FullDisk::Asking asking;
  rocksdb::Status status = database->Resume();
  if (status.ok() && asking.was_refused()) status = no_room();
  if (!status.ok()) full_disk->set_stopped(true);
  return status;
}

rocksdb::Status RocksStore::Impl::make_room(std::uint64_t bytes) {
  rocksdb::Status status = resume_locked();
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
