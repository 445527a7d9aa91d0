#pragma once
// Backups: a directory with a copy of a database as of one commit. Database::backup() writes one.
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

/// What a backup contains, and what the call that wrote it copied.
struct BackupReport {
  std::string database_id;         ///< 32 hexadecimal digits
  std::uint64_t commit = 0;        ///< the newest commit that it contains
  std::int64_t made_at = 0;        ///< microseconds since 1970 UTC
  std::uint64_t files = 0;         ///< files of the backup
  std::uint64_t bytes = 0;         ///< bytes of these files
  std::uint64_t linked_files = 0;  ///< files that this call linked instead of copying
  std::uint64_t copied_bytes = 0;  ///< by this call; other files were linked or already there
};

/// Reads every file of a backup and compares it with its checksum.
///
/// Errors: corruption, naming the file, if a file is missing, changed or of another backup;
/// not_found without a backup; format_too_new; busy while another process writes the backup;
/// io_error. Cost: reads the whole backup.
[[nodiscard]] CAIRN_EXPORT Result<BackupReport> verify_backup(
    const std::filesystem::path& directory);

/// Creates a database from a backup. The backup does not change.
///
/// Each file is compared with its checksum while it is copied. The database appears only after all
/// files are complete.
///
/// Errors: those of verify_backup(); invalid_argument if `database` exists and is not empty.
/// Cost: a copy of all files. The database shares no file with the backup, so it can be written.
[[nodiscard]] CAIRN_EXPORT Result<BackupReport> restore_backup(
    const std::filesystem::path& directory, const std::filesystem::path& database);

}  // namespace cairn
