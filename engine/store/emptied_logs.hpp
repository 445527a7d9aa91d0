#pragma once
// EmptiedLogs: a file system in which every log exists and is empty. Private to this folder.

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <memory>
#include <string>
#include <vector>

namespace cairn::engine {

/// Shows what a store has in its tables alone. RocksDB refuses to open a store that lacks a log which its manifest
/// lists, and aborts if that check is turned off. So each log that it may ask for is shown, with any size.
/// Read-only.
class EmptiedLogs final : public rocksdb::FileSystemWrapper {
 public:
  explicit EmptiedLogs(std::shared_ptr<rocksdb::FileSystem> base)
      : FileSystemWrapper(std::move(base)) {}
  const char* Name() const override { return "cairn.EmptiedLogs"; }

  /// With a log of each number that no other file has, from the first log up to the largest number: one that is
  /// lost among them is shown as well.
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
