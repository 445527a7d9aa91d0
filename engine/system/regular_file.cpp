// Why the kind and size of a file are checked: reading a pipe waits for a writer, a device may never end, a link leads to a
// file outside of the database, and a sparse file can have any length at no cost. Each of them could hang the program, use
// up its memory, or damage files that are not part of the database.
//
// lstat        before opening, as opening a device can have side effects
// open         without following links and without blocking, as the name may have been replaced since
// fstat        checks again what was really opened
//
// RocksDB opens its files itself, by name, so only the first step is done for these. The first step
// protects from wrong files in the directory, but not from another process that replaces files
// meanwhile.
//
// Links are refused although some backup tools make them: writes would go through a link to the original file.
#include "engine/system/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

namespace cairn::engine {
namespace {

/// Holes of up to this size are always allowed, in bytes. A file may end in preallocated zeros, and copy programs turn zeros
/// into holes.
constexpr std::uint64_t most_holes = std::uint64_t{16} << 20;
constexpr std::uint64_t block_bytes = 512;  // unit of st_blocks, on every file system

std::string_view kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a named pipe";
  if (S_ISLNK(mode)) return "a symbolic link";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISREG(mode)) return "a regular file";
  return "a device";
}

Error unfit(const std::filesystem::path& file, std::string_view problem) {
  return Error{ErrorCode::corruption, file.string() + std::string(problem), {}};
}

Error wrong_kind(const std::filesystem::path& file, mode_t mode, mode_t wanted) {
  std::string problem = " is ";
  problem.append(kind_of(mode)).append(", and must be ").append(kind_of(wanted));
  problem.append(S_ISLNK(mode) ? "; replace the link by a copy of its target"
                               : "; restore it from a backup");
  return unfit(file, problem);
}

/// Returns the number of bytes outside of holes; stops counting at `enough`. If the file system cannot report holes, all
/// bytes count as data.
std::uint64_t data_bytes(int descriptor, std::uint64_t size, std::uint64_t enough) {
  std::uint64_t count = 0;
  off_t at = 0;
  while (count < enough) {
    const off_t begin = ::lseek(descriptor, at, SEEK_DATA);
    if (begin < 0) return errno == ENXIO ? count : size;
    at = ::lseek(descriptor, begin, SEEK_HOLE);
    if (at < 0) return size;
    count += static_cast<std::uint64_t>(at - begin);
  }
  return count;
}

/// Checks that a file does not mostly consist of holes. Fewer blocks than bytes are no proof of
/// holes: the file system may compress the file. So if there are fewer, the bytes outside of holes
/// are counted.
Status check_holes(int descriptor, const struct stat& status, const std::filesystem::path& file) {
  const auto size = static_cast<std::uint64_t>(status.st_size);
  const auto blocks = static_cast<std::uint64_t>(status.st_blocks) * block_bytes;
  if (blocks >= size || size - blocks <= most_holes) return {};
  const std::uint64_t least = (size - most_holes) / 2;  // holes <= data + most_holes
  const std::uint64_t data = data_bytes(descriptor, size, least);
  if (data >= least) return {};
  return unfit(file, " has " + std::to_string(size) + " bytes, of which only " +
                         std::to_string(data) + " were ever written; restore it from a backup");
}

Status check_kind(const struct stat& status, const std::filesystem::path& file,
                  std::uint64_t most_bytes) {
  if (!S_ISREG(status.st_mode)) return wrong_kind(file, status.st_mode, S_IFREG);
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size <= most_bytes) return {};
  return unfit(file, " has " + std::to_string(size) + " bytes, and must have at most " +
                         std::to_string(most_bytes) + "; restore it from a backup");
}

/// Opens a name in a directory. For AT_FDCWD calls open() instead of openat(), as tests that simulate disk errors replace
/// open().
int open_named(int directory, const std::string& name, int flags) {
  return directory == AT_FDCWD ? ::open(name.c_str(), flags, 0600)
                               : ::openat(directory, name.c_str(), flags, 0600);
}

