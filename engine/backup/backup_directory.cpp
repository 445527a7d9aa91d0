#include "engine/backup/backup_directory.hpp"

#include <unistd.h>

#include <algorithm>
#include <vector>

namespace cairn::engine {

// hash_content() and copy_content() share one loop, so that the hash is of exactly the bytes that were written, and the file
// is read only once.

namespace {

// Size of a read, and the interval of checks for a stop.
constexpr std::size_t piece_bytes = std::size_t{1} << 20;

/// Reads and hashes a file in pieces, and passes each piece to `take`.
template <class Take>
Result<FileContent> walk_content(const FileDescriptor& from, const std::filesystem::path& file,
                                 std::uint64_t most, const std::stop_token& cancel,
                                 const Take& take) {
  std::vector<char> piece(piece_bytes);
  codec::Hasher128 hasher;
  FileContent content;
  while (content.bytes < most) {
    if (cancel.stop_requested())
      return Error{ErrorCode::cancelled, "the reading of " + file.string() + " was stopped", {}};
    const auto wanted = std::min<std::uint64_t>(piece.size(), most - content.bytes);
    CAIRN_ASSIGN(const std::size_t size,
                 read_bytes(from.value(), std::span(piece).first(wanted), file));
    if (size == 0) break;
    const std::string_view bytes(piece.data(), size);
    hasher.add(bytes);
    CAIRN_TRY(take(bytes));
    content.bytes += size;
  }
  content.hash = hasher.hash();
  return content;
}

}  // namespace

Result<FileContent> hash_content(const FileDescriptor& from, const std::filesystem::path& file,
                                 std::uint64_t most, const std::stop_token& cancel) {
  return walk_content(from, file, most, cancel, [](std::string_view) { return Status(); });
}

Result<FileContent> copy_content(const FileDescriptor& from, const std::filesystem::path& file,
                                 const FileDescriptor& to, const std::filesystem::path& copy,
                                 std::uint64_t most, const std::stop_token& cancel) {
  CAIRN_ASSIGN(const FileContent content,
               walk_content(from, file, most, cancel, [&](std::string_view bytes) {
                 return write_bytes(to.value(), bytes, copy);
               }));
  if (::fsync(to.value()) != 0) return file_error("cannot sync", copy);
  return content;
}

}  // namespace cairn::engine
