// Wrappers of logs and manifests that hide the errors of a log from RocksDB.
//
// A background flush syncs the logs that it closes. If that fails, RocksDB remembers the error in the writer of the
// log, which then refuses everything. The next flush or sync of the log syncs it once more, and an assertion of RocksDB
// fails. Only a log that never reports an error avoids this.
#include "engine/store/log_latch.hpp"

#include <unistd.h>

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

/// A log that drops writes after a failure, and always reports success.
class LatchedLog final : public FileOwner {
 public:
  LatchedLog(WritableFilePtr file, LogLatchPtr latch)
      : FileOwner(std::move(file)), latch_(std::move(latch)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    return unless_failed([&] { return FileOwner::Append(data, options, debug); });
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const DataVerificationInfo& info,
                  IODebugContext* debug) override {
    return unless_failed([&] { return FileOwner::Append(data, options, info, debug); });
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* debug) override {
    return unless_failed([&] { return FileOwner::Flush(options, debug); });
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    return unless_failed([&] { return FileOwner::Sync(options, debug); });
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return unless_failed([&] { return FileOwner::Fsync(options, debug); });
  }
  IOStatus RangeSync(std::uint64_t offset, std::uint64_t bytes, const IOOptions& options,
                     IODebugContext* debug) override {
    return unless_failed([&] { return FileOwner::RangeSync(offset, bytes, options, debug); });
  }
  // Always closes the file, because descriptors are limited.
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    const auto status = FileOwner::Close(options, debug);
    if (!status.ok()) latch_->fail(status);
    return IOStatus::OK();
  }

 private:
  /// Runs `call` unless a log has failed. An error sets the latch. Always reports success.
  template <class Call>
  IOStatus unless_failed(const Call& call) {
    if (latch_->has_failed()) return IOStatus::OK();
    const IOStatus status = call();
    if (!status.ok()) latch_->fail(status);
    return IOStatus::OK();
  }

  const LogLatchPtr latch_;
};

/// A manifest that refuses writes after a log has failed.
class LatchedManifest final : public FileOwner {
 public:
  LatchedManifest(WritableFilePtr file, LogLatchPtr latch)
      : FileOwner(std::move(file)), latch_(std::move(latch)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    const IOStatus failed = latch_->failure();
    return failed.ok() ? FileOwner::Append(data, options, debug) : failed;
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const DataVerificationInfo& info,
                  IODebugContext* debug) override {
    const IOStatus failed = latch_->failure();
    return failed.ok() ? FileOwner::Append(data, options, info, debug) : failed;
  }

 private:
  const LogLatchPtr latch_;
};

}  // namespace

IOStatus LogLatch::failure() {
  if (!has_failed_) return displacement();
  const std::lock_guard lock(mutex_);
  return failure_;
}

IOStatus LogLatch::displacement() {
  if (!place_ || place_->is_in_place()) return IOStatus::OK();
  const std::string process = "process " + std::to_string(::getpid());
  const auto gone = IOStatus::IOError("directory " + place_->directory().string() +
                                      " was deleted or replaced while " + process +
                                      " has it open; nothing more is written; end " + process +
                                      ", and restore a backup if the directory is lost");
  fail(gone);
  return gone;
}

void LogLatch::fail(const IOStatus& failure) {
  const std::lock_guard lock(mutex_);
  if (has_failed_) return;
  failure_ = failure;
  has_failed_ = true;
}

WritableFilePtr latched_log(WritableFilePtr log, LogLatchPtr latch) {
  return std::make_unique<LatchedLog>(std::move(log), std::move(latch));
}

WritableFilePtr latched_manifest(WritableFilePtr manifest, LogLatchPtr latch) {
  return std::make_unique<LatchedManifest>(std::move(manifest), std::move(latch));
}

}  // namespace cairn::engine