/// Opens a file, and checks its kind, size and holes by its descriptor. `file` is its path in messages.
Result<FileDescriptor> open_checked(int directory, const std::string& name,
                                    const std::filesystem::path& file, int flags,
                                    std::uint64_t most_bytes) {
  constexpr int always = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  FileDescriptor descriptor(open_named(directory, name, flags | always));
  struct stat status = {};
  if (!descriptor.is_open() || ::fstat(descriptor.value(), &status) != 0)
    return file_error("cannot open", file);
  CAIRN_TRY(check_kind(status, file, most_bytes));
  CAIRN_TRY(check_holes(descriptor.value(), status, file));
  return descriptor;
}

}  // namespace

FileDescriptor::~FileDescriptor() {
  if (value_ >= 0) ::close(value_);
}

Error file_error(std::string_view what, const std::filesystem::path& file) {
  const auto code = errno == ENOENT ? ErrorCode::not_found : ErrorCode::io_error;
  return Error{code, std::string(what) + " " + file.string() + ": " + std::strerror(errno), {}};
}

Status check_regular(const std::filesystem::path& file, std::uint64_t most_bytes) {
  struct stat status = {};
  // Other problems, such as a missing file, are reported when the file is opened.
  if (::lstat(file.c_str(), &status) != 0) return {};
  CAIRN_TRY(check_kind(status, file, most_bytes));
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size <= static_cast<std::uint64_t>(status.st_blocks) * block_bytes + most_holes) return {};
  const auto opened = open_checked(AT_FDCWD, file.string(), file, O_RDONLY, most_bytes);
  return opened ? Status() : Status(opened.error());
}

Result<FileDescriptor> open_regular(const std::filesystem::path& file, int flags,
                                    std::uint64_t most_bytes) {
  return open_regular_at(AT_FDCWD, file.string(), file, flags, most_bytes);
}

Result<FileDescriptor> open_regular_at(int directory, const std::string& name,
                                       const std::filesystem::path& file, int flags,
                                       std::uint64_t most_bytes) {
  struct stat status = {};
  if (::fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0)
    CAIRN_TRY(check_kind(status, file, most_bytes));
  return open_checked(directory, name, file, flags, most_bytes);
}

Result<FileDescriptor> create_regular(const std::filesystem::path& file) {
  return create_regular_at(AT_FDCWD, file.string(), file);
}

Result<FileDescriptor> create_regular_at(int directory, const std::string& name,
                                         const std::filesystem::path& file) {
  constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const int erased =
      directory == AT_FDCWD ? ::unlink(name.c_str()) : ::unlinkat(directory, name.c_str(), 0);
  const bool has_no_name = erased == 0 || errno == ENOENT;
  FileDescriptor descriptor(has_no_name ? open_named(directory, name, flags) : -1);
  if (descriptor.is_open()) return descriptor;
  // io_error even if the directory is missing: not_found would suggest that the caller looked for an existing file.
  return Error{ErrorCode::io_error, file_error("cannot make", file).message, {}};
}

Status write_bytes(int descriptor, std::string_view bytes, const std::filesystem::path& file) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = ENOSPC;  // no progress without an error: retrying might loop forever
    if (written <= 0) return file_error("cannot write", file);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<std::size_t> read_bytes(int descriptor, std::span<char> out,
                               const std::filesystem::path& file) {
  while (true) {
    const ssize_t size = ::read(descriptor, out.data(), out.size());
    if (size >= 0) return static_cast<std::size_t>(size);
    if (errno != EINTR) return file_error("cannot read", file);
  }
}

Status check_directory(const std::filesystem::path& directory) {
  struct stat status = {};
  if (::lstat(directory.c_str(), &status) != 0 || S_ISDIR(status.st_mode)) return {};
  return wrong_kind(directory, status.st_mode, S_IFDIR);
}

}  // namespace cairn::engine
