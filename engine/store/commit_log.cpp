// The log as a commit of some kilobytes finds it:
//
// record | record | record | zeros ......... |
//                          ^ size_           ^ zeros_end_
//
// A file that grows has its size written at every sync, which is a second wait for the disk. Appends over
// zeros that are there change bytes of the file and nothing about it.
#include "engine/store/commit_log.hpp"

#include <string>
#include <utility>

namespace cairn::engine {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

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

// A range that the file system cannot begin to write is written by the sync.
IOStatus CommitLog::appended(std::size_t bytes, const IOOptions& options, IODebugContext* debug) {
  const std::uint64_t begin = size_;
  size_ += bytes;
  if (size_ > zeros_end_ && bytes <= small_bytes && has_room_) write_ahead(options, debug);
  return RangeSync(begin, bytes, options, debug);
}

// Appends go on where the last one ended, whatever lies behind. A full disk may still have room for them.
void CommitLog::write_ahead(const IOOptions& options, IODebugContext* debug) {
  static const std::string zeros(ahead_bytes, '\0');
  const auto status = FSWritableFileOwnerWrapper::PositionedAppend(zeros, size_, options, debug);
  has_room_ = status.ok();
  if (has_room_) zeros_end_ = size_ + zeros.size();
}

// Where zeros stay they are those of a crash. Also where appends have gone beyond them: the file below counts
// what was written ahead as appended, and would be cut to that.
IOStatus CommitLog::Close(const IOOptions& options, IODebugContext* debug) {
  if (zeros_end_ > 0) Truncate(size_, options, debug).PermitUncheckedError();
  return FSWritableFileOwnerWrapper::Close(options, debug);
}

}  // namespace cairn::engine
