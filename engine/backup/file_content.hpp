#pragma once
// The content of a file, hashed on its way from one place to another.

#include "codec/checksum.hpp"
#include "engine/system/regular_file.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <stop_token>

namespace cairn::engine {

struct FileContent {
  std::uint64_t bytes = 0;
  codec::Hash128 hash;
  friend bool operator==(const FileContent&, const FileContent&) = default;
};

/// Read from where the descriptor stands, up to the end or `most` bytes.
/// Errors: io_error; cancelled, where a stop is requested before the end.
[[nodiscard]] Result<FileContent> hash_content(const FileDescriptor& from,
                                               const std::filesystem::path& file,
                                               std::uint64_t most = any_size,
                                               const std::stop_token& cancel = {});
/// The same, and write it to `to`, which is synced. Errors: those of hash_content().
[[nodiscard]] Result<FileContent> copy_content(const FileDescriptor& from,
                                               const std::filesystem::path& file,
                                               const FileDescriptor& to,
                                               const std::filesystem::path& copy,
                                               std::uint64_t most = any_size,
                                               const std::stop_token& cancel = {});

}  // namespace cairn::engine
