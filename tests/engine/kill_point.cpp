// Kills the process at a call of the file system that is named from outside, for crash tests:
//
//   CAIRN_KILL_AT="CALL NAME COUNT WHEN"    write .log 12 half    sync MANIFEST 1 after
//
// The process dies at the COUNT-th CALL (make, write, truncate, sync, rename, link, unlink, mkdir) of a file whose path
// contains NAME: before the call, after it, or, for a write, when half of the bytes are written. A pwrite counts as a
// write, an open that may make the file as a make, and a call relative to a directory (renameat) as one with the path.
//
// The functions wrap those of the C library, for RocksDB too, so that every call is intercepted and the product
// needs no hook.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <string_view>

namespace {

enum class When { no, before, half, after };

struct KillPoint {
  std::string call;
  std::string name;
  std::atomic<int> count = 0;
  When when = When::before;

  KillPoint() {
    const char* text = std::getenv("CAIRN_KILL_AT");
    if (text == nullptr) return;
    std::istringstream words(text);
    std::string at;
    int times = 0;
    words >> call >> name >> times >> at;
    count = times;
    if (at == "half") when = When::half;
    if (at == "after") when = When::after;
  }

  When at(std::string_view called, std::string_view path) {
    if (called != call || path.find(name) == std::string_view::npos) return When::no;
    return --count == 0 ? when : When::no;
  }
};

KillPoint& kill_point() {
  static KillPoint point;
  return point;
}

void die() {
  ::kill(::getpid(), SIGKILL);
  while (true) ::pause();
}

When at_path(std::string_view call, const char* path) { return kill_point().at(call, path); }

/// The path of an open file; empty if it has none.
std::string path_of(int descriptor) {
  char path[PATH_MAX];
  char link[64];
  std::snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
  const ssize_t size = ::readlink(link, path, sizeof(path));
  return size < 0 ? "" : std::string(path, static_cast<std::size_t>(size));
}

When at_file(std::string_view call, int descriptor) {
  if (call != kill_point().call) return When::no;
  return kill_point().at(call, path_of(descriptor));
}

When at_name(std::string_view call, int directory, const char* name) {
  if (call != kill_point().call) return When::no;
  if (directory == AT_FDCWD || name[0] == '/') return kill_point().at(call, name);
  return kill_point().at(call, path_of(directory) + "/" + name);
}

When at_open(int directory, const char* name, int flags) {
  return (flags & O_CREAT) != 0 ? at_name("make", directory, name) : When::no;
}

template <class Function>
Function* next_of(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// Makes a write; the process dies before it, after it, or when half of the bytes are written.
template <class Write>
ssize_t around_write(int descriptor, size_t size, Write&& write_bytes) {
  const When when = at_file("write", descriptor);
  if (when == When::before) die();
  const ssize_t result = write_bytes(when == When::half ? size / 2 : size);
  if (when != When::no) die();
  return result;
}

/// Makes a call; the process dies before or after it.
template <class Call>
int around(When when, Call&& call) {
  if (when == When::before || when == When::half) die();
  const int result = call();
  if (when == When::after) die();
  return result;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int open(const char* path, int flags, ...) {
  static auto* const next = next_of<int(const char*, int, mode_t)>("open");
  std::va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return around(at_open(AT_FDCWD, path, flags), [&] { return next(path, flags, mode); });
}

int open64(const char* path, int flags, ...) {
  static auto* const next = next_of<int(const char*, int, mode_t)>("open64");
  std::va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return around(at_open(AT_FDCWD, path, flags), [&] { return next(path, flags, mode); });
}

int openat(int directory, const char* name, int flags, ...) {
  static auto* const next = next_of<int(int, const char*, int, mode_t)>("openat");
  std::va_list rest;
  va_start(rest, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return around(at_open(directory, name, flags),
                [&] { return next(directory, name, flags, mode); });
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  static auto* const next = next_of<ssize_t(int, const void*, size_t)>("write");
  return around_write(descriptor, size, [&](size_t part) { return next(descriptor, bytes, part); });
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) {
  static auto* const next = next_of<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  return around_write(descriptor, size,
                      [&](size_t part) { return next(descriptor, bytes, part, offset); });
}

// The other name of it, by which code with large files calls it.
ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t offset) {
  static auto* const next = next_of<ssize_t(int, const void*, size_t, off64_t)>("pwrite64");
  return around_write(descriptor, size,
                      [&](size_t part) { return next(descriptor, bytes, part, offset); });
}

// What the system has outlives the process: nobody waits for the disk.
int fsync(int descriptor) {
  return around(at_file("sync", descriptor), [] { return 0; });
}

int fdatasync(int descriptor) {
  return around(at_file("sync", descriptor), [] { return 0; });
}

int sync_file_range(int /*descriptor*/, off64_t /*offset*/, off64_t /*size*/,
                    unsigned int /*flags*/) {
  return 0;
}

int ftruncate(int descriptor, off_t size) noexcept {
  static auto* const next = next_of<int(int, off_t)>("ftruncate");
  return around(at_file("truncate", descriptor), [&] { return next(descriptor, size); });
}

int ftruncate64(int descriptor, off64_t size) noexcept {
  static auto* const next = next_of<int(int, off64_t)>("ftruncate64");
  return around(at_file("truncate", descriptor), [&] { return next(descriptor, size); });
}

int rename(const char* from, const char* to) noexcept {
  static auto* const next = next_of<int(const char*, const char*)>("rename");
  return around(at_path("rename", to), [&] { return next(from, to); });
}

int link(const char* from, const char* to) noexcept {
  static auto* const next = next_of<int(const char*, const char*)>("link");
  return around(at_path("link", to), [&] { return next(from, to); });
}

int unlink(const char* path) noexcept {
  static auto* const next = next_of<int(const char*)>("unlink");
  return around(at_path("unlink", path), [&] { return next(path); });
}

int mkdir(const char* path, mode_t mode) noexcept {
  static auto* const next = next_of<int(const char*, mode_t)>("mkdir");
  return around(at_path("mkdir", path), [&] { return next(path, mode); });
}

int renameat(int from_directory, const char* from, int to_directory, const char* to) noexcept {
  static auto* const next = next_of<int(int, const char*, int, const char*)>("renameat");
  return around(at_name("rename", to_directory, to),
                [&] { return next(from_directory, from, to_directory, to); });
}

int linkat(int from_directory, const char* from, int to_directory, const char* to,
           int flags) noexcept {
  static auto* const next = next_of<int(int, const char*, int, const char*, int)>("linkat");
  return around(at_name("link", to_directory, to),
                [&] { return next(from_directory, from, to_directory, to, flags); });
}

int unlinkat(int directory, const char* name, int flags) noexcept {
  static auto* const next = next_of<int(int, const char*, int)>("unlinkat");
  return around(at_name("unlink", directory, name), [&] { return next(directory, name, flags); });
}

int mkdirat(int directory, const char* name, mode_t mode) noexcept {
  static auto* const next = next_of<int(int, const char*, mode_t)>("mkdirat");
  return around(at_name("mkdir", directory, name), [&] { return next(directory, name, mode); });
}

}  // extern "C"
#pragma GCC visibility pop
