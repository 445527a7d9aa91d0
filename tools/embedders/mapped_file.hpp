#pragma once
// MappedFile: the bytes of a file of a model.

#include <cairn/result.hpp>

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <utility>

namespace cairn::tools {

/// Maps a file as long as it exists. The memory belongs to the page cache, and processes share it.
/// The file must not be shortened meanwhile; replacing it by rename has no effect.
class MappedFile {
 public:
  /// Errors: io_error, also for an empty file and for anything but a regular file.
  [[nodiscard]] static Result<MappedFile> open(const std::filesystem::path& path);

  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MappedFile();

  [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }

 private:
  explicit MappedFile(std::string_view bytes) : bytes_(bytes) {}

  std::string_view bytes_;
};

}  // namespace cairn::tools
