#pragma once
// What the reader and the writer of a backup know of its directory:
//
// BACKUP                        the list of files; exchanged by a rename, which is the moment of a new backup
// generation-N/FORMAT ...       what the N-th backup brought, each under its name in the database
// generation-N/store/ vector/
//
// Files of older generations are used on as long as the list names them. What it does not name is of a backup that did
// not end, and goes with the next one.

#include "codec/backup_manifest.hpp"
#include "codec/checksum.hpp"
#include "engine/files/directory.hpp"
#include "engine/system/regular_file.hpp"

#include <cairn/backup.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::engine {

inline constexpr const char* backup_list = "BACKUP";
inline constexpr std::string_view generation_prefix = "generation-";
/// A million files have less.
inline constexpr std::uint64_t most_backup_list_bytes = std::uint64_t{256} << 20;

[[nodiscard]] inline std::string generation_name(std::uint64_t generation) {
  return std::string(generation_prefix) + std::to_string(generation);
}

/// "store" and "000012.sst"; the first is empty for a file beside them.
[[nodiscard]] inline std::pair<std::string, std::string> split_name(const std::string& name) {
  const auto slash = name.find('/');
  if (slash == std::string::npos) return {"", name};
  return {name.substr(0, slash), name.substr(slash + 1)};
}

/// A backup that is read. Nobody writes into it meanwhile.
class BackupReader {
 public:
  /// Errors: not_found, if there is no backup; busy, while one is being written; corruption, format_too_new, io_error.
  [[nodiscard]] static Result<BackupReader> open(const std::filesystem::path& directory);

  [[nodiscard]] const codec::BackupManifest& manifest() const noexcept { return manifest_; }
  /// Errors: corruption, naming the file, where it is missing or of another size.
  [[nodiscard]] Result<FileDescriptor> open_file(const codec::BackupFile& file) const;
  [[nodiscard]] std::filesystem::path path_of(const codec::BackupFile& file) const;
  /// The report of the backup, without its costs.
  [[nodiscard]] BackupReport report() const;
  /// Whether COMMIT is that of this backup. Errors: corruption.
  [[nodiscard]] Status check_commit() const;

 private:
  BackupReader(Directory root, codec::BackupManifest manifest)
      : root_(std::move(root)), manifest_(std::move(manifest)) {}

  Directory root_;
  codec::BackupManifest manifest_;
};

[[nodiscard]] BackupReport report_of(const codec::BackupManifest& manifest);
/// Errors: corruption, naming the file.
[[nodiscard]] Error changed_file(const std::filesystem::path& file, std::string_view problem);

// The content of a file, hashed on its way from one place to another.

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
