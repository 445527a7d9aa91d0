#include "engine/store/latched_reading.hpp"

#include <utility>

namespace cairn::engine {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

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

}  // namespace

IOStatus latch_reading(IOStatus status, std::unique_ptr<rocksdb::FSSequentialFile>& file,
                       LogLatchPtr latch) {
  return latch_file<LatchedSequential>(std::move(status), file, std::move(latch));
}

IOStatus latch_reading(IOStatus status, std::unique_ptr<rocksdb::FSRandomAccessFile>& file,
                       LogLatchPtr latch) {
  return latch_file<LatchedRandom>(std::move(status), file, std::move(latch));
}

}  // namespace cairn::engine
