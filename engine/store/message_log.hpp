#pragma once
// MessageLog: RocksDB's message log, store/LOG. Private to this folder.

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <atomic>
#include <cstdarg>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

namespace cairn::engine {

/// A logger that a failing disk costs some messages and nothing else. RocksDB's own ends the process where its file
/// cannot be opened or written.
/// Threads: any.
class MessageLog final : public rocksdb::Logger {
 public:
  /// Begin the file `name` of `files`, which must outlive this.
  MessageLog(rocksdb::FileSystem& files, std::string name);

  using rocksdb::Logger::Logv;
  /// Write one message with the time, or drop it where the disk fails. The next one that is written says that
  /// some were dropped.
  void Logv(const char* format, std::va_list values) override;
  [[nodiscard]] std::size_t GetLogFileSize() const override { return bytes_; }

 private:
  [[nodiscard]] bool append(const std::string& line);

  rocksdb::FileSystem& files_;
  const std::string name_;
  std::atomic<std::size_t> bytes_ = 0;
  std::mutex mutex_;  // guards what follows
  std::unique_ptr<rocksdb::FSWritableFile> file_;
  std::size_t dropped_ = 0;
};

}  // namespace cairn::engine
