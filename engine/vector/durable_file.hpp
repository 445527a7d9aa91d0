#pragma once
// FileReader: reads a file from front to back. DurableWriter: writes a file that appears under its
// name complete and synced, or not at all. FileMap: a part of a file mapped into memory.

#include "engine/system/regular_file.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

namespace cairn::engine {

/// A read-only memory mapping of a part of a file. The system reads a page when it is accessed, and
/// drops it when memory is short. The file may be replaced by rename or deleted meanwhile.
///
/// If the file is truncated or its disk fails, access to the lost part ends the process (SIGBUS).
/// So only files that no other program writes, and that are never changed in place, are mapped.
class FileMap {
 public:
  FileMap() = default;
  FileMap(FileMap&& other) noexcept { *this = std::move(other); }
  FileMap& operator=(FileMap&& other) noexcept;
  ~FileMap();
  [[nodiscard]] const char* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  friend class FileReader;

  // The whole pages that contain the mapped part.
  void* pages_ = nullptr;
  std::size_t page_bytes_ = 0;
  // The mapped part.
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Reads a file from front to back. Threads: one.
class FileReader {
 public:
  /// Opens a file. Errors: not_found, io_error; corruption, if it is not a regular file.
  [[nodiscard]] static Result<FileReader> open(const std::filesystem::path& file);
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// Fills `out` with the bytes that follow the last read. Errors: io_error; corruption if the file
  /// ends before.
  [[nodiscard]] Status read(std::span<char> out);
  /// The offset at which the next read begins.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  /// Maps a part of the open file, even if another file has its name by now. Errors: io_error;
  /// corruption if the file is too short.
  [[nodiscard]] Result<FileMap> map(std::uint64_t offset, std::size_t bytes) const;

 private:
  FileReader(FileDescriptor descriptor, std::filesystem::path file, std::uint64_t size);

  FileDescriptor descriptor_;
  std::filesystem::path file_;
  std::uint64_t size_;
  std::uint64_t position_ = 0;
};

/// Writes to `file`.new, with mode 0600, until commit() renames it. Until then the old file stays
/// unchanged.
class DurableWriter {
 public:
  /// Creates `file`.new. Errors: io_error, as for all functions below.
  [[nodiscard]] static Result<DurableWriter> create(const std::filesystem::path& file);
  [[nodiscard]] Status write(std::string_view bytes);
  /// Syncs the file, renames it and syncs the directory.
  [[nodiscard]] Status commit();

 private:
  DurableWriter(FileDescriptor descriptor, std::filesystem::path file, std::filesystem::path next);

  FileDescriptor descriptor_;
  std::filesystem::path file_;
  std::filesystem::path next_;
};

}  // namespace cairn::engine
