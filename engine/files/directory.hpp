#pragma once
// Directory: an open directory, by whose descriptor the files in it are named. A process that exchanges the names above it
// meanwhile leads nothing elsewhere, and no link in it is followed.

#include "engine/system/regular_file.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cairn::engine {

/// Names are of what lies in it: without a slash. Threads: as those of the file system.
class Directory {
 public:
  /// The path itself may lead through links. Errors: not_found; io_error, like all below.
  [[nodiscard]] static Result<Directory> open(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] int descriptor() const noexcept { return descriptor_.value(); }

  /// Errors: not_found; corruption, where it is a link or no directory.
  [[nodiscard]] Result<Directory> open_directory(const std::string& name) const;
  /// Of mode 0700, durably. False where it was there already, whatever has the name.
  [[nodiscard]] Result<bool> make_directory(const std::string& name) const;
  /// Both.
  [[nodiscard]] Result<Directory> enter(const std::string& name) const;

  /// See open_regular() and create_regular().
  [[nodiscard]] Result<FileDescriptor> open_file(const std::string& name,
                                                 std::uint64_t most_bytes = any_size) const;
  [[nodiscard]] Result<FileDescriptor> create_file(const std::string& name) const;
  /// The whole of a short file. Errors: as open_file().
  [[nodiscard]] Result<std::string> read_file(const std::string& name,
                                              std::uint64_t most_bytes) const;
  /// In two steps: write the bytes beside the file of the name, synced, and let them take its place. The entry of the
  /// name is on the disk after a sync() of this.
  [[nodiscard]] Status prepare_file(const std::string& name, std::string_view bytes) const;
  [[nodiscard]] Status take_prepared(const std::string& name) const;

  /// In the order of bytes.
  [[nodiscard]] Result<std::vector<std::string>> names() const;
  [[nodiscard]] bool has(const std::string& name) const;
  [[nodiscard]] Status rename(const std::string& from, const std::string& to) const;
  [[nodiscard]] Status erase_file(const std::string& name) const;
  /// An empty one.
  [[nodiscard]] Status erase_directory(const std::string& name) const;
  /// A file, or a directory with what is in it, of which no more than `levels` are below each other. An absent one is not an error.
  [[nodiscard]] Status erase_all(const std::string& name, int levels) const;
  /// The names in it are on disk.
  [[nodiscard]] Status sync() const;

  /// Whether it is `other`, or lies in it at any depth.
  [[nodiscard]] Result<bool> is_within(const Directory& other) const;

 private:
  Directory(FileDescriptor descriptor, std::filesystem::path path)
      : descriptor_(std::move(descriptor)), path_(std::move(path)) {}

  FileDescriptor descriptor_;
  std::filesystem::path path_;  // for messages
};

/// A name in an open directory, which something has or may get.
struct FilePlace {
  Directory directory;
  std::string name;

  /// Of any path; links on the way are followed. Errors: invalid_argument, where it is empty; not_found, where the
  /// directory above it is not there; io_error.
  [[nodiscard]] static Result<FilePlace> of(const std::filesystem::path& path);
  [[nodiscard]] std::filesystem::path path() const { return directory.path() / name; }
};

}  // namespace cairn::engine
