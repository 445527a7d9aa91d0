#pragma once
// BackupWriter: one more generation of a backup. Until finish() readers use the earlier backup, and a writer that ends
// before that leaves it unchanged.

#include "codec/backup_manifest.hpp"
#include "engine/backup/backup_directory.hpp"
#include "engine/files/directory.hpp"

#include <cairn/backup.hpp>
#include <cairn/result.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace cairn::engine {

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
