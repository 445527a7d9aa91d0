#pragma once
// The file system that RocksDB sees: ours over another one. Private to this folder.

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

/// Gives directories mode 0700 and files 0600, whatever the process's umask is. A wrapper, because
/// a switch on the process-wide Env would reach other stores in the program. A table file is opened only
/// where its end is whole, see check_table_tail().
class PrivateFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  /// `waits_for_log`: commits do, so that it is a CommitLog.
  PrivateFileSystem(std::shared_ptr<rocksdb::FileSystem> base, bool waits_for_log,
                    LogLatchPtr latch, LogRoomPtr room)
      : FileSystemWrapper(std::move(base)),
        waits_for_log_(waits_for_log),
        latch_(std::move(latch)),
        room_(std::move(room)) {}
  const char* Name() const override { return "cairn.PrivateFileSystem"; }

  using Writable = std::unique_ptr<rocksdb::FSWritableFile>;
  /// Errors: also what the latch has, but for the file of messages; of a log, that there is no room for what is
  /// about to be written to it.
  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                    Writable* file, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus ReopenWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                       Writable* file, rocksdb::IODebugContext* debug) override;
  /// Of a manifest that a power cut tore, see manifest_tail.hpp.
  rocksdb::IOStatus NewSequentialFile(const std::string& name, const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                      rocksdb::IODebugContext* debug) override;
  /// Errors: corruption, also of a table file whose end is damaged.
  rocksdb::IOStatus NewRandomAccessFile(const std::string& name,
                                        const rocksdb::FileOptions& options,
                                        std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                        rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewRandomRWFile(const std::string& name, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSRandomRWFile>* file,
                                    rocksdb::IODebugContext* debug) override;
  /// A MessageLog, see file_system.cpp; it does not fail.
  rocksdb::IOStatus NewLogger(const std::string& name, const rocksdb::IOOptions& options,
                              std::shared_ptr<rocksdb::Logger>* logger,
                              rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus LockFile(const std::string& name, const rocksdb::IOOptions& options,
                             rocksdb::FileLock** lock, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus CreateDir(const std::string& name, const rocksdb::IOOptions& options,
                              rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus CreateDirIfMissing(const std::string& name, const rocksdb::IOOptions& options,
                                       rocksdb::IODebugContext* debug) override;

  /// RocksDB 7.8 deletes a file that it failed to take in, though its manifest may name the file already and
  /// could then never be opened again. Here a linked file stays while the name it was linked from is there,
  /// which goes first where all went well; one that nobody knows goes with the next opening. So does a copy,
  /// which RocksDB makes under the same name where no link can be made.
  rocksdb::IOStatus LinkFile(const std::string& from, const std::string& to,
                             const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& name, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;

 private:
  /// Prepares a log that was just made.
  [[nodiscard]] rocksdb::IOStatus begin_log(const std::string& name, Writable* file) const;

  const bool waits_for_log_;
  const LogLatchPtr latch_;
  const LogRoomPtr room_;
  std::mutex mutex_;                                // guards linked_from_
  std::map<std::string, std::string> linked_from_;  // by the name of the linked file
};

/// Compare what follows the data of a table file with its checksums, but for its index and filters.
///
/// RocksDB goes on where it cannot read the range deletions, with a line in its message log: erased keys are
/// back in a scan, which ends well. It checks the index itself, and without a filter it reads what it could have
/// passed over.
/// Errors: corruption, with what is wrong; those of reading. Cost: a read of 4 KiB, and one of each block that
/// reaches further back.
[[nodiscard]] rocksdb::IOStatus check_table_tail(rocksdb::FSRandomAccessFile& file,
                                                 std::uint64_t file_bytes);

/// An Env over `base` (null: the real file system). It must outlive the database opened with it.
/// `latch` learns of a failing log, `room` of each log.
[[nodiscard]] std::unique_ptr<rocksdb::Env> make_private_env(
    std::shared_ptr<rocksdb::FileSystem> base, bool waits_for_log, LogLatchPtr latch,
    LogRoomPtr room);

}  // namespace cairn::engine
