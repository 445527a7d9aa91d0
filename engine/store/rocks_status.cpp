// RocksDB's statuses as error codes. The order of the questions counts: RocksDB says "no space" and
// "memory limit" by a sub-code of other statuses, so they are asked before the general answer,
// io_error. Nothing maps to invalid_argument: callers of the store are ours, and what RocksDB calls
// so (a family that is missing, an option that does not fit) is about its files.
#include "engine/store/rocks_status.hpp"

#include <rocksdb/status.h>

#include <string>
#include <utility>

namespace cairn::engine {
namespace {

/// What a program can do about it; the text stays RocksDB's.
ErrorCode code_of(const rocksdb::Status& status) {
  // A missing file is not a failure of the disk.
  if (status.IsCorruption() || status.IsPathNotFound()) return ErrorCode::corruption;
  if (status.IsNoSpace() || status.IsMemoryLimit()) return ErrorCode::resource_limit;
  if (status.IsBusy() || status.IsTimedOut() || status.IsTryAgain()) return ErrorCode::busy;
  if (status.IsNotFound()) return ErrorCode::not_found;
  if (status.IsNotSupported()) return ErrorCode::unsupported;
  if (status.IsInvalidArgument()) return ErrorCode::corruption;  // files that contradict each other
  return ErrorCode::io_error;
}

/// RocksDB's words for a log that its manifest lists, and that is missing or has been cut.
bool is_about_log(const std::string& message) {
  return message.find("Missing WAL") != std::string::npos ||
         message.find("Size mismatch: WAL") != std::string::npos;
}

}  // namespace

Error to_error(const rocksdb::Status& status, std::string_view place) {
  std::string message = std::string(place) + ": " + status.ToString();
  while (message.back() == '\n') message.pop_back();  // some of RocksDB's texts end a line
  if (status.IsCorruption() && is_about_log(message))
    message += "; put this log (NUMBER.log) back if it was moved, or restore a backup";
  else if (status.IsCorruption())
    message += "; `cairn check` tells which files are damaged";
  return Error{code_of(status), std::move(message), {}};
}

}  // namespace cairn::engine
