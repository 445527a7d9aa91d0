// A flush in the background syncs the logs that it closes. Where the disk fails there, RocksDB keeps the log's writer,
// which refuses everything from then on, and syncs it once more with the next flush or sync of the log: there is the
// assertion. Only a log that has given no error is safe from it.
#include "engine/store/log_latch.hpp"

#include <utility>

namespace cairn::engine {
namespace {

using rocksdb::DataVerificationInfo;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;
using FileOwner = rocksdb::FSWritableFileOwnerWrapper;

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
  // Closed in any case: descriptors are few.
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    const auto status = FileOwner::Close(options, debug);
    if (!status.ok()) latch_->fail(status);
    return IOStatus::OK();
  }

 private:
  template <class Call>
  IOStatus unless_failed(const Call& call) {
    if (latch_->has_failed()) return IOStatus::OK();
    const IOStatus status = call();
    if (!status.ok()) latch_->fail(status);
    return IOStatus::OK();
  }

  const LogLatchPtr latch_;
};

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

IOStatus LogLatch::failure() const {
  if (!has_failed_) return IOStatus::OK();
  const std::lock_guard lock(mutex_);
  return failure_;
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
