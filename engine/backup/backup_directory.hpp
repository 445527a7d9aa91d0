#pragma once
// The layout of a backup directory, and the classes that read and write it:
//
// BACKUP                        the list of files. A rename replaces it: at that moment the new backup becomes valid
// generation-N/FORMAT ...       the files that the N-th backup added, under their names in the database
// generation-N/store/ vector/
//
// A backup refers to files of older generations that did not change. A file that the list does not name belongs to an
// unfinished or replaced backup, and the next backup erases it.

#include "codec/backup_manifest.hpp"
#include "codec/checksum.hpp"
#include "engine/files/directory.hpp"
#include "engine/system/regular_file.hpp"

#include <cairn/backup.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::engine {

inline constexpr const char* backup_list = "BACKUP";
inline constexpr std::string_view generation_prefix = "generation-";
/// The largest list that is read. A list of a million files is smaller.
inline constexpr std::uint64_t most_backup_list_bytes = std::uint64_t{256} << 20;

[[nodiscard]] inline std::string generation_name(std::uint64_t generation) {
  return std::string(generation_prefix) + std::to_string(generation);
}

/// Splits "store/000012.sst" into "store" and "000012.sst". The first part is empty for a name without a directory.
[[nodiscard]] inline std::pair<std::string, std::string> split_name(const std::string& name) {
  const auto slash = name.find('/');
  if (slash == std::string::npos) return {"", name};
  return {name.substr(0, slash), name.substr(slash + 1)};
}

/// An open backup. A shared lock on its directory prevents writing as long as the reader lives.
class BackupReader {
 public:
  /// Opens the backup in a directory. Errors: not_found without a backup; busy while one is being written; corruption;
  /// format_too_new; io_error.
  [[nodiscard]] static Result<BackupReader> open(const std::filesystem::path& directory);

  [[nodiscard]] const codec::BackupManifest& manifest() const noexcept { return manifest_; }
  /// Opens a file of the backup. Errors: corruption, naming the file, if it is missing or has another size than listed.
  [[nodiscard]] Result<FileDescriptor> open_file(const codec::BackupFile& file) const;
  [[nodiscard]] std::filesystem::path path_of(const codec::BackupFile& file) const;
  /// The report of the backup. `linked_files` and `copied_bytes` are 0, as they are not stored.
  [[nodiscard]] BackupReport report() const;
  /// Checks that the file COMMIT has the database id and the commit number of this backup. Errors: corruption.
  [[nodiscard]] Status check_commit() const;

 private:
  BackupReader(Directory root, codec::BackupManifest manifest)
      : root_(std::move(root)), manifest_(std::move(manifest)) {}

  Directory root_;
  codec::BackupManifest manifest_;
};

/// Returns the report of a backup, without `linked_files` and `copied_bytes`.
[[nodiscard]] BackupReport report_of(const codec::BackupManifest& manifest);
/// Makes the error of a damaged file of a backup: corruption, naming the file.
[[nodiscard]] Error changed_file(const std::filesystem::path& file, std::string_view problem);

// Functions that read a file and hash it in the same pass.

/// What was read: its size and its hash.
struct FileContent {
  std::uint64_t bytes = 0;
  codec::Hash128 hash;
  friend bool operator==(const FileContent&, const FileContent&) = default;
};

/// Reads and hashes from the current position of the descriptor, up to the end of the file or `most` bytes. `file` is used
/// in messages. Errors: io_error; cancelled if a stop is requested before the end.
[[nodiscard]] Result<FileContent> hash_content(const FileDescriptor& from,
                                               const std::filesystem::path& file,
                                               std::uint64_t most = any_size,
                                               const std::stop_token& cancel = {});
/// Like hash_content(), and writes what it reads to `to`, which it syncs. `copy` is the name of `to` in messages.
/// Errors: those of hash_content().
[[nodiscard]] Result<FileContent> copy_content(const FileDescriptor& from,
                                               const std::filesystem::path& file,
                                               const FileDescriptor& to,
                                               const std::filesystem::path& copy,
                                               std::uint64_t most = any_size,
                                               const std::stop_token& cancel = {});

