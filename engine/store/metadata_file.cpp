// Small files that must contain either the old or the new content after a crash. The steps and their purpose:
//
//   write name.new, fsync       the bytes are on disk before a name refers to them
//   rename to name              atomic: every reader sees the old or the new file
//   fsync the directory         the new name survives a power cut
//
// Without the first fsync, some file systems leave an empty file after a crash. Without the last one, the old content
// may reappear although the caller got a success. A `name.new` that a crash leaves is overwritten by the next write.
// These functions do not suit large files, because the whole content is in memory.
#include "engine/store/metadata_file.hpp"

#include "engine/system/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace cairn::engine {
namespace {

/// An error with the text of errno. Call it before anything else may change errno.
Error io_error(std::string_view what, const std::filesystem::path& file) {
  return Error{ErrorCode::io_error,
               std::string(what) + " " + file.string() + ": " + std::strerror(errno),
               {}};
}

/// Writes all bytes and syncs them. A failed fsync is not repeated: the kernel may have dropped the pages, and a
/// second fsync would succeed without them.
Status write_all(int descriptor, std::string_view bytes, const std::filesystem::path& file) {
  CAIRN_TRY(write_bytes(descriptor, bytes, file));
  if (::fsync(descriptor) != 0) return io_error("cannot sync", file);
  return {};
}

}  // namespace

Status sync_directory(const std::filesystem::path& directory) {
  const FileDescriptor descriptor(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor.is_open() || ::fsync(descriptor.value()) != 0) {
    return io_error("cannot sync directory", directory);
  }
  return {};
}

// A missing file is no error, but an unreadable file is one: a database without COMMIT may be new, but an unreadable
// COMMIT is an error.
Result<std::optional<std::string>> read_file(const std::filesystem::path& file) {
  const auto descriptor = open_regular(file, O_RDONLY, most_metadata_file_bytes);
  if (!descriptor && descriptor.error().code == ErrorCode::not_found)
    return std::optional<std::string>();
  if (!descriptor) return descriptor.error();
  std::string bytes;
  char buffer[4096];
  // Stops above the limit and not only at the end of the file, because the file may grow while it is read.
  while (bytes.size() <= most_metadata_file_bytes) {
    CAIRN_ASSIGN(const std::size_t size, read_bytes(descriptor->value(), buffer, file));
    if (size == 0) return std::optional(std::move(bytes));
    bytes.append(buffer, size);
  }
  return Error{ErrorCode::corruption, file.string() + " grows while it is read; try again", {}};
}

Status write_file(const std::filesystem::path& file, std::string_view bytes) {
  std::filesystem::path next = file;
  next += ".new";
  {
    // Closed before the rename, so that the content is complete before the name refers to it.
    CAIRN_ASSIGN(const FileDescriptor descriptor, create_regular(next));
    CAIRN_TRY(write_all(descriptor.value(), bytes, next));
  }
  if (::rename(next.c_str(), file.c_str()) != 0) return io_error("cannot rename to", file);
  return sync_directory(file.parent_path());
}

Status erase_file(const std::filesystem::path& file) {
  if (::unlink(file.c_str()) == 0) return sync_directory(file.parent_path());
  if (errno == ENOENT) return {};
  return io_error("cannot erase", file);
}

Status check_directories(const std::filesystem::path& database) {
  CAIRN_TRY(check_directory(database / metadata_file::store_directory));
  CAIRN_TRY(check_directory(database / metadata_file::segment_directory));
  return check_directory(database / metadata_file::vector_directory);
}

Status make_directory(const std::filesystem::path& directory) {
  const bool is_made = ::mkdir(directory.c_str(), 0700) == 0;
  if (!is_made && errno != EEXIST) return io_error("cannot make directory", directory);
  // Also syncs the entry of an existing directory: the process that created it may have died before the entry was on
  // disk. If we may not read the parent directory, we cannot sync it. This is an error only for a new directory; the
  // creator of an existing one had to sync it.
  const std::filesystem::path parent = directory / "..";
  const bool is_readable = ::access(parent.c_str(), R_OK) == 0;
  return is_made || is_readable ? sync_directory(parent) : Status();
}

}  // namespace cairn::engine
