// Reserves space for a log, and writes zeros ahead in it.
//
// record | record | ......... room |
//                 ^ size           ^ room_end
//
// LogRoom reserves space by Allocate(), which does not change the size of the file, so nothing has to be cut off
// later. It reserves more than needed, so that only one commit in many has to reserve. On a disk that is almost full
// it reserves just what is needed.
#include "engine/store/log_room.hpp"

#include "engine/store/room_errors.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace cairn::engine {
namespace {

using rocksdb::DataVerificationInfo;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;
using FileOwner = rocksdb::FSWritableFileOwnerWrapper;

// The usual size of a reservation.
constexpr std::uint64_t room_ahead_bytes = std::uint64_t{1} << 20;

std::string limit_text() {
  return "this process may write files of at most " + std::to_string(most_file_bytes()) +
         " bytes (RLIMIT_FSIZE)";
}

}  // namespace

/// A log that counts its bytes, and has a reservation at its end.
class LogRoom::Log final : public FileOwner {
 public:
  Log(LogRoomPtr room, WritableFilePtr file) : FileOwner(std::move(file)), room_(std::move(room)) {}
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  ~Log() override {
    const std::lock_guard lock(room_->mutex_);
    std::erase(room_->logs_, this);
  }

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    return noted(data, FileOwner::Append(data, options, debug));
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const DataVerificationInfo& info,
                  IODebugContext* debug) override {
    return noted(data, FileOwner::Append(data, options, info, debug));
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    return synced([&] { return FileOwner::Sync(options, debug); });
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return synced([&] { return FileOwner::Fsync(options, debug); });
  }

  // RocksDB would reserve 10 to 35 MiB before the first record, which every small database would hold, and which take
  // milliseconds in a file system of memory. reserve() has reserved what the record needs.
  void PrepareWrite(std::size_t /*offset*/, std::size_t /*bytes*/, const IOOptions& /*options*/,
                    IODebugContext* /*debug*/) override {}

  /// LogRoom::reserve() for this log. The caller holds the mutex of the owner.
  IOStatus reserve(std::uint64_t bytes) {
    if (bytes == 0) return IOStatus::OK();
    if (is_beyond_limit(bytes)) return IOStatus::NoSpace("the log may not grow: " + limit_text());
    if (!can_promise_ || size_ + bytes <= room_end_) return IOStatus::OK();
    IOStatus status = allocate(std::max(bytes, room_ahead_bytes));
    if (!status.ok()) status = allocate(bytes);
    if (status.ok() || status.IsNoSpace() || room_end_ > 0) return status;
    can_promise_ = false;
    return IOStatus::OK();
  }
  /// True if the file would exceed the limit for the size of a file. Reserving space does not check this limit.
  [[nodiscard]] bool is_beyond_limit(std::uint64_t bytes) const {
    const std::uint64_t most = most_file_bytes();
    return bytes > most || size_ > most - bytes;
  }
  [[nodiscard]] bool is_synced() const { return synced_ == size_; }

 private:
  IOStatus allocate(std::uint64_t bytes) {
    const std::uint64_t begin = size_;
    const IOStatus status = target()->Allocate(begin, bytes, IOOptions(), nullptr);
    if (status.ok()) room_end_ = begin + bytes;
    return status;
  }

  // Counts a failed write too, because a part of it may be in the file.
  IOStatus noted(const Slice& data, IOStatus status) {
    size_ += data.size();
    room_->appended_ += data.size();
    return status;
  }

  /// Runs a sync, and notes which bytes it covered.
  template <class Call>
  IOStatus synced(const Call& call) {
    const std::uint64_t size = size_;
    const IOStatus status = call();
    if (status.ok()) synced_ = size;
    return status;
  }

  const LogRoomPtr room_;
  std::atomic<std::uint64_t> size_ = 0;
  std::atomic<std::uint64_t> synced_ = 0;
  std::uint64_t room_end_ = 0;  // end of the reservation
  bool can_promise_ = true;     // false if the file system cannot reserve space
};

IOStatus LogRoom::reserve(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  wanted_ = bytes;
  const IOStatus status = logs_.empty() ? IOStatus::OK() : logs_.back()->reserve(bytes);
  if (!status.ok()) wanted_ = 0;
  return status;
}

bool LogRoom::is_beyond_limit(std::uint64_t bytes) const {
  const std::lock_guard lock(mutex_);
  return !logs_.empty() && logs_.back()->is_beyond_limit(bytes);
}

void LogRoom::release() {
  const std::lock_guard lock(mutex_);
  wanted_ = 0;
}

bool LogRoom::is_synced() const {
  const std::lock_guard lock(mutex_);
  return std::ranges::all_of(logs_, [](const Log* log) { return log->is_synced(); });
}

IOStatus LogRoom::take(const LogRoomPtr& self, WritableFilePtr& log) {
  auto taken = std::make_unique<Log>(self, std::move(log));
  IOStatus status;
  {
    const std::lock_guard lock(self->mutex_);
    status = taken->reserve(std::max<std::uint64_t>(self->wanted_, 1));
    if (status.ok()) self->logs_.push_back(taken.get());
  }
  if (status.ok())
    log = std::move(taken);
  else
    taken->Close(IOOptions(), nullptr).PermitUncheckedError();
  return status;
}

// CommitLog. The log with zeros after the records:
//
// record | record | record | zeros ......... |
//                          ^ size_           ^ zeros_end_
//
// If a file grows, each sync also writes its size, which is a second wait for the disk. A write over existing zeros
// changes only bytes of the file.

IOStatus CommitLog::Append(const rocksdb::Slice& data, const IOOptions& options,
                           IODebugContext* debug) {
  auto status = FSWritableFileOwnerWrapper::Append(data, options, debug);
  return status.ok() ? appended(data.size(), options, debug) : status;
}

IOStatus CommitLog::Append(const rocksdb::Slice& data, const IOOptions& options,
                           const rocksdb::DataVerificationInfo& info, IODebugContext* debug) {
  auto status = FSWritableFileOwnerWrapper::Append(data, options, info, debug);
  return status.ok() ? appended(data.size(), options, debug) : status;
}

// If RangeSync() cannot start writing the range, the later sync writes it.
IOStatus CommitLog::appended(std::size_t bytes, const IOOptions& options, IODebugContext* debug) {
  const std::uint64_t begin = size_;
  size_ += bytes;
  if (size_ > zeros_end_ && bytes <= small_bytes && has_room_) write_ahead(options, debug);
  return RangeSync(begin, bytes, options, debug);
}

// Later appends continue at `size_` and overwrite the zeros. A disk without space for zeros may still have
// enough for appends.
void CommitLog::write_ahead(const IOOptions& options, IODebugContext* debug) {
  static const std::string zeros(ahead_bytes, '\0');
  const auto status = FSWritableFileOwnerWrapper::PositionedAppend(zeros, size_, options, debug);
  has_room_ = status.ok();
  if (has_room_) zeros_end_ = size_ + zeros.size();
}

// Cuts off the zeros. A failure leaves zeros, as a crash does. The file is cut even if appends have overwritten all
// zeros: the base class counts the zeros as appended, and would otherwise set a wrong size.
IOStatus CommitLog::Close(const IOOptions& options, IODebugContext* debug) {
  if (zeros_end_ > 0) Truncate(size_, options, debug).PermitUncheckedError();
  return FSWritableFileOwnerWrapper::Close(options, debug);
}

}  // namespace cairn::engine
