#pragma once
// Opens files of a database: only regular files of a possible size. Whoever made the directory may have put
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

/// An open file; closed at the end of its scope.
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
  int value_ = -1;  // none
};

/// No bound but the one for holes.
inline constexpr std::uint64_t any_size = std::numeric_limits<std::uint64_t>::max();

/// Whether what has this name may be opened: a regular file, no symbolic link to one, of at most `most_bytes`,
/// and with no more holes than data and 16 MiB. A name that nothing has passes. For files that others open.
/// Errors: corruption, with what it is and the repair; io_error.
[[nodiscard]] Status check_regular(const std::filesystem::path& file,
                                   std::uint64_t most_bytes = any_size);
/// Open a file that check_regular() lets pass, without ever waiting for anybody; with O_CREAT its mode is 0600.
/// Errors: not_found; corruption, as check_regular(); io_error.
[[nodiscard]] Result<FileDescriptor> open_regular(const std::filesystem::path& file, int flags,
                                                  std::uint64_t most_bytes = any_size);
/// The same of a name in an open directory; `file` is what messages call it.
[[nodiscard]] Result<FileDescriptor> open_regular_at(int directory, const std::string& name,
                                                     const std::filesystem::path& file, int flags,
                                                     std::uint64_t most_bytes = any_size);
/// Make an empty file of mode 0600 for writing, in place of whatever has the name but a directory. Errors: io_error.
[[nodiscard]] Result<FileDescriptor> create_regular(const std::filesystem::path& file);
[[nodiscard]] Result<FileDescriptor> create_regular_at(int directory, const std::string& name,
                                                       const std::filesystem::path& file);

/// All of them, from where the last write ended. Errors: io_error.
[[nodiscard]] Status write_bytes(int descriptor, std::string_view bytes,
                                 const std::filesystem::path& file);
/// As many as there are, up to `out`; 0 at the end of the file. Errors: io_error.
[[nodiscard]] Result<std::size_t> read_bytes(int descriptor, std::span<char> out,
                                             const std::filesystem::path& file);
/// Whether this is a directory, and no symbolic link to one. A name that nothing has passes.
/// Errors: corruption, with what it is and the repair; io_error.
[[nodiscard]] Status check_directory(const std::filesystem::path& directory);

/// With the words of errno: to be called before anything else may set it. not_found where it says so.
[[nodiscard]] Error file_error(std::string_view what, const std::filesystem::path& file);

}  // namespace cairn::engine
