#include "tools/embedders/model_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace cairn::tools {
namespace {

Error cannot(const char* what, const std::filesystem::path& path) {
  return {ErrorCode::io_error,
          "cannot " + std::string(what) + " " + path.string() + ": " + std::strerror(errno),
          {}};
}

/// The mapping remains valid after the descriptor is closed.
Result<std::string_view> map(int descriptor, const std::filesystem::path& path) {
  struct stat about{};
  if (::fstat(descriptor, &about) != 0) return cannot("read", path);
  if (!S_ISREG(about.st_mode) || about.st_size == 0)
    return Error{ErrorCode::io_error, path.string() + " is empty or not a regular file", {}};
  const auto size = static_cast<std::size_t>(about.st_size);
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  if (data == MAP_FAILED) return cannot("map", path);
  return std::string_view(static_cast<const char*>(data), size);
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  // Opening never waits, not even for the writer of a pipe.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return cannot("read", path);
  const auto bytes = map(descriptor, path);
  ::close(descriptor);
  if (!bytes) return bytes.error();
  return MappedFile(*bytes);
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

}  // namespace cairn::tools
