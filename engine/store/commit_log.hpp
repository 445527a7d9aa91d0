#pragma once
// CommitLog: RocksDB's log where a commit waits for it to be on the disk. Private to this folder.

#include <rocksdb/file_system.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace cairn::engine {

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
