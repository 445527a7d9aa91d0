#pragma once
// Backups: a directory that holds a database as of one commit. Database::backup() writes one.
//
//     CAIRN_ASSIGN(const BackupReport report, database.backup("backups/monday"));
//     CAIRN_TRY(verify_backup("backups/monday"));
//     CAIRN_TRY(restore_backup("backups/monday", "restored.cairn"));

#include <cairn/database.hpp>
#include <cairn/result.hpp>
#include <cairn/visibility.hpp>

#include <cstdint>
#include <filesystem>
#include <string>

namespace cairn {

/// What a backup holds, and what it cost.
struct BackupReport {
  std::string database_id;   ///< 32 hexadecimal digits
  std::uint64_t commit = 0;  ///< the newest commit that it contains
  std::int64_t made_at = 0;  ///< microseconds since 1970 UTC
  std::uint64_t files = 0;   ///< of the backup
  std::uint64_t bytes = 0;   ///< of these
  std::uint64_t linked_files = 0;
  std::uint64_t copied_bytes = 0;  ///< the rest was linked, or was there from the backup before
};

/// Read every file of a backup and compare it with its checksum.
///
/// Errors: corruption, naming the file, for one that is missing, changed or of another backup;
/// not_found where there is no backup; format_too_new; busy while another process writes it; io_error.
/// Cost: reads all of it.
[[nodiscard]] CAIRN_EXPORT Result<BackupReport> verify_backup(
    const std::filesystem::path& directory);

/// Make a database of a backup, which stays as it is.
///
/// Each file is compared with its checksum while it is copied, and the database appears when all of it is there.
///
/// Errors: those of verify_backup(); invalid_argument where `database` is there and not empty.
/// Cost: a copy of all files. No file is shared with the backup, so that the database may be written.
[[nodiscard]] CAIRN_EXPORT Result<BackupReport> restore_backup(
    const std::filesystem::path& directory, const std::filesystem::path& database);

}  // namespace cairn
