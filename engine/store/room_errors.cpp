// Recognises a quota and a file size limit by the text of the error, because RocksDB does not report errno.
#include "engine/store/room_errors.hpp"

#include <rocksdb/file_system.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
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

/// RocksDB ends its message with the text of the system for the error, in the language of the process.
bool is_about_room(const std::string& message) {
  return std::ranges::any_of(std::to_array({EDQUOT, EFBIG}),
                             [&](int error) { return message.ends_with(std::strerror(error)); });
}

/// A file that reports a quota or a size limit as NoSpace.
class RoomErrors final : public FileOwner {
 public:
  using FileOwner::FileOwner;

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    return as_no_space(FileOwner::Append(data, options, debug));
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const DataVerificationInfo& info,
                  IODebugContext* debug) override {
    return as_no_space(FileOwner::Append(data, options, info, debug));
  }
  IOStatus PositionedAppend(const Slice& data, std::uint64_t offset, const IOOptions& options,
                            IODebugContext* debug) override {
    return as_no_space(FileOwner::PositionedAppend(data, offset, options, debug));
  }
  IOStatus Allocate(std::uint64_t offset, std::uint64_t bytes, const IOOptions& options,
                    IODebugContext* debug) override {
    return as_no_space(FileOwner::Allocate(offset, bytes, options, debug));
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    return as_no_space(FileOwner::Sync(options, debug));
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return as_no_space(FileOwner::Fsync(options, debug));
  }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    return as_no_space(FileOwner::Close(options, debug));
  }
};

}  // namespace

IOStatus as_no_space(IOStatus status) {
  const bool is_other = status.ok() || !status.IsIOError() || status.IsNoSpace();
  if (is_other || status.getState() == nullptr || !is_about_room(status.getState())) return status;
  return IOStatus::NoSpace(status.getState());
}

WritableFilePtr with_room_errors(WritableFilePtr file) {
  return std::make_unique<RoomErrors>(std::move(file));
}

std::uint64_t most_file_bytes() noexcept {
  rlimit limit{};
  const bool is_limited = ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return is_limited ? limit.rlim_cur : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace cairn::engine
