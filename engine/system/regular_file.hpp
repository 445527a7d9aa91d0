#pragma once
// Opens the files of a database: only regular files of a plausible size. A directory from an unknown source may have
// anything in the place of a file.

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::engine {

/// Owns a file descriptor, and closes it at the end.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int value) noexcept : value_(value) {}
  FileDescriptor(FileDescriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~FileDescriptor();
  [[nodiscard]] bool is_open() const noexcept { return value_ >= 0; }
  [[nodiscard]] int value() const noexcept { return value_; }

 private:
  int value_ = -1;  // -1: not open
};

/// No limit on the size of a file, except that it must not mostly consist of holes.
inline constexpr std::uint64_t any_size = std::numeric_limits<std::uint64_t>::max();

/// Checks that a path may be opened: it is a regular file and not a link, has at most `most_bytes`, and its holes are at
/// most its data plus 16 MiB. A path that does not exist passes. For files that other code opens by name.
/// Errors: corruption, which says what the file is and how to repair it; io_error.
[[nodiscard]] Status check_regular(const std::filesystem::path& file,
                                   std::uint64_t most_bytes = any_size);
/// Opens a file that passes check_regular(), without ever blocking. With O_CREAT in `flags` a new file gets mode 0600.
/// Errors: not_found; corruption, as check_regular(); io_error.
[[nodiscard]] Result<FileDescriptor> open_regular(const std::filesystem::path& file, int flags,
                                                  std::uint64_t most_bytes = any_size);
/// Like open_regular(), for a name in the open directory `directory`. `file` is its path in messages.
[[nodiscard]] Result<FileDescriptor> open_regular_at(int directory, const std::string& name,
                                                     const std::filesystem::path& file, int flags,
                                                     std::uint64_t most_bytes = any_size);
/// Makes an empty file of mode 0600 and opens it for writing. Replaces whatever has the name, except a directory.
/// Errors: io_error.
[[nodiscard]] Result<FileDescriptor> create_regular(const std::filesystem::path& file);
[[nodiscard]] Result<FileDescriptor> create_regular_at(int directory, const std::string& name,
                                                       const std::filesystem::path& file);

/// Writes all bytes at the current position. `file` is the path in messages. Errors: io_error.
[[nodiscard]] Status write_bytes(int descriptor, std::string_view bytes,
                                 const std::filesystem::path& file);
/// Reads up to `out.size()` bytes at the current position. Returns how many were read; 0 at the end of the file.
/// Errors: io_error.
[[nodiscard]] Result<std::size_t> read_bytes(int descriptor, std::span<char> out,
                                             const std::filesystem::path& file);
/// Checks that a path is a directory and not a link to one. A path that does not exist passes.
/// Errors: corruption, which says what the path is and how to repair it.
[[nodiscard]] Status check_directory(const std::filesystem::path& directory);

/// Makes the error of a failed system call from errno: not_found for ENOENT, otherwise io_error. Call it before anything
/// else can change errno. `what` is for instance "cannot open".
[[nodiscard]] Error file_error(std::string_view what, const std::filesystem::path& file);

}  // namespace cairn::engine
