#pragma once
// What is prepared in a log of RocksDB ahead of the records: LogRoom reserves disk space, so that a full disk refuses a write
// before any of it is written; CommitLog writes zeros, so that a sync need not write the file's size. Private to this folder.

#include "engine/store/log_latch.hpp"

#include <rocksdb/file_system.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace cairn::engine {

/// Promises room in the log before anything is written to it, so that a full disk refuses a write whole: a log that
/// failed could not be written again. A file system that cannot promise room is taken at its word when it is written.
/// Threads: any.
class LogRoom {
 public:
  /// Room for `bytes` more in the log that is written now. A log that is begun before release() is made with as
  /// much, or not at all: a write may change to a new one.
  /// Errors: NoSpace and others of the disk; nothing was written.
  [[nodiscard]] rocksdb::IOStatus reserve(std::uint64_t bytes);
  /// Whether the log that is written now would become larger than this process may make a file; a new one helps.
  [[nodiscard]] bool is_beyond_limit(std::uint64_t bytes) const;
  /// What the room was for is written, or will not be.
  void release();

  /// What logs took so far, in bytes.
  [[nodiscard]] std::uint64_t appended() const noexcept { return appended_; }
  /// Whether all of that is on the disk, as far as logs are open.
  [[nodiscard]] bool is_synced() const;

  /// A log that was just made is the one that is written from now on. `self` is the owner of this.
  /// Errors: those of reserve(); `log` is closed then.
  [[nodiscard]] static rocksdb::IOStatus take(const std::shared_ptr<LogRoom>& self,
                                              WritableFilePtr& log);

 private:
  class Log;

  mutable std::mutex mutex_;  // guards what follows
  std::vector<Log*> logs_;    // that are open; the last one is written
  std::uint64_t wanted_ = 0;
  std::atomic<std::uint64_t> appended_ = 0;
};

using LogRoomPtr = std::shared_ptr<LogRoom>;  // owners: the file system, its logs, the store

/// A new, append-only file. The system starts to write each append to the disk at once, while the program
/// goes on; only Sync() guarantees that it is there. Zeros are written ahead of small
/// appends, so that most of them change no size: a sync then writes the bytes alone. Close() cuts them off;
/// after a crash the file ends in some, which RocksDB skips and inspect_log() knows.
class CommitLog final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  static constexpr std::size_t ahead_bytes = 128 * 1024;
  /// For larger appends the cost of a sync is that of writing their bytes.
  static constexpr std::size_t small_bytes = ahead_bytes / 8;

  explicit CommitLog(std::unique_ptr<rocksdb::FSWritableFile> file)
      : FSWritableFileOwnerWrapper(std::move(file)) {}

  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           const rocksdb::DataVerificationInfo& info,
                           rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus Close(const rocksdb::IOOptions& options,
                          rocksdb::IODebugContext* debug) override;

 private:
  rocksdb::IOStatus appended(std::size_t bytes, const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* debug);
  void write_ahead(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug);

  std::uint64_t size_ = 0;       // of what was appended
  std::uint64_t zeros_end_ = 0;  // of the file, where it is longer
  bool has_room_ = true;         // false: zeros could not be written
};

}  // namespace cairn::engine
