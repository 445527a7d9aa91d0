#pragma once
// FileReader and DurableWriter: a file read from front to back, and one that appears under its name
// whole and synced, or not at all.

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace cairn::engine {

/// An open file; closed at the end of its scope.
class FileDescriptor {
 public:
  explicit FileDescriptor(int value) noexcept : value_(value) {}
  FileDescriptor(FileDescriptor&& other) noexcept : value_(other.value_) { other.value_ = -1; }
  FileDescriptor& operator=(FileDescriptor&&) = delete;
  ~FileDescriptor();
  [[nodiscard]] int value() const noexcept { return value_; }

 private:
  int value_;
};

class FileReader {
 public:
  /// Errors: not_found, io_error.
  [[nodiscard]] static Result<FileReader> open(const std::filesystem::path& file);
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// Fill `out` from where the last read ended. Errors: io_error; corruption where the file ends.
  [[nodiscard]] Status read(std::span<char> out);

 private:
  FileReader(FileDescriptor descriptor, std::filesystem::path file, std::uint64_t size);

  FileDescriptor descriptor_;
  std::filesystem::path file_;
  std::uint64_t size_;
};

/// Writes to `file` with ".new" behind it, mode 0600. Until commit() the old file stays as it is.
class DurableWriter {
 public:
  /// Errors: io_error, like all below.
  [[nodiscard]] static Result<DurableWriter> create(const std::filesystem::path& file);
  [[nodiscard]] Status write(std::string_view bytes);
  /// Sync, rename, sync the directory.
  [[nodiscard]] Status commit();

 private:
  DurableWriter(FileDescriptor descriptor, std::filesystem::path file, std::filesystem::path next);

  FileDescriptor descriptor_;
  std::filesystem::path file_;
  std::filesystem::path next_;
};

}  // namespace cairn::engine
