// Every call by which RocksDB makes a file or a directory, followed by a chmod. The mode is set
// after the file was made, so for a moment it has what the umask left; the directory above it,
// 0700, keeps others out meanwhile. Renames pass through untouched. RocksDB calls this
// from its own threads too.
//
// Whatever is opened by name is a regular file: a pipe or a device in its place would hang who opens it, and a link
// would lead writes elsewhere.
//
// A table is checked where it is opened for reading, by whomever: a query, a compaction, a verification.
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

// A read that fails while the store is opened ends the opening.
//
// RocksDB takes some such errors for damage. Where it may stop at damage in a log, it then deletes the rest of that log.
// Steps that only look do the like, as the one that decides what a torn log may drop. A disk that fails once may work
// for the next step, so that no single step can be left to notice.

namespace {

/// Notes an error of the disk while the store is opened.
IOStatus noted(IOStatus status, LogLatch& latch) {
  if (status.IsIOError() && !status.IsPathNotFound() && latch.is_recovering()) latch.fail(status);
  return status;
}

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

template <class Latched, class File>
IOStatus latch_file(IOStatus status, std::unique_ptr<File>& file, LogLatchPtr latch) {
  if (!status.ok()) return noted(std::move(status), *latch);
  file = std::make_unique<Latched>(std::move(file), std::move(latch));
  return status;
}

/// Wraps a file that is read; `status` is that of opening it. While the store is being opened, an error other than a
/// missing file fails the latch.
IOStatus latch_reading(IOStatus status, std::unique_ptr<rocksdb::FSSequentialFile>& file,
                       LogLatchPtr latch) {
  return latch_file<LatchedSequential>(std::move(status), file, std::move(latch));
}

IOStatus latch_reading(IOStatus status, std::unique_ptr<rocksdb::FSRandomAccessFile>& file,
                       LogLatchPtr latch) {
  return latch_file<LatchedRandom>(std::move(status), file, std::move(latch));
}

}  // namespace

// MessageLog: RocksDB's message log, store/LOG.

namespace {

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

/// Of now, in UTC: 2026-11-24T17:03:13.123456Z
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

/// Over a file system in memory there is no such file; that is not an error.
/// The result of chmod is not looked at: over a file system in memory it fails by nature, and over
/// a real one that refuses it the directory's mode still holds.
IOStatus with_mode(IOStatus status, const std::string& name, mode_t mode) {
  if (status.ok()) ::chmod(name.c_str(), mode);
  return status;
}

std::string_view last_part(std::string_view name) { return name.substr(name.rfind('/') + 1); }

bool is_manifest(std::string_view name) { return last_part(name).starts_with("MANIFEST-"); }

bool is_message_log(std::string_view name) { return last_part(name).starts_with("LOG"); }

/// Whether the file of this name may be opened, see regular_file.hpp. Two files that RocksDB reads whole must be short.
/// RocksDB asserts that a file which it cannot open is an error of the system; the error of a table is named by us.
IOStatus check_file(const std::string& name) {
  const std::string_view last = last_part(name);
  const bool is_short = last == "CURRENT" || last == "IDENTITY";
  const Status status = check_regular(name, is_short ? most_metadata_file_bytes : any_size);
  if (status) return IOStatus::OK();
  return name.ends_with(".sst") ? IOStatus::Corruption(status.error().message)
                                : IOStatus::IOError(status.error().message);
}

/// Made or opened by `open`, where it may be, and then of this mode.
template <class Open>
IOStatus open_with_mode(const std::string& name, mode_t mode, Open&& open) {
  const IOStatus status = check_file(name);
  return status.ok() ? with_mode(open(), name, mode) : status;
}

constexpr mode_t file_mode = 0600;
constexpr mode_t directory_mode = 0700;

}  // namespace

IOStatus PrivateFileSystem::NewWritableFile(const std::string& name, const FileOptions& options,
                                            Writable* file, IODebugContext* debug) {
  IOStatus status = is_message_log(name) ? IOStatus::OK() : latch_->failure();
  if (!status.ok()) return status;
  status = open_with_mode(name, file_mode,
                          [&] { return target()->NewWritableFile(name, options, file, debug); });
  if (!status.ok()) return as_no_space(std::move(status));
  *file = with_room_errors(std::move(*file));
  if (name.ends_with(".log")) return begin_log(name, file);
  if (is_manifest(name)) *file = latched_manifest(std::move(*file), latch_);
  return status;
}

// One without room for what it was made for is taken away again: RocksDB then goes on with the log before, or stops.
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
  IOStatus status = open_with_mode(
      name, file_mode, [&] { return target()->ReopenWritableFile(name, options, file, debug); });
  if (!status.ok()) return as_no_space(std::move(status));
  *file = with_room_errors(std::move(*file));
  return status;
}

IOStatus PrivateFileSystem::RenameFile(const std::string& from, const std::string& to,
                                       const IOOptions& options, IODebugContext* debug) {
  return as_no_space(target()->RenameFile(from, to, options, debug));
}

IOStatus PrivateFileSystem::NewRandomRWFile(const std::string& name, const FileOptions& options,
                                            std::unique_ptr<rocksdb::FSRandomRWFile>* file,
                                            IODebugContext* debug) {
  return open_with_mode(name, file_mode,
                        [&] { return target()->NewRandomRWFile(name, options, file, debug); });
}

IOStatus PrivateFileSystem::NewSequentialFile(const std::string& name, const FileOptions& options,
                                              std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                              IODebugContext* debug) {
  IOStatus status = check_file(name);
  if (status.ok()) status = target()->NewSequentialFile(name, options, file, debug);
  if (status.ok() && is_manifest(name)) status = end_before_torn_record(*target(), name, file);
  return latch_reading(std::move(status), *file, latch_);
}

IOStatus PrivateFileSystem::NewRandomAccessFile(const std::string& name, const FileOptions& options,
                                                std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                                IODebugContext* debug) {
  IOStatus status = check_file(name);
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
  return with_mode(target()->CreateDir(name, options, debug), name, directory_mode);
}

IOStatus PrivateFileSystem::CreateDirIfMissing(const std::string& name, const IOOptions& options,
                                               IODebugContext* debug) {
  return with_mode(target()->CreateDirIfMissing(name, options, debug), name, directory_mode);
}

rocksdb::IOStatus PrivateFileSystem::LinkFile(const std::string& from, const std::string& to,
                                              const rocksdb::IOOptions& options,
                                              rocksdb::IODebugContext* debug) {
  const auto status = FileSystemWrapper::LinkFile(from, to, options, debug);
  {
    const std::lock_guard lock(mutex_);
    linked_from_[to] = from;
  }
  // A file system without hard links says that it is not permitted (vfat), which RocksDB takes for a
  // failure of the disk. So it copies; where the disk does fail, that fails too.
  return status.ok() ? status : rocksdb::IOStatus::NotSupported(status.ToString());
}

rocksdb::IOStatus PrivateFileSystem::DeleteFile(const std::string& name,
                                                const rocksdb::IOOptions& options,
                                                rocksdb::IODebugContext* debug) {
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
