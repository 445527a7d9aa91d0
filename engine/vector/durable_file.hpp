#pragma once
// FileReader and DurableWriter: a file read from front to back, and one that appears under its name
// whole and synced, or not at all. FileMap: a part of a file as memory.

#include "engine/system/regular_file.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

namespace cairn::engine {

/// A part of a file as memory that cannot be written; the system reads a page when it is touched and
/// drops it when memory is short. The file may be renamed over or erased meanwhile. Should somebody cut
/// it, or the disk fail under it, touching what is lost ends the process (SIGBUS): so only files that
/// nobody but us writes, and that we never change in place, are mapped.
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

  void* pages_ = nullptr;
  std::size_t page_bytes_ = 0;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

class FileReader {
 public:
  /// Errors: not_found, io_error; corruption, if it is not a regular file.
  [[nodiscard]] static Result<FileReader> open(const std::filesystem::path& file);
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// Fill `out` from where the last read ended. Errors: io_error; corruption where the file ends.
  [[nodiscard]] Status read(std::span<char> out);
  /// Where the next read begins.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  /// Of this very file, whatever is under its name by now. Errors: io_error; corruption where it is not
  /// as long.
  [[nodiscard]] Result<FileMap> map(std::uint64_t offset, std::size_t bytes) const;

 private:
  FileReader(FileDescriptor descriptor, std::filesystem::path file, std::uint64_t size);

  FileDescriptor descriptor_;
  std::filesystem::path file_;
  std::uint64_t size_;
  std::uint64_t position_ = 0;
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
