// Wraps each call by which RocksDB creates or opens a file.
//
// Modes are set by chmod() after the creation, so for a moment a file has the mode that the umask left. The directory
// above it has mode 0700 and keeps other users out meanwhile.
//
// Only regular files are opened: a pipe or a device could block the caller, and a link could redirect writes. The end
// of a table is checked whenever it is opened for reading: by a query, a compaction, or a verification.
//
// RocksDB calls these functions from its own threads too.
#include "engine/store/file_system.hpp"

#include "engine/store/log_latch.hpp"
#include "engine/store/manifest_tail.hpp"
#include "engine/store/metadata_file.hpp"
#include "engine/store/room_errors.hpp"
#include "engine/system/regular_file.hpp"

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace cairn::engine {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

}  // namespace

// Reading. A read that fails while the store is opened makes the opening fail.
//
// RocksDB takes some read errors for damage. In a mode that may stop at damage in a log, it then deletes the rest of
// that log. Other steps of an opening, such as deciding what may be dropped from a torn log, could also draw wrong
// conclusions. A disk may fail once and work again in the next step, so it does not suffice to check a single step.

namespace {

/// Sets the latch if a read fails while the store is opened.
IOStatus noted(IOStatus status, LogLatch& latch) {
  if (status.IsIOError() && !status.IsPathNotFound() && latch.is_recovering()) latch.fail(status);
  return status;
}

/// A file that is read from its beginning, for instance a log.
class LatchedSequential final : public rocksdb::FSSequentialFileOwnerWrapper {
 public:
  LatchedSequential(std::unique_ptr<rocksdb::FSSequentialFile> file, LogLatchPtr latch)
      : FSSequentialFileOwnerWrapper(std::move(file)), latch_(std::move(latch)) {}

  IOStatus Read(std::size_t bytes, const IOOptions& options, Slice* result, char* scratch,
                IODebugContext* debug) override {
    return noted(FSSequentialFileOwnerWrapper::Read(bytes, options, result, scratch, debug),
                 *latch_);
  }
  IOStatus PositionedRead(std::uint64_t offset, std::size_t bytes, const IOOptions& options,
                          Slice* result, char* scratch, IODebugContext* debug) override {
    return noted(FSSequentialFileOwnerWrapper::PositionedRead(offset, bytes, options, result,
                                                              scratch, debug),
                 *latch_);
  }

 private:
  const LogLatchPtr latch_;
};

/// A file with random access, for instance a table.
class LatchedRandom final : public rocksdb::FSRandomAccessFileOwnerWrapper {
 public:
  LatchedRandom(std::unique_ptr<rocksdb::FSRandomAccessFile> file, LogLatchPtr latch)
      : FSRandomAccessFileOwnerWrapper(std::move(file)), latch_(std::move(latch)) {}

  IOStatus Read(std::uint64_t offset, std::size_t bytes, const IOOptions& options, Slice* result,
                char* scratch, IODebugContext* debug) const override {
    return noted(
        FSRandomAccessFileOwnerWrapper::Read(offset, bytes, options, result, scratch, debug),
        *latch_);
  }
  IOStatus MultiRead(rocksdb::FSReadRequest* requests, std::size_t count, const IOOptions& options,
                     IODebugContext* debug) override {
    const IOStatus status =
        FSRandomAccessFileOwnerWrapper::MultiRead(requests, count, options, debug);
    for (std::size_t i = 0; i < count; ++i)
      noted(requests[i].status, *latch_).PermitUncheckedError();
    return noted(status, *latch_);
  }

