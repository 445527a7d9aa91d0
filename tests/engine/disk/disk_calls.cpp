// Compiled without fortified headers, which define some of these functions themselves.
#include "tests/engine/disk/disk_calls.hpp"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <map>
#include <mutex>
#include <optional>

namespace cairn::test {
namespace {

using Kind = DiskCall::Kind;

struct OpenFile {
  std::string path;
  std::uint64_t inode = 0;
  bool is_directory = false;
};

struct Watched {
  std::recursive_mutex mutex;  // a watcher may copy files; guards the rest
  std::string root;
  DiskWatcher* watcher = nullptr;
  std::map<int, OpenFile> files;
};

/// Never destroyed: files are closed until the very end of the process.
Watched& watched() {
  static auto* const one = new Watched;
  return *one;
}

/// The C library's own.
template <class Function>
Function* next_of(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

bool is_below_root(const char* path) {
  const std::string& root = watched().root;
  return watched().watcher != nullptr && std::string_view(path).starts_with(root);
}

/// The path of a name in an open directory, or the name itself where there is none.
std::string path_at(int directory, const char* name) {
  if (directory == AT_FDCWD || *name == '/') return name;
  char path[PATH_MAX];
  char link[64];
  std::snprintf(link, sizeof(link), "/proc/self/fd/%d", directory);
  const ssize_t size = ::readlink(link, path, sizeof(path));
  if (size < 0) return name;
  return std::string(path, static_cast<std::size_t>(size)) + "/" + name;
}

/// Asks the watcher, makes the call, and calls `done` with the result of a call that succeeded. Returns -1 for a call that
/// was refused or failed.
template <class Result, class Call, class Done>
Result seen(const DiskCall& call, Call&& make, Done&& done) {
  if (const int problem = watched().watcher->before(call); problem != 0) {
    errno = problem;
    return -1;
  }
  const Result result = make();
  const int number = errno;
  if (result >= 0) done(result);
  errno = number;
  return result;
}

std::uint64_t inode_of_open(int descriptor) {
  struct stat about{};
  return ::fstat(descriptor, &about) == 0 ? about.st_ino : 0;
}

template <class Open>
int watched_open(const char* path, int flags, Open&& open) {
  const std::lock_guard lock(watched().mutex);
  if (!is_below_root(path)) {
    const int descriptor = open();
    watched().files.erase(descriptor);
    return descriptor;
  }
  struct stat about{};
  const bool is_there = ::lstat(path, &about) == 0;
  DiskCall call{is_there || (flags & O_CREAT) == 0 ? Kind::open : Kind::make, path};
  return seen<int>(call, open, [&](int descriptor) {
    const bool is_directory = is_there && S_ISDIR(about.st_mode);
    call.file = inode_of_open(descriptor);
    watched().files[descriptor] = {path, call.file, is_directory};
    watched().watcher->after(call);
    if (!is_there || (flags & O_TRUNC) == 0 || is_directory) return;
    watched().watcher->after({Kind::truncate, path, {}, call.file});
  });
}

using Open = int(const char*, int, mode_t);

/// `rest` has the mode of a file that may be made.
int watched_open_by(Open* next, const char* path, int flags, std::va_list& rest) {
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  return watched_open(path, flags, [&] { return next(path, flags, mode); });
}

OpenFile* find(int descriptor) {
  if (watched().watcher == nullptr) return nullptr;
  const auto found = watched().files.find(descriptor);
  return found == watched().files.end() ? nullptr : &found->second;
}

template <class Read>
ssize_t watched_read(int descriptor, Read&& read) {
  const std::lock_guard lock(watched().mutex);
  const OpenFile* const file = find(descriptor);
  if (file == nullptr || file->is_directory) return read();
  const DiskCall call{Kind::read, file->path, {}, file->inode};
  return seen<ssize_t>(call, read, [&](ssize_t) { watched().watcher->after(call); });
}

/// Where the next write of an open file begins.
std::uint64_t position_of(int descriptor) {
  const bool appends = (::fcntl(descriptor, F_GETFL) & O_APPEND) != 0;
  struct stat about{};
  if (appends && ::fstat(descriptor, &about) == 0) return static_cast<std::uint64_t>(about.st_size);
  return static_cast<std::uint64_t>(::lseek(descriptor, 0, SEEK_CUR));
}

/// Writes at `offset`, or at the file's own position if it is negative. `write` gets the number of bytes to write.
template <class Write>
ssize_t watched_write(int descriptor, std::string_view bytes, std::int64_t offset, Write&& write) {
  const std::lock_guard lock(watched().mutex);
  const OpenFile* const file = find(descriptor);
  if (file == nullptr) return write(bytes.size());
  const std::uint64_t at =
      offset < 0 ? position_of(descriptor) : static_cast<std::uint64_t>(offset);
  DiskCall call{Kind::write, file->path, {}, file->inode, at, bytes};
  const std::size_t most = watched().watcher->most_bytes(call);
  return seen<ssize_t>(
      call, [&] { return write(most); },
      [&](ssize_t written) {
        call.bytes = bytes.substr(0, static_cast<std::size_t>(written));
        watched().watcher->after(call);
      });
}

template <class Change>
int watched_change(int descriptor, Kind kind, std::uint64_t size, Change&& change) {
  const std::lock_guard lock(watched().mutex);
  const OpenFile* const file = find(descriptor);
  if (file == nullptr) return change();
  const bool syncs_directory = kind == Kind::sync && file->is_directory;
  const DiskCall call{
      syncs_directory ? Kind::sync_directory : kind, file->path, {}, file->inode, size};
  return seen<int>(call, change, [&](int) { watched().watcher->after(call); });
}

template <class Change>
int watched_name(Kind kind, const char* path, const char* other, Change&& change) {
  const std::lock_guard lock(watched().mutex);
  if (!is_below_root(path)) return change();
  const DiskCall call{kind, path, other};
  return seen<int>(call, change, [&](int) { watched().watcher->after(call); });
}

}  // namespace

void watch_disk(const std::filesystem::path& root, DiskWatcher* watcher) {
  const std::lock_guard lock(watched().mutex);
  watched().root = root.string() + "/";
  watched().watcher = watcher;
  watched().files.clear();
}

}  // namespace cairn::test

using namespace cairn::test;

#pragma GCC visibility push(default)
extern "C" {

int open(const char* path, int flags, ...) {
  static auto* const next = next_of<Open>("open");
  std::va_list rest;
  va_start(rest, flags);
  const int result = watched_open_by(next, path, flags, rest);
  va_end(rest);
  return result;
}

int open64(const char* path, int flags, ...) {
  static auto* const next = next_of<Open>("open64");
  std::va_list rest;
  va_start(rest, flags);
  const int result = watched_open_by(next, path, flags, rest);
  va_end(rest);
  return result;
}

int openat(int directory, const char* name, int flags, ...) {
  using OpenAt = int(int, const char*, int, mode_t);
  static auto* const next = next_of<OpenAt>("openat");
  std::va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return watched_open(path_at(directory, name).c_str(), flags,
                      [&] { return next(directory, name, flags, mode); });
}

int close(int descriptor) {
  static auto* const next = next_of<int(int)>("close");
  const std::lock_guard lock(watched().mutex);
  watched().files.erase(descriptor);
  return next(descriptor);
}

// It closes the descriptor by a call within the C library.
int closedir(DIR* directory) {
  static auto* const next = next_of<int(DIR*)>("closedir");
  const std::lock_guard lock(watched().mutex);
  watched().files.erase(::dirfd(directory));
  return next(directory);
}

ssize_t read(int descriptor, void* bytes, size_t size) {
  static auto* const next = next_of<ssize_t(int, void*, size_t)>("read");
  return watched_read(descriptor, [&] { return next(descriptor, bytes, size); });
}

ssize_t pread(int descriptor, void* bytes, size_t size, off_t offset) {
  static auto* const next = next_of<ssize_t(int, void*, size_t, off_t)>("pread");
  return watched_read(descriptor, [&] { return next(descriptor, bytes, size, offset); });
}

ssize_t pread64(int descriptor, void* bytes, size_t size, off64_t offset) {
  static auto* const next = next_of<ssize_t(int, void*, size_t, off64_t)>("pread64");
  return watched_read(descriptor, [&] { return next(descriptor, bytes, size, offset); });
}

// RocksDB reads logs and manifests through `FILE` streams, whose reads inside the C library bypass the wrappers above.
size_t fread_unlocked(void* bytes, size_t size, size_t count, FILE* stream) {
  static auto* const next = next_of<size_t(void*, size_t, size_t, FILE*)>("fread_unlocked");
  const ssize_t read = watched_read(
      ::fileno(stream), [&] { return static_cast<ssize_t>(next(bytes, size, count, stream)); });
  return read < 0 ? 0 : static_cast<size_t>(read);
}

int fclose(FILE* stream) {
  static auto* const next = next_of<int(FILE*)>("fclose");
  const std::lock_guard lock(watched().mutex);
  watched().files.erase(::fileno(stream));
  return next(stream);
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  static auto* const next = next_of<ssize_t(int, const void*, size_t)>("write");
  return watched_write(descriptor, {static_cast<const char*>(bytes), size}, -1,
                       [&](size_t most) { return next(descriptor, bytes, most); });
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) {
  static auto* const next = next_of<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  return watched_write(descriptor, {static_cast<const char*>(bytes), size}, offset,
                       [&](size_t most) { return next(descriptor, bytes, most, offset); });
}

ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t offset) {
  static auto* const next = next_of<ssize_t(int, const void*, size_t, off64_t)>("pwrite64");
  return watched_write(descriptor, {static_cast<const char*>(bytes), size}, offset,
                       [&](size_t most) { return next(descriptor, bytes, most, offset); });
}

int fallocate(int descriptor, int mode, off_t offset, off_t size) {
  static auto* const next = next_of<int(int, int, off_t, off_t)>("fallocate");
  const std::lock_guard lock(watched().mutex);
  const OpenFile* const file = find(descriptor);
  const bool allocates = (mode & FALLOC_FL_PUNCH_HOLE) == 0;
  if (file == nullptr || !allocates) return next(descriptor, mode, offset, size);
  const DiskCall call{Kind::allocate,
                      file->path,
                      {},
                      file->inode,
                      static_cast<std::uint64_t>(offset),
                      {},
                      static_cast<std::uint64_t>(size)};
  return seen<int>(
      call, [&] { return next(descriptor, mode, offset, size); },
      [&](int) { watched().watcher->after(call); });
}

// No test of this program needs the disk itself to have anything: nobody waits for it.
int fsync(int descriptor) {
  return watched_change(descriptor, Kind::sync, 0, [] { return 0; });
}

int fdatasync(int descriptor) {
  return watched_change(descriptor, Kind::sync, 0, [] { return 0; });
}

int sync_file_range(int /*descriptor*/, off64_t /*offset*/, off64_t /*size*/,
                    unsigned int /*flags*/) {
  return 0;
}

int ftruncate(int descriptor, off_t size) noexcept {
  static auto* const next = next_of<int(int, off_t)>("ftruncate");
  return watched_change(descriptor, Kind::truncate, static_cast<std::uint64_t>(size),
                        [&] { return next(descriptor, size); });
}

int ftruncate64(int descriptor, off64_t size) noexcept {
  static auto* const next = next_of<int(int, off64_t)>("ftruncate64");
  return watched_change(descriptor, Kind::truncate, static_cast<std::uint64_t>(size),
                        [&] { return next(descriptor, size); });
}

int rename(const char* from, const char* to) noexcept {
  static auto* const next = next_of<int(const char*, const char*)>("rename");
  return watched_name(Kind::rename, from, to, [&] { return next(from, to); });
}

int link(const char* from, const char* to) noexcept {
  static auto* const next = next_of<int(const char*, const char*)>("link");
  return watched_name(Kind::link, from, to, [&] { return next(from, to); });
}

int renameat(int from_directory, const char* from, int to_directory, const char* to) noexcept {
  static auto* const next = next_of<int(int, const char*, int, const char*)>("renameat");
  const std::string path = path_at(from_directory, from);
  const std::string other = path_at(to_directory, to);
  return watched_name(Kind::rename, path.c_str(), other.c_str(),
                      [&] { return next(from_directory, from, to_directory, to); });
}

/// A link is seen by its new name, as the old one may be elsewhere.
int linkat(int from_directory, const char* from, int to_directory, const char* to,
           int flags) noexcept {
  static auto* const next = next_of<int(int, const char*, int, const char*, int)>("linkat");
  const std::string path = path_at(from_directory, from);
  const std::string other = path_at(to_directory, to);
  const std::lock_guard lock(watched().mutex);
  const auto call = [&] { return next(from_directory, from, to_directory, to, flags); };
  if (!is_below_root(other.c_str())) return call();
  const DiskCall seen_call{Kind::link, path, other};
  return seen<int>(seen_call, call, [&](int) { watched().watcher->after(seen_call); });
}

int unlinkat(int directory, const char* name, int flags) noexcept {
  static auto* const next = next_of<int(int, const char*, int)>("unlinkat");
  return watched_name(Kind::unlink, path_at(directory, name).c_str(), "",
                      [&] { return next(directory, name, flags); });
}

int mkdirat(int directory, const char* name, mode_t mode) noexcept {
  static auto* const next = next_of<int(int, const char*, mode_t)>("mkdirat");
  return watched_name(Kind::make_directory, path_at(directory, name).c_str(), "",
                      [&] { return next(directory, name, mode); });
}

int unlink(const char* path) noexcept {
  static auto* const next = next_of<int(const char*)>("unlink");
  return watched_name(Kind::unlink, path, "", [&] { return next(path); });
}

int remove(const char* path) noexcept {
  static auto* const next = next_of<int(const char*)>("remove");
  return watched_name(Kind::unlink, path, "", [&] { return next(path); });
}

int mkdir(const char* path, mode_t mode) noexcept {
  static auto* const next = next_of<int(const char*, mode_t)>("mkdir");
  return watched_name(Kind::make_directory, path, "", [&] { return next(path, mode); });
}

// RocksDB waits for a second after a failed flush. No test of this program needs this wait.
int usleep(useconds_t time) {
  static auto* const next = next_of<int(useconds_t)>("usleep");
  constexpr useconds_t most = 1'000;
  return next(time < most ? time : most);
}

}  // extern "C"
#pragma GCC visibility pop
