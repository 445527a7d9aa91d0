#pragma once
// FileRoot: the directory below which statements may read and write files (Options::file_root).

#include "engine/files/directory.hpp"

#include <cairn/result.hpp>

#include <filesystem>
#include <string_view>

namespace cairn::engine {

/// Resolves the paths of statements. A path is relative to the root, with `/` between names and without `..`. Links below
/// the root are refused, even if another process makes them during the call. The path of the root itself may lead through
/// links, as the program chose it. Threads: any.
class FileRoot {
 public:
  /// `directory` is Options::file_root. If it is empty, statements cannot access files. A relative path is resolved against
  /// the current working directory now.
  explicit FileRoot(const std::filesystem::path& directory);

  /// Opens a regular file, without ever blocking. Errors: unsupported without a root; invalid_argument for a path that
  /// leaves the root, leads through a link, or is not a regular file; not_found; io_error.
  [[nodiscard]] Result<FileDescriptor> open_for_reading(std::string_view path) const;
  /// Returns the open directory to write into, and the name to write. Does not check what the name
  /// refers to, except that it is not a link. When the caller writes, it must not follow links; the
  /// calls of Directory do not follow them. Errors: as open_for_reading(), and not_found if a
  /// directory of the path does not exist.
  [[nodiscard]] Result<FilePlace> resolve_for_writing(std::string_view path) const;

 private:
  std::filesystem::path root_;  // absolute, or empty
};

}  // namespace cairn::engine