 private:
  const LogLatchPtr latch_;
};

/// Wraps an opened file, or notes the error of opening it.
template <class Latched, class File>
IOStatus latch_file(IOStatus status, std::unique_ptr<File>& file, LogLatchPtr latch) {
  if (!status.ok()) return noted(std::move(status), *latch);
  file = std::make_unique<Latched>(std::move(file), std::move(latch));
  return status;
}

/// Wraps a file for reading; `status` is the result of opening it. While the store is opened, an error other than a
/// missing file sets the latch.
IOStatus latch_reading(IOStatus status, std::unique_ptr<rocksdb::FSSequentialFile>& file,
                       LogLatchPtr latch) {
  return latch_file<LatchedSequential>(std::move(status), file, std::move(latch));
}

IOStatus latch_reading(IOStatus status, std::unique_ptr<rocksdb::FSRandomAccessFile>& file,
                       LogLatchPtr latch) {
  return latch_file<LatchedRandom>(std::move(status), file, std::move(latch));
}

}  // namespace

// MessageLog: writes RocksDB's message log, store/LOG.

namespace {

/// A logger that drops messages if the disk fails. RocksDB's own logger ends the process if its file cannot be opened
/// or written. Threads: any.
class MessageLog final : public rocksdb::Logger {
 public:
  /// Creates the file `name` in `files`, which must outlive the logger.
  MessageLog(rocksdb::FileSystem& files, std::string name);

  using rocksdb::Logger::Logv;
  /// Writes a message with the time, or drops it if the disk fails. The next message that succeeds reports how many
  /// were dropped.
  void Logv(const char* format, std::va_list values) override;
  [[nodiscard]] std::size_t GetLogFileSize() const override { return bytes_; }

 private:
  /// Appends a line. After an error, reopens the file at the next call.
  [[nodiscard]] bool append(const std::string& line);

  rocksdb::FileSystem& files_;
  const std::string name_;
  std::atomic<std::size_t> bytes_ = 0;
  std::mutex mutex_;  // guards what follows
  std::unique_ptr<rocksdb::FSWritableFile> file_;
  std::size_t dropped_ = 0;
};

/// The current time in UTC, for example 2026-11-24T17:03:13.123456Z
std::string time_text() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto micros =
      std::chrono::duration_cast<std::chrono::microseconds>(now.time_since_epoch()).count();
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[64];
  std::size_t size = std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &parts);
  size += static_cast<std::size_t>(std::snprintf(text + size, sizeof(text) - size, ".%06dZ",
                                                 static_cast<int>(micros % 1'000'000)));
  return {text, size};
}

/// The message that printf() would print.
std::string formatted(const char* format, std::va_list values) {
  std::va_list again;
  va_copy(again, values);
  const int size = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  if (size <= 0) return {};
  std::string text(static_cast<std::size_t>(size) + 1, '\0');
  std::vsnprintf(text.data(), text.size(), format, values);
  text.pop_back();
  return text;
}

MessageLog::MessageLog(rocksdb::FileSystem& files, std::string name)
    : files_(files), name_(std::move(name)) {
  files_.NewWritableFile(name_, FileOptions(), &file_, nullptr).PermitUncheckedError();
}

// A message that cannot be written, as on a full disk, is counted, and the next one that can be
// written says how many are missing.
void MessageLog::Logv(const char* format, std::va_list values) {
  std::string line = time_text().append(" ").append(formatted(format, values));
  if (!line.ends_with('\n')) line.push_back('\n');
  const std::lock_guard lock(mutex_);
  if (dropped_ != 0)
    line.insert(0, std::to_string(dropped_).append(" messages were dropped: no write succeeded\n"));
  dropped_ = append(line) ? 0 : dropped_ + 1;
}

bool MessageLog::append(const std::string& line) {
  if (file_ == nullptr && !files_.ReopenWritableFile(name_, FileOptions(), &file_, nullptr).ok())
    return false;
  if (!file_->Append(line, IOOptions(), nullptr).ok()) {
    file_.reset();
    return false;
  }
  bytes_ += line.size();
  return true;
}

}  // namespace

