#pragma once
// EmptiedLogs: a file system in which each log exists and is empty. Private to this folder.

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <memory>
#include <string>
#include <vector>

namespace cairn::engine {

/// Makes it possible to open a store without its logs. RocksDB refuses to open a store if a log is missing that its
/// manifest lists, and aborts if that check is turned off. So each log that RocksDB may look for is simulated, with a
/// size that is large enough for any check. Read-only.
class EmptiedLogs final : public rocksdb::FileSystemWrapper {
 public:
  explicit EmptiedLogs(std::shared_ptr<rocksdb::FileSystem> base)
      : FileSystemWrapper(std::move(base)) {}
  const char* Name() const override { return "cairn.EmptiedLogs"; }

  /// Adds logs to the list: one for each number that no file has, from the first existing log to the largest number.
  /// So lost logs in between appear too.
  rocksdb::IOStatus GetChildren(const std::string& directory, const rocksdb::IOOptions& options,
                                std::vector<std::string>* names,
                                rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus GetFileSize(const std::string& name, const rocksdb::IOOptions& options,
                                std::uint64_t* bytes, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewSequentialFile(const std::string& name, const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                      rocksdb::IODebugContext* debug) override;
};

}  // namespace cairn::engine
