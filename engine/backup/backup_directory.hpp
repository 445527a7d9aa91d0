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
#include <map>
#include <optional>
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

// BackupWriter: adds one generation to a backup. Readers use the earlier backup until finish(). A writer that is destroyed
// before finish() leaves the earlier backup unchanged.

/// Names are those of the files in the database; each is added once.
class BackupWriter {
 public:
  /// Make the directory if it is not there, and keep others from writing into it.
  /// Errors: invalid_argument for a directory of other files or of another database, and for one in `database`; busy;
  /// corruption of the list that is there; io_error and, once a stop is requested, cancelled, as from all below.
  [[nodiscard]] static Result<BackupWriter> begin(const FilePlace& place,
                                                  const std::filesystem::path& database,
                                                  const std::string& database_id,
                                                  std::stop_token cancel = {});
  BackupWriter(BackupWriter&&) = default;
  BackupWriter& operator=(BackupWriter&&) = delete;
  /// Erases what an unfinished one has written.
  ~BackupWriter();

  /// One that never changes under its name: that of the backup before is used on where it is the same, else it is
  /// linked, else copied. Errors: also not_found.
  [[nodiscard]] Status add_unchanging(const std::string& name, const std::filesystem::path& source);
  /// A copy of the first `bytes` bytes.
  [[nodiscard]] Status add_copy(const std::string& name, const std::filesystem::path& source,
                                std::uint64_t bytes);
  [[nodiscard]] Status add_content(const std::string& name, std::string_view content);

  /// What was added is the backup from now on.
  [[nodiscard]] Result<BackupReport> finish(std::uint64_t commit, std::int64_t made_at);
  /// The error of a stopped backup. It says how much of the backup remains.
  [[nodiscard]] Error stopped() const;

 private:
  using File = codec::BackupFile;
  BackupWriter(Directory root, const std::string& database_id,
               std::optional<codec::BackupManifest> earlier, std::stop_token cancel);
  [[nodiscard]] Status check_stop() const;

  /// The file of the backup before, if it is this one still.
  [[nodiscard]] std::optional<File> earlier_file(const File& wanted) const;
  /// The directory of this generation in which a name belongs.
  [[nodiscard]] Result<const Directory*> directory_of(const std::string& name);
  [[nodiscard]] Result<bool> link(const std::string& name, const std::filesystem::path& source);
  [[nodiscard]] Status add_copied(File file, const FileDescriptor& from,
                                  const std::filesystem::path& source, std::uint64_t most);
  void add(File file, const FileContent& content);
  [[nodiscard]] Status sync_directories() const;
  /// Erase what no list names.
  [[nodiscard]] Status sweep(const codec::BackupManifest* list) const;

  std::stop_token cancel_;
  Directory root_;
  std::optional<codec::BackupManifest> earlier_;
  codec::BackupManifest manifest_;
  std::map<std::string, File> files_;
  std::map<std::string, Directory> directories_;  // of this generation, by their names in it
  std::uint64_t linked_files_ = 0;
  std::uint64_t copied_bytes_ = 0;
  bool is_finished_ = false;
};

}  // namespace cairn::engine
