// flock on a file of ours, beside RocksDB's own lock: it is taken before anything else of the
// database is read, it says who holds it, and readers can share it. The system drops it with the
// process, so there are no stale locks to break; the text in the file is for messages only and
// never decides.
//
// Network file systems differ in flock: there the lock may hold within one machine alone.
#include "engine/store/lock_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace cairn::engine {
namespace {

Error io_error(const std::filesystem::path& file, const char* what) {
  return Error{ErrorCode::io_error,
               std::string(what) + " " + file.string() + ": " + std::strerror(errno),
               {}};
}

/// The process id at the front of the file, empty where no such process lives.
/// Signal 0 only asks whether the process exists; EPERM means that it does and is somebody else's.
/// A number that was given to another process meanwhile is named wrongly, in a message.
std::string holder_of(int descriptor) {
  char bytes[64];
  const ssize_t size = ::pread(descriptor, bytes, sizeof(bytes), 0);
  std::string digits;
  for (ssize_t i = 0; i < size && bytes[i] >= '0' && bytes[i] <= '9'; ++i) digits += bytes[i];
  // What a killed process left behind must not be taken for the present holder.
  const auto process = static_cast<pid_t>(std::strtol(digits.c_str(), nullptr, 10));
  const bool alive = process > 0 && (::kill(process, 0) == 0 || errno == EPERM);
  return alive ? digits : std::string();
}

/// The message names the directory, which is what a person knows the database by.
Error busy(const std::filesystem::path& file, const std::string& holder) {
  const std::string who = holder.empty() ? "another process" : "process " + holder;
  return Error{
      ErrorCode::busy,
      "database " + file.parent_path().string() + " is open in " + who + "; close it there or wait",
      {}};
}

/// Readers open what is there, and make it only for a copy that came without it.
Result<FileDescriptor> open_file(const std::filesystem::path& file, LockFile::Sharing sharing) {
  if (sharing == LockFile::Sharing::exclusive) return open_regular(file, O_RDWR | O_CREAT);
  auto there = open_regular(file, O_RDONLY);
  if (there || there.error().code != ErrorCode::not_found) return there;
  return open_regular(file, O_RDONLY | O_CREAT);
}

/// A copy on a medium that nobody writes to, or in a directory that we may not: who can write has made no lock,
/// so that nobody has it open for writing.
bool needs_none(const std::filesystem::path& file) {
  std::error_code problem;
  return !std::filesystem::exists(file, problem) && !problem &&
         ::faccessat(AT_FDCWD, file.parent_path().c_str(), W_OK, AT_EACCESS) != 0;
}

}  // namespace

Result<LockFile> LockFile::take(const std::filesystem::path& file, Sharing sharing) {
  auto opened = open_file(file, sharing);
  if (!opened && sharing == Sharing::shared && needs_none(file)) return LockFile(FileDescriptor());
  if (!opened) return opened.error();
  LockFile lock(*std::move(opened));
  const int mode = sharing == Sharing::shared ? LOCK_SH : LOCK_EX;
  // A lock of flock belongs to the open file, so that a second opening within one process is
  // refused as well; locks of fcntl would let it pass.
  if (::flock(lock.descriptor_.value(), mode | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return busy(file, holder_of(lock.descriptor_.value()));
    return io_error(file, "cannot lock");
  }
  // Signed twice: now with the process alone, so that a waiting person learns who it is, and again
  // when the database's id is known.
  if (sharing == Sharing::exclusive) CAIRN_TRY(lock.sign(""));
  return lock;
}

// Unlocked by hand: a forked child has the same open file, which would hold the lock for as long as the child lives.
// For the same reason the child must not unlock it.
LockFile::~LockFile() {
  if (descriptor_.is_open() && process_.is_this()) ::flock(descriptor_.value(), LOCK_UN);
}

// Not synced: after a crash of the machine the text means nothing.
Status LockFile::sign(const std::string& database_id) const {
  const std::string line = std::to_string(::getpid()) + " " + database_id + "\n";
  if (::ftruncate(descriptor_.value(), 0) != 0 ||
      ::pwrite(descriptor_.value(), line.data(), line.size(), 0) !=
          static_cast<ssize_t>(line.size())) {
    return io_error("lock", "cannot write the lock file");
  }
  return {};
}

}  // namespace cairn::engine
