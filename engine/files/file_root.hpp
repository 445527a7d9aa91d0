#pragma once
// FileRoot: the one directory beneath which statements read and write files.

#include "engine/files/directory.hpp"

#include <cairn/result.hpp>

#include <filesystem>
#include <string_view>

namespace cairn::engine {

/// Takes paths as statements give them: relative to the root, `/` between names, no `..`, and no link anywhere below the
/// root, by any process at any time. The root itself may be reached by links: it is the program's own choice.
/// Threads: any.
class FileRoot {
 public:
  /// Options::file_root; empty: no statement touches a file. A relative one is of this moment's working directory.
  explicit FileRoot(const std::filesystem::path& directory);

  /// A regular file, never waited for. Errors: unsupported without a root; invalid_argument for a path that leads out or
  /// through a link, and for anything but a regular file; not_found; io_error.
  [[nodiscard]] Result<FileDescriptor> open_for_reading(std::string_view path) const;
  /// The open directory in which to write, and the name to write. What has the name is not looked at: the writer must
  /// not follow it, which Directory does not. Errors: as open_for_reading(); not_found, where the directory is not there.
  [[nodiscard]] Result<FilePlace> resolve_for_writing(std::string_view path) const;

 private:
  std::filesystem::path root_;
};

}  // namespace cairn::engine
