// Wraps the system calls that take a directory descriptor (openat() and so on) and returns their
// errors as values. If calls used whole paths, each call would resolve its path again, and between
// two calls another process could replace a directory on the path by a link.
#include "engine/files/directory.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>

namespace cairn::engine {
namespace {

struct CloseStream {
  void operator()(DIR* stream) const noexcept { ::closedir(stream); }
};

/// True if both are the same file or directory.
bool is_same(const struct stat& one, const struct stat& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

Error no_directory(const std::filesystem::path& path) {
  return Error{
      ErrorCode::corruption,
      path.string() + " must be a directory, but is a link or a file; replace it by a directory",
      {}};
}

}  // namespace

Result<Directory> Directory::open(const std::filesystem::path& path) {
  FileDescriptor descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor.is_open()) return file_error("cannot open the directory", path);
  return Directory(std::move(descriptor), path);
}

Result<Directory> Directory::open_directory(const std::string& name) const {
  constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  FileDescriptor opened(::openat(descriptor(), name.c_str(), flags));
  if (opened.is_open()) return Directory(std::move(opened), path_ / name);
  if (errno == ENOTDIR || errno == ELOOP) return no_directory(path_ / name);
  return file_error("cannot open the directory", path_ / name);
}

Result<bool> Directory::make_directory(const std::string& name) const {
  const bool is_made = ::mkdirat(descriptor(), name.c_str(), 0700) == 0;
  if (!is_made && errno != EEXIST) return file_error("cannot make the directory", path_ / name);
  if (is_made) CAIRN_TRY(sync());
  return is_made;
}

Result<Directory> Directory::enter(const std::string& name) const {
  CAIRN_TRY(make_directory(name));
  return open_directory(name);
}

Result<FileDescriptor> Directory::open_file(const std::string& name,
                                            std::uint64_t most_bytes) const {
  return open_regular_at(descriptor(), name, path_ / name, O_RDONLY, most_bytes);
}

Result<FileDescriptor> Directory::create_file(const std::string& name) const {
  return create_regular_at(descriptor(), name, path_ / name);
}

Result<std::string> Directory::read_file(const std::string& name, std::uint64_t most_bytes) const {
  CAIRN_ASSIGN(const FileDescriptor file, open_file(name, most_bytes));
  std::string bytes;
  char buffer[4096];
  // Stops beyond most_bytes, as a file may grow while it is read.
  while (bytes.size() <= most_bytes) {
    CAIRN_ASSIGN(const std::size_t size, read_bytes(file.value(), buffer, path_ / name));
    if (size == 0) return bytes;
    bytes.append(buffer, size);
  }
  return Error{
      ErrorCode::corruption, (path_ / name).string() + " grows while it is read; try again", {}};
}

// store/metadata_file.cpp explains why a file is replaced in these steps.
Status Directory::prepare_file(const std::string& name, std::string_view bytes) const {
  const std::string next = name + ".new";
  CAIRN_ASSIGN(const FileDescriptor file, create_file(next));
  CAIRN_TRY(write_bytes(file.value(), bytes, path_ / next));
  return ::fsync(file.value()) == 0 ? Status() : file_error("cannot sync", path_ / next);
}

Status Directory::take_prepared(const std::string& name) const {
  return rename(name + ".new", name);
}

Result<std::vector<std::string>> Directory::names() const {
  // Opens the directory again, as the stream moves the position of its descriptor and closes it.
  const int opened = ::openat(descriptor(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, CloseStream> stream(opened < 0 ? nullptr : ::fdopendir(opened));
  if (stream == nullptr) return file_error("cannot read the directory", path_);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(stream.get())) {
    const std::string name(entry->d_name);
    if (name != "." && name != "..") names.push_back(name);
    errno = 0;
  }
  if (errno != 0) return file_error("cannot read the directory", path_);
  std::sort(names.begin(), names.end());
  return names;
}

bool Directory::has(const std::string& name) const {
  struct stat status = {};
  return ::fstatat(descriptor(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
}

Status Directory::rename(const std::string& from, const std::string& to) const {
  if (::renameat(descriptor(), from.c_str(), descriptor(), to.c_str()) == 0) return {};
  return file_error("cannot rename " + (path_ / from).string() + " to", path_ / to);
}

Status Directory::erase_file(const std::string& name) const {
  if (::unlinkat(descriptor(), name.c_str(), 0) == 0) return {};
  return file_error("cannot erase", path_ / name);
}

Status Directory::erase_directory(const std::string& name) const {
  if (::unlinkat(descriptor(), name.c_str(), AT_REMOVEDIR) == 0) return {};
  return file_error("cannot erase the directory", path_ / name);
}

Status Directory::erase_all(const std::string& name, int levels) const {
  struct stat status = {};
  if (::fstatat(descriptor(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT ? Status() : file_error("cannot read the attributes of", path_ / name);
  if (!S_ISDIR(status.st_mode)) return erase_file(name);
  if (levels == 0)
    return Error{ErrorCode::corruption,
                 (path_ / name).string() +
                     " is a directory where only files are expected; move it elsewhere",
                 {}};
  {
    CAIRN_ASSIGN(const Directory inside, open_directory(name));
    CAIRN_ASSIGN(const auto names, inside.names());
    for (const std::string& each : names) CAIRN_TRY(inside.erase_all(each, levels - 1));
  }
  return erase_directory(name);
}

Status Directory::sync() const {
  return ::fsync(descriptor()) == 0 ? Status() : file_error("cannot sync the directory", path_);
}

// Walks up from this directory by "..", and compares device and inode numbers. Comparing paths
// would not suffice: a directory may have several paths, through links and mounts.
Result<bool> Directory::is_within(const Directory& other) const {
  struct stat wanted = {};
  struct stat at = {};
  if (::fstat(other.descriptor(), &wanted) != 0)
    return file_error("cannot read the attributes of", other.path_);
  if (::fstat(descriptor(), &at) != 0) return file_error("cannot read the attributes of", path_);
  FileDescriptor here;
  int current = descriptor();
  while (!is_same(at, wanted)) {
    FileDescriptor above(::openat(current, "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
    struct stat next = {};
    if (!above.is_open() || ::fstat(above.value(), &next) != 0)
      return file_error("cannot open a directory above", path_);
    if (is_same(next, at)) return false;  // only the root is its own parent
    at = next;
    here = std::move(above);
    current = here.value();
  }
  return true;
}

Result<FilePlace> FilePlace::of(const std::filesystem::path& path) {
  if (path.empty())
    return Error{ErrorCode::invalid_argument, "the path is empty; name a directory", {}};
  std::error_code problem;
  std::filesystem::path whole = std::filesystem::absolute(path, problem);
  if (!problem) whole = std::filesystem::weakly_canonical(whole, problem);
  if (problem)
    return Error{
        ErrorCode::io_error, "cannot find " + path.string() + ": " + problem.message(), {}};
  if (!whole.has_filename()) whole = whole.parent_path();
  if (!whole.has_filename())
    return Error{ErrorCode::invalid_argument,
                 whole.string() + " is the root directory; name a directory in it",
                 {}};
  CAIRN_ASSIGN(Directory directory, Directory::open(whole.parent_path()));
  return FilePlace{std::move(directory), whole.filename().string()};
}

}  // namespace cairn::engine
