#pragma once
// LogLatch: a failing log, or the loss of the directory, ends all writing to its store, but not the process. Private to
// this folder.

#include "engine/store/lock_place.hpp"

#include <rocksdb/file_system.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace cairn::engine {

/// Records whether a log of the store has failed, and how. RocksDB 7.8 with assertions, as Debian builds it, aborts
/// if it uses a log again that has reported an error. A background flush uses such a log again in any case. So the
/// wrapper of a log hides its errors from RocksDB, and sets the latch:
///
///   open --a write or sync of a log fails--> failed, until the store is opened again
///
///   failed: - later writes to logs are dropped, and RocksDB gets a success
///           - manifests refuse all writes and no file is created, so that no file refers to dropped data
///           - the store checks failure() after each write and sync, and acknowledges none
/// Threads: any.
class LogLatch {
 public:
  /// The error of the first failure; OK if no log has failed and the directory is in place.
  [[nodiscard]] rocksdb::IOStatus failure();
  /// The error if the directory of the database was deleted or replaced while the store is open: no file may be made,
  /// renamed, deleted or opened by its path any more. Sets the latch then. Cost: one call of stat().
  [[nodiscard]] rocksdb::IOStatus displacement();
  /// From now on checks that the lock of the database is in place. Call it before other threads use the latch.
  void watch(std::optional<LockPlace> place) { place_ = std::move(place); }
  [[nodiscard]] bool has_failed() const noexcept { return has_failed_; }
  /// Sets the latch. Only the first failure is stored.
  void fail(const rocksdb::IOStatus& failure);

  /// Marks that the store is being opened. Meanwhile a failing read of any file sets the latch too (file_system.cpp).
  class Recovering {
   public:
    explicit Recovering(LogLatch& latch) noexcept : latch_(latch) { latch_.is_recovering_ = true; }
    ~Recovering() { latch_.is_recovering_ = false; }
    Recovering(const Recovering&) = delete;
    Recovering& operator=(const Recovering&) = delete;

   private:
    LogLatch& latch_;
  };
  [[nodiscard]] bool is_recovering() const noexcept { return is_recovering_; }

 private:
  std::optional<LockPlace> place_;  // nullopt: nobody has locked the directory of the store
  std::atomic<bool> is_recovering_ = false;
  std::atomic<bool> has_failed_ = false;
  std::mutex mutex_;  // guards failure_
  rocksdb::IOStatus failure_;
};

using LogLatchPtr = std::shared_ptr<LogLatch>;  // owners: the file system, its files, the store
using WritableFilePtr = std::unique_ptr<rocksdb::FSWritableFile>;

/// Wraps a log. The wrapper reports no error; errors set the latch.
[[nodiscard]] WritableFilePtr latched_log(WritableFilePtr log, LogLatchPtr latch);
/// Wraps a manifest. The wrapper refuses writes after a log has failed.
[[nodiscard]] WritableFilePtr latched_manifest(WritableFilePtr manifest, LogLatchPtr latch);

}  // namespace cairn::engine
