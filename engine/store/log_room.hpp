#pragma once
// LogRoom: room on the disk for what a log is about to take. Private to this folder.

#include "engine/store/log_latch.hpp"

#include <rocksdb/file_system.h>

#include <atomic>
#include <cstdint>
#include <mutex>
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

}  // namespace cairn::engine
