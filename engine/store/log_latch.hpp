#pragma once
// LogLatch: a failing log ends all writing of its store, and does not end the process. Private to this folder.

#include <rocksdb/file_system.h>

#include <atomic>
#include <memory>
#include <mutex>

namespace cairn::engine {

/// Whether a log of the store has failed, and how. RocksDB 7.8 with assertions, as Debian builds it, aborts where a
/// log is used again that has given it an error, and a flush in the background does so whatever the store does. So a
/// log that fails gives RocksDB no error. Instead:
///
///   open --a call of a log that is written fails--> failed, which stays until the store is opened again
///
///   failed: - what is still written to a log is dropped, and RocksDB gets a success
///           - manifests take nothing and no file is made, so that nothing on the disk ever speaks of what was dropped
///           - the store asks failure() behind each write and sync, and never acknowledges one
/// Threads: any.
class LogLatch {
 public:
  /// OK while none has failed.
  [[nodiscard]] rocksdb::IOStatus failure() const;
  [[nodiscard]] bool has_failed() const noexcept { return has_failed_; }
  /// The first failure counts.
  void fail(const rocksdb::IOStatus& failure);

  /// While it lives the store is opened: a read of any file that fails fails the latch too (file_system.cpp).
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
  std::atomic<bool> is_recovering_ = false;
  std::atomic<bool> has_failed_ = false;
  mutable std::mutex mutex_;  // guards failure_
  rocksdb::IOStatus failure_;
};

using LogLatchPtr = std::shared_ptr<LogLatch>;  // owners: the file system, its files, the store
using WritableFilePtr = std::unique_ptr<rocksdb::FSWritableFile>;

/// A log that gives no error; the latch has it.
[[nodiscard]] WritableFilePtr latched_log(WritableFilePtr log, LogLatchPtr latch);
/// A manifest that takes nothing any more once a log has failed.
[[nodiscard]] WritableFilePtr latched_manifest(WritableFilePtr manifest, LogLatchPtr latch);

}  // namespace cairn::engine