namespace {

/// Sets the mode of a file. The result of chmod() is ignored: a file system in memory has no such file, and on a real
/// one the mode of the directory still protects the file.
IOStatus with_mode(IOStatus status, const std::string& name, mode_t mode) {
  if (status.ok()) ::chmod(name.c_str(), mode);
  return status;
}

std::string_view last_part(std::string_view name) { return name.substr(name.rfind('/') + 1); }

bool is_manifest(std::string_view name) { return last_part(name).starts_with("MANIFEST-"); }

bool is_message_log(std::string_view name) { return last_part(name).starts_with("LOG"); }

/// Checks that the path is absent or a regular file, see regular_file.hpp. RocksDB reads two files completely, so
/// these must be small. The error is an I/O error, because RocksDB asserts this kind of error for a file that it cannot
/// open; for a table it is corruption.
IOStatus check_file(const std::string& name) {
  const std::string_view last = last_part(name);
  const bool is_short = last == "CURRENT" || last == "IDENTITY";
  const Status status = check_regular(name, is_short ? most_metadata_file_bytes : any_size);
  if (status) return IOStatus::OK();
  return name.ends_with(".sst") ? IOStatus::Corruption(status.error().message)
                                : IOStatus::IOError(status.error().message);
}

/// Creates or opens a file by `open` if that is permitted, and sets its mode.
template <class Open>
IOStatus open_with_mode(const std::string& name, mode_t mode, Open&& open) {
  const IOStatus status = check_file(name);
  return status.ok() ? with_mode(open(), name, mode) : status;
}

constexpr mode_t file_mode = 0600;
constexpr mode_t directory_mode = 0700;

}  // namespace

template <class Call>
IOStatus PrivateFileSystem::in_place(const Call& call) const {
  IOStatus status = latch_->displacement();
  return status.ok() ? call() : status;
}

IOStatus PrivateFileSystem::NewWritableFile(const std::string& name, const FileOptions& options,
                                            Writable* file, IODebugContext* debug) {
  IOStatus status = is_message_log(name) ? latch_->displacement() : latch_->failure();
  if (!status.ok()) return status;
  status = open_with_mode(name, file_mode,
                          [&] { return target()->NewWritableFile(name, options, file, debug); });
  if (!status.ok()) return as_no_space(std::move(status));
  *file = with_room_errors(std::move(*file));
  if (name.ends_with(".log")) return begin_log(name, file);
  if (is_manifest(name)) *file = latched_manifest(std::move(*file), latch_);
  return status;
}

// A log without enough space is deleted again. RocksDB then continues with the previous log, or stops.
IOStatus PrivateFileSystem::begin_log(const std::string& name, Writable* file) const {
  const IOStatus status = LogRoom::take(room_, *file);
  if (!status.ok()) {
    target()->DeleteFile(name, IOOptions(), nullptr).PermitUncheckedError();
    return status;
  }
  if (waits_for_log_) *file = std::make_unique<CommitLog>(std::move(*file));
  *file = latched_log(std::move(*file), latch_);
  return status;
}

IOStatus PrivateFileSystem::ReopenWritableFile(const std::string& name, const FileOptions& options,
                                               Writable* file, IODebugContext* debug) {
  IOStatus status = in_place([&] {
    return open_with_mode(name, file_mode,
                          [&] { return target()->ReopenWritableFile(name, options, file, debug); });
  });
  if (!status.ok()) return as_no_space(std::move(status));
  *file = with_room_errors(std::move(*file));
  return status;
}

IOStatus PrivateFileSystem::RenameFile(const std::string& from, const std::string& to,
                                       const IOOptions& options, IODebugContext* debug) {
  return as_no_space(in_place([&] { return target()->RenameFile(from, to, options, debug); }));
}

IOStatus PrivateFileSystem::NewRandomRWFile(const std::string& name, const FileOptions& options,
                                            std::unique_ptr<rocksdb::FSRandomRWFile>* file,
                                            IODebugContext* debug) {
  return in_place([&] {
    return open_with_mode(name, file_mode,
                          [&] { return target()->NewRandomRWFile(name, options, file, debug); });
  });
}

