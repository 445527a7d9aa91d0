// Files of segments that appear complete or not at all: written under another name, synced,
// renamed, and the directory synced (store/metadata_file.cpp explains why). A file may have
// gigabytes, so it is written from front to back without a second copy in memory. A `.new` file
// that remains after a crash is overwritten by the next write.
#include "engine/vector/durable_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

namespace cairn::engine {
namespace {

// A rename is durable only after its directory is synced.
Status sync_directory(const std::filesystem::path& directory) {
  const auto name = directory.empty() ? std::filesystem::path(".") : directory;
  const FileDescriptor descriptor(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.value() < 0 || ::fsync(descriptor.value()) != 0)
    return file_error("cannot sync directory", name);
  return {};
}

}  // namespace

FileReader::FileReader(FileDescriptor descriptor, std::filesystem::path file, std::uint64_t size)
    : descriptor_(std::move(descriptor)), file_(std::move(file)), size_(size) {}

Result<FileReader> FileReader::open(const std::filesystem::path& file) {
  CAIRN_ASSIGN(FileDescriptor descriptor, open_regular(file, O_RDONLY));
  struct stat status = {};
  if (::fstat(descriptor.value(), &status) != 0) return file_error("cannot get the size of", file);
  return FileReader(std::move(descriptor), file, static_cast<std::uint64_t>(status.st_size));
}

Status FileReader::read(std::span<char> out) {
  while (!out.empty()) {
    CAIRN_ASSIGN(const std::size_t size, read_bytes(descriptor_.value(), out, file_));
    if (size == 0)
      return Error{
          ErrorCode::corruption,
          file_.string() + " ends too early, after " + std::to_string(position_) + " bytes",
          {}};
    out = out.subspan(size);
    position_ += size;
  }
  return {};
}

// Asks for the size again, because the file may have been truncated since it was opened.
Result<FileMap> FileReader::map(std::uint64_t offset, std::size_t bytes) const {
  FileMap map;
  if (bytes == 0) return map;
  struct stat status = {};
  if (::fstat(descriptor_.value(), &status) != 0)
    return file_error("cannot get the size of", file_);
  const auto length = static_cast<std::uint64_t>(status.st_size);
  if (offset > length || bytes > length - offset)
    return Error{ErrorCode::corruption,
                 file_.string() + " ends too early, after " + std::to_string(length) + " bytes",
                 {}};
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t before = offset % page;
  void* pages = ::mmap(nullptr, bytes + before, PROT_READ, MAP_SHARED, descriptor_.value(),
                       static_cast<off_t>(offset - before));
  if (pages == MAP_FAILED) return file_error("cannot map", file_);
  map.pages_ = pages;
  map.page_bytes_ = bytes + before;
  map.data_ = static_cast<const char*>(pages) + before;
  map.size_ = bytes;
  return map;
}

// Swaps, so that the destructor of `other` unmaps what this object had.
FileMap& FileMap::operator=(FileMap&& other) noexcept {
  std::swap(pages_, other.pages_);
  std::swap(page_bytes_, other.page_bytes_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

FileMap::~FileMap() {
  if (pages_ != nullptr) ::munmap(pages_, page_bytes_);
}

DurableWriter::DurableWriter(FileDescriptor descriptor, std::filesystem::path file,
                             std::filesystem::path next)
    : descriptor_(std::move(descriptor)), file_(std::move(file)), next_(std::move(next)) {}

// create_regular() replaces a `.new` file that is there.
Result<DurableWriter> DurableWriter::create(const std::filesystem::path& file) {
  std::filesystem::path next = file;
  next += ".new";
  CAIRN_ASSIGN(FileDescriptor descriptor, create_regular(next));
  return DurableWriter(std::move(descriptor), file, std::move(next));
}

Status DurableWriter::write(std::string_view bytes) {
  return write_bytes(descriptor_.value(), bytes, next_);
}

Status DurableWriter::commit() {
  if (::fsync(descriptor_.value()) != 0) return file_error("cannot sync", next_);
  if (std::rename(next_.c_str(), file_.c_str()) != 0) return file_error("cannot rename", next_);
  return sync_directory(file_.parent_path());
}

}  // namespace cairn::engine