// BackupWriter: adds one generation to a backup. Readers use the earlier backup until finish(). A writer that is destroyed
// before finish() leaves the earlier backup unchanged.

/// Adds the files of a database under their names in the database, each once, and then finishes the backup. Threads:
/// one at a time.
class BackupWriter {
 public:
  /// Begins a backup into the directory `place`, which is made if it does not exist. Locks the directory, and erases the
  /// remains of unfinished backups. `database` is the directory of the database.
  /// Errors: invalid_argument if `place` has other files or a backup of another database, or is in `database`; busy;
  /// corruption if the existing list is damaged. Errors of all functions: io_error, and cancelled once a stop is requested.
  [[nodiscard]] static Result<BackupWriter> begin(const FilePlace& place,
                                                  const std::filesystem::path& database,
                                                  const std::string& database_id,
                                                  std::stop_token cancel = {});
  BackupWriter(BackupWriter&&) = default;
  BackupWriter& operator=(BackupWriter&&) = delete;
  /// Erases the files of an unfinished backup.
  ~BackupWriter();

  /// Adds a file whose content never changes under its name. Reuses the file of the earlier backup if it is the same, and
  /// otherwise makes a hard link or, where links are not possible, a copy. Errors: also not_found.
  [[nodiscard]] Status add_unchanging(const std::string& name, const std::filesystem::path& source);
  /// Adds a copy of the first `bytes` bytes of a file, which may be appended to meanwhile.
  [[nodiscard]] Status add_copy(const std::string& name, const std::filesystem::path& source,
                                std::uint64_t bytes);
  /// Adds a file with the given content.
  [[nodiscard]] Status add_content(const std::string& name, std::string_view content);

  /// Replaces the list: from now on the backup consists of the files that were added. `made_at` is in microseconds since
  /// 1970.
  [[nodiscard]] Result<BackupReport> finish(std::uint64_t commit, std::int64_t made_at);
  /// Makes the error of a cancelled backup. It says whether the directory still has an earlier backup.
  [[nodiscard]] Error stopped() const;

 private:
  using File = codec::BackupFile;
  BackupWriter(Directory root, const std::string& database_id,
               std::optional<codec::BackupManifest> earlier, std::stop_token cancel);
  [[nodiscard]] Status check_stop() const;

  /// Returns the file of the earlier backup with the name, size and time of modification of `wanted`, if it is still there.
  [[nodiscard]] std::optional<File> earlier_file(const File& wanted) const;
  /// Returns the directory of this generation in which a name belongs, and makes it if necessary.
  [[nodiscard]] Result<const Directory*> directory_of(const std::string& name);
  /// Makes a hard link. Returns false if the file system does not allow it.
  [[nodiscard]] Result<bool> link(const std::string& name, const std::filesystem::path& source);
  /// Adds a copy of up to `most` bytes of an open file.
  [[nodiscard]] Status add_copied(File file, const FileDescriptor& from,
                                  const std::filesystem::path& source, std::uint64_t most);
  /// Notes a file of this generation for the list.
  void add(File file, const FileContent& content);
  [[nodiscard]] Status sync_directories() const;
  /// Erases all files in generations that `list` does not name. Null: no list, so all of them.
  [[nodiscard]] Status sweep(const codec::BackupManifest* list) const;

  std::stop_token cancel_;
  Directory root_;
  std::optional<codec::BackupManifest> earlier_;  // list of the earlier backup in the directory
  codec::BackupManifest manifest_;                // list of this backup; gets its files in finish()
  std::map<std::string, File> files_;             // files of this backup so far, by name
  // Directories of this generation, by name; "" is the generation itself.
  std::map<std::string, Directory> directories_;
  std::uint64_t linked_files_ = 0;
  std::uint64_t copied_bytes_ = 0;
  bool is_finished_ = false;
};

}  // namespace cairn::engine
