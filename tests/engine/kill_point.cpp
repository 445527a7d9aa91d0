// Kills the process at a call of the file system that is named from outside, for crash tests:
//
//   CAIRN_KILL_AT="CALL NAME COUNT WHEN"    write .log 12 half    sync MANIFEST 1 after
//
// The process dies at the COUNT-th CALL (write, sync, rename, link, unlink, mkdir) of a file whose path contains NAME:
// before the call, after it, or, for a write, when half of the bytes are written. A pwrite counts as a write.
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

When at_file(std::string_view call, int descriptor) {
  if (call != kill_point().call) return When::no;
  char path[PATH_MAX];
  char link[64];
  std::snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
  const ssize_t size = ::readlink(link, path, sizeof(path));
  return size < 0 ? When::no
                  : kill_point().at(call, std::string_view(path, static_cast<std::size_t>(size)));
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

}  // extern "C"
#pragma GCC visibility pop
