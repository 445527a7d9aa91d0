#pragma once
// Space at the end of RocksDB's log, prepared before records are written. LogRoom reserves disk space, so that a full
// disk refuses a write before any of it is written. CommitLog writes zeros, so that a sync need not write the size of
// the file. Private to this folder.

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

/// Reserves space in the log before a write, so that a full disk refuses the write as a whole: a log that failed
/// could not be written again. If a file system cannot reserve space, the write is attempted without a reservation.
/// Threads: any.
class LogRoom {
 public:
  /// Reserves space for `bytes` more in the current log. RocksDB may begin a new log during the write. Until
  /// release(), a new log is only created with the same reservation.
  /// Errors: NoSpace and other errors of the disk. Nothing was written then.
  [[nodiscard]] rocksdb::IOStatus reserve(std::uint64_t bytes);
  /// True if the current log would exceed the limit of the process for the size of a file. A new log helps.
  [[nodiscard]] bool is_beyond_limit(std::uint64_t bytes) const;
  /// Ends the reservation, after the write was made or abandoned.
  void release();

  /// The bytes that were written to logs so far.
  [[nodiscard]] std::uint64_t appended() const noexcept { return appended_; }
  /// True if all bytes of the open logs were synced.
  [[nodiscard]] bool is_synced() const;

  /// Wraps a new log, which is the current one from now on. `self` owns this object.
  /// Errors: as reserve(). The log is closed then.
  [[nodiscard]] static rocksdb::IOStatus take(const std::shared_ptr<LogRoom>& self,
                                              WritableFilePtr& log);

 private:
  class Log;

  mutable std::mutex mutex_;  // guards what follows
  std::vector<Log*> logs_;    // the open logs; the last one is the current one
  std::uint64_t wanted_ = 0;  // the reservation that a new log needs too
  std::atomic<std::uint64_t> appended_ = 0;
};

using LogRoomPtr = std::shared_ptr<LogRoom>;  // owners: the file system, its logs, the store

/// A log of a store whose commits wait until the log is on disk. After each append the system begins to write it to the
/// disk at once, while the program continues. Only Sync() guarantees that the bytes are on disk. Zeros are written
/// ahead of small appends, so that most appends do not change the size of the file. A sync then writes only the bytes.
/// Close() cuts the zeros off. After a crash the file ends in zeros, which RocksDB and inspect_log() ignore.
class CommitLog final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  static constexpr std::size_t ahead_bytes = 128 * 1024;
  /// For larger appends, the cost of a sync is dominated by their bytes.
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
  /// Accounts for an append, writes zeros ahead if needed, and starts writing the bytes to the disk.
  rocksdb::IOStatus appended(std::size_t bytes, const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* debug);
  /// Writes zeros after the last append.
  void write_ahead(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug);

  std::uint64_t size_ = 0;       // size of all appends
  std::uint64_t zeros_end_ = 0;  // end of the zeros; 0 if none were written
  bool has_room_ = true;         // false after zeros could not be written
};

}  // namespace cairn::engine