IOStatus PrivateFileSystem::NewSequentialFile(const std::string& name, const FileOptions& options,
                                              std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                              IODebugContext* debug) {
  IOStatus status = in_place([&] { return check_file(name); });
  if (status.ok()) status = target()->NewSequentialFile(name, options, file, debug);
  if (status.ok() && is_manifest(name)) status = end_before_torn_record(*target(), name, file);
  return latch_reading(std::move(status), *file, latch_);
}

IOStatus PrivateFileSystem::NewRandomAccessFile(const std::string& name, const FileOptions& options,
                                                std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                                IODebugContext* debug) {
  IOStatus status = in_place([&] { return check_file(name); });
  if (status.ok()) status = target()->NewRandomAccessFile(name, options, file, debug);
  status = latch_reading(std::move(status), *file, latch_);
  if (!status.ok() || !name.ends_with(".sst")) return status;
  std::uint64_t bytes = 0;
  status = target()->GetFileSize(name, IOOptions(), &bytes, debug);
  if (status.ok()) status = check_table_tail(**file, bytes);
  if (!status.ok()) file->reset();
  const bool is_told = status.IsCorruption() && status.getState() != nullptr;
  return is_told ? IOStatus::Corruption(name, status.getState()) : status;
}

IOStatus PrivateFileSystem::NewLogger(const std::string& name, const IOOptions& /*options*/,
                                      std::shared_ptr<rocksdb::Logger>* logger,
                                      IODebugContext* /*debug*/) {
  *logger = std::make_shared<MessageLog>(*this, name);
  return IOStatus::OK();
}

IOStatus PrivateFileSystem::LockFile(const std::string& name, const IOOptions& options,
                                     rocksdb::FileLock** lock, IODebugContext* debug) {
  return open_with_mode(name, file_mode,
                        [&] { return target()->LockFile(name, options, lock, debug); });
}

IOStatus PrivateFileSystem::CreateDir(const std::string& name, const IOOptions& options,
                                      IODebugContext* debug) {
  return in_place(
      [&] { return with_mode(target()->CreateDir(name, options, debug), name, directory_mode); });
}

IOStatus PrivateFileSystem::CreateDirIfMissing(const std::string& name, const IOOptions& options,
                                               IODebugContext* debug) {
  return in_place([&] {
    return with_mode(target()->CreateDirIfMissing(name, options, debug), name, directory_mode);
  });
}

rocksdb::IOStatus PrivateFileSystem::LinkFile(const std::string& from, const std::string& to,
                                              const rocksdb::IOOptions& options,
                                              rocksdb::IODebugContext* debug) {
  if (auto displaced = latch_->displacement(); !displaced.ok()) return displaced;
  const auto status = FileSystemWrapper::LinkFile(from, to, options, debug);
  {
    const std::lock_guard lock(mutex_);
    linked_from_[to] = from;
  }
  // A file system without hard links (vfat) returns "not permitted", which RocksDB takes for a disk failure.
  // NotSupported makes RocksDB copy the file instead. If the disk really fails, the copy fails too.
  return status.ok() ? status : rocksdb::IOStatus::NotSupported(status.ToString());
}

rocksdb::IOStatus PrivateFileSystem::DeleteFile(const std::string& name,
                                                const rocksdb::IOOptions& options,
                                                rocksdb::IODebugContext* debug) {
  if (auto displaced = latch_->displacement(); !displaced.ok()) return displaced;
  {
    const std::lock_guard lock(mutex_);
    if (linked_from_.contains(name)) return rocksdb::IOStatus::OK();
    std::erase_if(linked_from_, [&](const auto& link) { return link.second == name; });
  }
  return FileSystemWrapper::DeleteFile(name, options, debug);
}

std::unique_ptr<rocksdb::Env> make_private_env(std::shared_ptr<rocksdb::FileSystem> base,
                                               bool waits_for_log, LogLatchPtr latch,
                                               LogRoomPtr room) {
  if (base == nullptr) base = rocksdb::FileSystem::Default();
  return rocksdb::NewCompositeEnv(std::make_shared<PrivateFileSystem>(
      std::move(base), waits_for_log, std::move(latch), std::move(room)));
}

}  // namespace cairn::engine
