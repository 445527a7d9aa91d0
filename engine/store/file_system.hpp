#pragma once
// The file system that RocksDB uses: a wrapper of another file system. Private to this folder.

#include "engine/store/log_latch.hpp"
#include "engine/store/log_room.hpp"

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace cairn::engine {

/// Creates directories with mode 0700 and files with mode 0600, whatever the umask is. It is a wrapper because a
/// setting of the process-wide Env would affect other stores in the program.
/// It also wraps logs and manifests (log_latch.hpp, log_room.hpp), reports a full disk as NoSpace (room_errors.hpp),
/// and checks the end of a table when it is opened (check_table_tail()).
/// If the directory of the database was deleted or replaced, each call by path fails with LogLatch::displacement():
/// the paths may lead into another database.
class PrivateFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  /// `waits_for_log`: commits wait for the log to be on disk, so logs are wrapped by CommitLog.
  PrivateFileSystem(std::shared_ptr<rocksdb::FileSystem> base, bool waits_for_log,
                    LogLatchPtr latch, LogRoomPtr room)
      : FileSystemWrapper(std::move(base)),
        waits_for_log_(waits_for_log),
        latch_(std::move(latch)),
        room_(std::move(room)) {}
  const char* Name() const override { return "cairn.PrivateFileSystem"; }

  using Writable = std::unique_ptr<rocksdb::FSWritableFile>;
  /// Creates a file. Errors: errors of the base; the failure of the latch, except for the message log; for a log,
  /// NoSpace if the disk has no room for the next write.
  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                    Writable* file, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus ReopenWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                       Writable* file, rocksdb::IODebugContext* debug) override;
  /// Opens a file for reading from its beginning. A manifest ends before a record that a power cut tore, see
  /// manifest_tail.hpp.
  rocksdb::IOStatus NewSequentialFile(const std::string& name, const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                      rocksdb::IODebugContext* debug) override;
  /// Opens a file for random access. Errors: errors of the base; corruption of a table file whose end is damaged.
  rocksdb::IOStatus NewRandomAccessFile(const std::string& name,
                                        const rocksdb::FileOptions& options,
                                        std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                        rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewRandomRWFile(const std::string& name, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSRandomRWFile>* file,
                                    rocksdb::IODebugContext* debug) override;
  /// Creates a MessageLog, see file_system.cpp. Never fails.
  rocksdb::IOStatus NewLogger(const std::string& name, const rocksdb::IOOptions& options,
                              std::shared_ptr<rocksdb::Logger>* logger,
                              rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus LockFile(const std::string& name, const rocksdb::IOOptions& options,
                             rocksdb::FileLock** lock, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus CreateDir(const std::string& name, const rocksdb::IOOptions& options,
                              rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus CreateDirIfMissing(const std::string& name, const rocksdb::IOOptions& options,
                                       rocksdb::IODebugContext* debug) override;

  /// If RocksDB 7.8 fails to ingest a file, it deletes the file, although its manifest may refer to it already. The
  /// store could then never be opened again. So a linked file is not deleted while the file that it was linked from
  /// exists. After a successful ingestion that file is deleted first. A link that the manifest does not refer to is
  /// deleted by the next opening. The same holds for a copy, which RocksDB makes if the file system has no links.
  rocksdb::IOStatus LinkFile(const std::string& from, const std::string& to,
                             const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& name, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;

 private:
  /// Runs `call`, which uses a path, unless the directory was deleted or replaced.
  template <class Call>
  [[nodiscard]] rocksdb::IOStatus in_place(const Call& call) const;
  /// Wraps a new log.
  [[nodiscard]] rocksdb::IOStatus begin_log(const std::string& name, Writable* file) const;

  const bool waits_for_log_;
  const LogLatchPtr latch_;
  const LogRoomPtr room_;
  std::mutex mutex_;                                // guards linked_from_
  std::map<std::string, std::string> linked_from_;  // link to its source
};

/// Compares the blocks after the data of a table file with their checksums, except the index and filters.
/// RocksDB ignores range deletions that it cannot read, with only a line in its message log. Erased keys would then
/// appear again in a scan without an error. RocksDB checks the index itself, and a lost filter costs only time.
/// Errors: corruption, which names the problem; read errors. Cost: a read of the last 4 KiB, and of each checked block
/// that begins before them.
[[nodiscard]] rocksdb::IOStatus check_table_tail(rocksdb::FSRandomAccessFile& file,
                                                 std::uint64_t file_bytes);

/// Returns an Env over `base`; nullptr is the real file system. The Env must outlive the database opened with it.
/// `latch` is notified of a failing log, `room` of each log.
[[nodiscard]] std::unique_ptr<rocksdb::Env> make_private_env(
    std::shared_ptr<rocksdb::FileSystem> base, bool waits_for_log, LogLatchPtr latch,
    LogRoomPtr room);

}  // namespace cairn::engine
