// Resolves a path name by name: opens each directory relative to its parent, and refuses links.
// Unlike openat2(), this needs no recent kernel. If another process replaces a name meanwhile, the
// function either finds a link and refuses it, or opens a directory that was below the root.
#include "engine/files/file_root.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <string>
#include <utility>
#include <vector>

namespace cairn::engine {
namespace {

Error not_beneath(std::string_view path, std::string_view problem) {
  return Error{ErrorCode::invalid_argument,
               "the path '" + std::string(path) + "' " + std::string(problem) +
                   "; statements read and write files only beneath Options::file_root, by paths "
                   "relative to it",
               {}};
}

Error unfit(std::string_view path, std::string_view problem) {
  return Error{ErrorCode::invalid_argument,
               "the path '" + std::string(path) + "' " + std::string(problem),
               {}};
}

bool is_link(const FilePlace& place) {
  struct stat status = {};
  return ::fstatat(place.directory.descriptor(), place.name.c_str(), &status,
                   AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISLNK(status.st_mode);
}

/// Splits a path into names, without empty names and ".". Errors: invalid_argument for a path that is not allowed.
Result<std::vector<std::string>> names_of(std::string_view path) {
  if (const auto zero = path.find('\0'); zero != path.npos)
    return not_beneath(path.substr(0, zero), "is followed by a zero byte");
  if (path.starts_with('/')) return not_beneath(path, "is absolute");
  std::vector<std::string> names;
  for (std::string_view rest = path; !rest.empty();) {
    const std::string_view name = rest.substr(0, rest.find('/'));
    rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    if (name == "..") return not_beneath(path, "leads upwards");
    if (!name.empty() && name != ".") names.emplace_back(name);
  }
  if (names.empty()) return not_beneath(path, "names no file");
  return names;
}

}  // namespace

FileRoot::FileRoot(const std::filesystem::path& directory) {
  std::error_code problem;
  if (!directory.empty()) root_ = std::filesystem::absolute(directory, problem);
  if (problem) root_ = directory;  // opening it later reports the error
}

Result<FilePlace> FileRoot::resolve_for_writing(std::string_view path) const {
  if (root_.empty())
    return Error{ErrorCode::unsupported,
                 "statements read and write no files here: Options::file_root is not set, which "
                 "names the directory for them",
                 {}};
  CAIRN_ASSIGN(auto names, names_of(path));
  CAIRN_ASSIGN(Directory directory, Directory::open(root_));
  FilePlace place{std::move(directory), std::move(names.front())};
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (is_link(place)) return not_beneath(path, "leads through a link, " + place.name);
    auto next = place.directory.open_directory(place.name);
    if (!next && next.error().code == ErrorCode::corruption)
      return unfit(path, "leads through something that is not a directory, " + place.name);
    if (!next) return next.error();
    place = FilePlace{*std::move(next), std::move(names[i])};
  }
  if (is_link(place)) return not_beneath(path, "is a link");
  return place;
}

// Replaces the code corruption by invalid_argument: a path to something other than a regular file
// is an error of the statement, not damage of the database.
Result<FileDescriptor> FileRoot::open_for_reading(std::string_view path) const {
  CAIRN_ASSIGN(const FilePlace place, resolve_for_writing(path));
  auto file = place.directory.open_file(place.name);
  if (file || file.error().code != ErrorCode::corruption) return file;
  return unfit(path, "is not a regular file with data in it");
}

}  // namespace cairn::engine
