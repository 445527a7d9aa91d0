#pragma once
// Directory: an open directory. Files in it are named relative to its descriptor, so that renaming the directories above it
// meanwhile cannot redirect a call to another place. No symbolic link in the directory is followed.

#include "engine/system/regular_file.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cairn::engine {

/// Each name is that of an entry of the directory, without a slash. Threads: any. Calls are as
/// atomic as the system calls that they make.
class Directory {
 public:
  /// Opens a directory; the path may lead through links. Errors of this and all other calls: io_error, and not_found if the
  /// named entry does not exist.
  [[nodiscard]] static Result<Directory> open(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] int descriptor() const noexcept { return descriptor_.value(); }

  /// Opens a directory inside this one. Errors: corruption if the name is a link or not a directory.
  [[nodiscard]] Result<Directory> open_directory(const std::string& name) const;
  /// Makes a directory of mode 0700 and syncs this one. Returns false if the name exists already,
  /// whatever it names.
  [[nodiscard]] Result<bool> make_directory(const std::string& name) const;
  /// Makes a directory unless it exists, and opens it. Errors: those of both calls.
  [[nodiscard]] Result<Directory> enter(const std::string& name) const;

  /// Open a file for reading, and make a file for writing: see open_regular() and create_regular().
  [[nodiscard]] Result<FileDescriptor> open_file(const std::string& name,
                                                 std::uint64_t most_bytes = any_size) const;
  [[nodiscard]] Result<FileDescriptor> create_file(const std::string& name) const;
  /// Reads a whole file of at most `most_bytes`. Errors: as open_file(); corruption if the file grows beyond that meanwhile.
  [[nodiscard]] Result<std::string> read_file(const std::string& name,
                                              std::uint64_t most_bytes) const;
  /// Replace the content of a file in two steps. prepare_file() writes and syncs a temporary file; take_prepared() renames
  /// it to `name`. The rename is durable after sync().
  [[nodiscard]] Status prepare_file(const std::string& name, std::string_view bytes) const;
  [[nodiscard]] Status take_prepared(const std::string& name) const;

  /// Returns the names of all entries, sorted by bytes.
  [[nodiscard]] Result<std::vector<std::string>> names() const;
  [[nodiscard]] bool has(const std::string& name) const;
  [[nodiscard]] Status rename(const std::string& from, const std::string& to) const;
  [[nodiscard]] Status erase_file(const std::string& name) const;
  /// Erases an empty directory.
  [[nodiscard]] Status erase_directory(const std::string& name) const;
  /// Erases a file, or a directory with its content. A name that does not exist is not an error. Errors: corruption if
  /// directories are nested more than `levels` deep.
  [[nodiscard]] Status erase_all(const std::string& name, int levels) const;
  /// Makes new, renamed and erased names in this directory durable.
  [[nodiscard]] Status sync() const;

  /// True if this directory is `other`, or is in it at any depth.
  [[nodiscard]] Result<bool> is_within(const Directory& other) const;

 private:
  Directory(FileDescriptor descriptor, std::filesystem::path path)
      : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

  FileDescriptor descriptor_;
  std::filesystem::path path_;  // for messages
};

/// A name in an open directory. An entry with this name may exist or not.
struct FilePlace {
  Directory directory;
  std::string name;

  /// Resolves a path, following links on the way, and opens its parent directory. Errors: invalid_argument if the path is
  /// empty or the root; not_found if the parent does not exist; io_error.
  [[nodiscard]] static Result<FilePlace> of(const std::filesystem::path& path);
  [[nodiscard]] std::filesystem::path path() const { return directory.path() / name; }
};

}  // namespace cairn::engine
