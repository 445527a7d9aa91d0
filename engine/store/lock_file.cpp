// flock() on a file of our own, in addition to RocksDB's lock. Our lock is taken before any file of the database is
// read, its file names the holder, and readers can share it. The system releases it with the process, so no stale
// lock remains. The text in the file is only used in messages, and never decides anything. A text without the id of the
// database means that the holder is opening or closing the database.
//
// Network file systems implement flock() differently. On some, the lock holds only within one machine.
#include "engine/store/lock_file.hpp"

#include "engine/store/lock_place.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

namespace cairn::engine {
namespace {

Error io_error(const std::filesystem::path& file, const char* what) {
  return Error{ErrorCode::io_error,
               std::string(what) + " " + file.string() + ": " + std::strerror(errno),
               {}};
}

/// Returns the process id at the beginning of the file; empty if no such process lives.
/// Signal 0 only checks that the process exists. EPERM means that it exists and belongs to another user. If the id
/// was reused by another process, the message names a wrong process.
std::string holder_of(int descriptor) {
  char bytes[64];
  const ssize_t size = ::pread(descriptor, bytes, sizeof(bytes), 0);
  std::string digits;
  for (ssize_t i = 0; i < size && bytes[i] >= '0' && bytes[i] <= '9'; ++i) digits += bytes[i];
  // The id that a killed process left must not be reported as the current holder.
  const auto process = static_cast<pid_t>(std::strtol(digits.c_str(), nullptr, 10));
  const bool alive = process > 0 && (::kill(process, 0) == 0 || errno == EPERM);
  return alive ? digits : std::string();
}

/// The message names the directory, because that is the name by which users know the database.
Error busy(const std::filesystem::path& file, const std::string& holder) {
  const std::string who = holder.empty() ? "another process" : "process " + holder;
  return Error{
      ErrorCode::busy,
      "database " + file.parent_path().string() + " is open in " + who + "; close it there or wait",
      {}};
}

/// Readers open the existing file. They create it only in a copy of a database that lacks it.
Result<FileDescriptor> open_file(const std::filesystem::path& file, LockFile::Sharing sharing) {
  if (sharing == LockFile::Sharing::exclusive) return open_regular(file, O_RDWR | O_CREAT);
  auto there = open_regular(file, O_RDONLY);
  if (there || there.error().code != ErrorCode::not_found) return there;
  return open_regular(file, O_RDONLY | O_CREAT);
}

/// True if the directory of the database has no lock file, and we may not write to the directory. A writer would have
/// created the file, so no process has the database open for writing.
bool needs_none(const std::filesystem::path& file) {
  std::error_code problem;
  return !std::filesystem::exists(file, problem) && !problem &&
         ::faccessat(AT_FDCWD, file.parent_path().c_str(), W_OK, AT_EACCESS) != 0;
}

bool is_same_file(const struct stat& one, const struct stat& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/// An exclusive lock of this process.
struct HeldLock {
  std::filesystem::path path;
  struct stat file;
  int descriptor;
  pid_t process;  ///< a forked child has a copy of the list, but holds none of its parent's locks
};

/// The exclusive locks that the process holds. Never destroyed, as a database may be a static object.
struct HeldLocks {
  std::mutex mutex;  // guards locks
  std::vector<HeldLock> locks;
};

HeldLocks& held() {
  static HeldLocks& all = *new HeldLocks;
  return all;
}

void note_lock(HeldLock lock) {
  // The mutex is held during fork(), so that no thread is changing the list when the child gets its copy.
  static const int registered = ::pthread_atfork(
      [] { held().mutex.lock(); }, [] { held().mutex.unlock(); }, [] { held().mutex.unlock(); });
  static_cast<void>(registered);
  const std::lock_guard guard(held().mutex);
  held().locks.push_back(std::move(lock));
}

void forget_lock(int descriptor) {
  const std::lock_guard guard(held().mutex);
  std::erase_if(held().locks, [&](const HeldLock& lock) {
    return lock.descriptor == descriptor && lock.process == ::getpid();
  });
}

/// Returns the first lock of this process that `is_wanted` accepts.
template <class IsWanted>
std::optional<HeldLock> find_lock(const IsWanted& is_wanted) {
  const std::lock_guard guard(held().mutex);
  const auto found = std::ranges::find_if(held().locks, [&](const HeldLock& lock) {
    return lock.process == ::getpid() && is_wanted(lock);
  });
  return found == held().locks.end() ? std::nullopt : std::optional(*found);
}

/// The directory may have been deleted or replaced after its lock file was opened: the lock is then of no use. `busy`
/// lets the caller try again.
Error replaced_meanwhile(const std::filesystem::path& file) {
  return {ErrorCode::busy,
          "database " + file.parent_path().string() +
              " was deleted or replaced while it was opened; open it again",
          {}};
}

}  // namespace

Result<LockFile> LockFile::take(const std::filesystem::path& file, Sharing sharing) {
  auto opened = open_file(file, sharing);
  if (!opened && sharing == Sharing::shared && needs_none(file)) return LockFile(FileDescriptor());
  if (!opened) return opened.error();
  LockFile lock(*std::move(opened));
  const int mode = sharing == Sharing::shared ? LOCK_SH : LOCK_EX;
  // A lock of flock() belongs to the open file, so a second opening in the same process is refused too. fcntl() would
  // permit it.
  if (::flock(lock.descriptor_.value(), mode | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return busy(file, holder_of(lock.descriptor_.value()));
    return io_error(file, "cannot lock");
  }
  if (sharing == Sharing::shared) return lock;
  struct stat locked{}, there{};
  if (::fstat(lock.descriptor_.value(), &locked) != 0) return io_error(file, "cannot read");
  if (::stat(file.c_str(), &there) != 0 || !is_same_file(locked, there))
    return replaced_meanwhile(file);
  // The process id is written now, for the message to a waiting user. The id of the database follows once the database
  // is open.
  CAIRN_TRY(lock.sign(""));
  note_lock({file, locked, lock.descriptor_.value(), ::getpid()});
  return lock;
}

// Unlocks explicitly: a forked child shares the open file, and would hold the lock as long as it lives. The child must
// not unlock it either, because that would release the parent's lock.
LockFile::~LockFile() {
  if (!descriptor_.is_open() || !process_.is_this()) return;
  forget_lock(descriptor_.value());
  ::flock(descriptor_.value(), LOCK_UN);
}

// Not synced, because the text is meaningless after a crash of the machine. Others may read at any time, so one call
// replaces the line. Then the rest of a longer previous line is cut off.
Status LockFile::sign(const std::string& database_id) const {
  const std::string line = std::to_string(::getpid()) + " " + database_id + "\n";
  const auto size = static_cast<ssize_t>(line.size());
  if (::pwrite(descriptor_.value(), line.data(), line.size(), 0) != size ||
      ::ftruncate(descriptor_.value(), size) != 0)
    return io_error("LOCK", "cannot write the lock file");
  return {};
}

std::optional<LockPlace> LockPlace::of(const std::filesystem::path& lock_file) {
  const auto lock = find_lock([&](const HeldLock& one) { return one.path == lock_file; });
  if (!lock) return std::nullopt;
  return LockPlace(lock_file, lock->file.st_dev, lock->file.st_ino);
}

bool LockPlace::is_held_here(const std::filesystem::path& lock_file) {
  struct stat there{};
  if (::stat(lock_file.c_str(), &there) != 0) return false;
  return find_lock([&](const HeldLock& one) { return is_same_file(one.file, there); }).has_value();
}

// Other errors, such as a lack of memory, do not tell whether the file is there.
bool LockPlace::is_in_place() const noexcept {
  struct stat there{};
  if (::stat(lock_file_.c_str(), &there) == 0)
    return there.st_dev == device_ && there.st_ino == inode_;
  return errno != ENOENT && errno != ENOTDIR && errno != ESTALE;
}

}  // namespace cairn::engine
