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
/// O_NOFOLLOW: a link in a writable directory must not lead the truncation in sign() elsewhere.
int open_file(const std::filesystem::path& file, LockFile::Sharing sharing) {
  if (sharing == LockFile::Sharing::shared) {
    constexpr int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW;
    const int there = ::open(file.c_str(), flags);
    if (there >= 0 || errno != ENOENT) return there;
    return ::open(file.c_str(), flags | O_CREAT, 0600);
  }
  return ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

}  // namespace

Result<LockFile> LockFile::take(const std::filesystem::path& file, Sharing sharing) {
  LockFile lock(open_file(file, sharing));
  if (lock.descriptor_ < 0) {
    // A copy on a medium that nobody writes to, or in a directory that we may not: whoever may has
    // made no lock, so that nobody has it open for writing.
    const bool is_unwritable = errno == EROFS || errno == EACCES;
    std::error_code problem;
    if (sharing == Sharing::shared && is_unwritable && !std::filesystem::exists(file, problem) &&
        !problem)
      return lock;
    return io_error(file, "cannot open the lock file");
  }
  const int mode = sharing == Sharing::shared ? LOCK_SH : LOCK_EX;
  // A lock of flock belongs to the open file, so that a second opening within one process is
  // refused as well; locks of fcntl would let it pass.
  if (::flock(lock.descriptor_, mode | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return busy(file, holder_of(lock.descriptor_));
    return io_error(file, "cannot lock");
  }
  // Signed twice: now with the process alone, so that a waiting person learns who it is, and again
  // when the database's id is known.
  if (sharing == Sharing::exclusive) CAIRN_TRY(lock.sign(""));
  return lock;
}

LockFile::~LockFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

// Not synced: after a crash of the machine the text means nothing.
Status LockFile::sign(const std::string& database_id) const {
  const std::string line = std::to_string(::getpid()) + " " + database_id + "\n";
  if (::ftruncate(descriptor_, 0) != 0 ||
      ::pwrite(descriptor_, line.data(), line.size(), 0) != static_cast<ssize_t>(line.size())) {
    return io_error("lock", "cannot write the lock file");
  }
  return {};
}

}  // namespace cairn::engine
