// Converts statuses of RocksDB to error codes. The order of the checks matters: RocksDB reports "no space" and
// "memory limit" as sub-codes of other statuses, so they are checked before io_error. No status becomes
// invalid_argument: the callers of the store are our own code, and what RocksDB calls an invalid argument (a missing
// family, an unsuitable option) is a problem of its files.
#include "engine/store/rocks_status.hpp"

#include <rocksdb/status.h>

#include <string>
#include <utility>

namespace cairn::engine {
namespace {

/// The error code, which a program uses to decide what to do. The text is that of RocksDB.
ErrorCode code_of(const rocksdb::Status& status) {
  // A missing file is damage of the store, not a failure of the disk.
  if (status.IsCorruption() || status.IsPathNotFound()) return ErrorCode::corruption;
  if (status.IsNoSpace() || status.IsMemoryLimit()) return ErrorCode::resource_limit;
  if (status.IsBusy() || status.IsTimedOut() || status.IsTryAgain()) return ErrorCode::busy;
  if (status.IsNotFound()) return ErrorCode::not_found;
  if (status.IsNotSupported()) return ErrorCode::unsupported;
  if (status.IsInvalidArgument()) return ErrorCode::corruption;  // files that contradict each other
  return ErrorCode::io_error;
}

/// True for the messages about a log that the manifest lists and that is missing or cut.
bool is_about_log(const std::string& message) {
  return message.find("Missing WAL") != std::string::npos ||
         message.find("Size mismatch: WAL") != std::string::npos;
}

}  // namespace

Error to_error(const rocksdb::Status& status, std::string_view place) {
  std::string message = std::string(place) + ": " + status.ToString();
  while (message.back() == '\n') message.pop_back();  // some texts of RocksDB end with a line break
  if (status.IsCorruption() && is_about_log(message))
    message += "; put this log (NUMBER.log) back if it was moved, or restore a backup";
  else if (status.IsCorruption())
    message += "; `cairn check` shows which files are damaged";
  return Error{code_of(status), std::move(message), {}};
}

}  // namespace cairn::engine
