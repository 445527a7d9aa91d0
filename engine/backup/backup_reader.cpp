// Verifies and restores backups. The list has a checksum of its own, and the checksum of each file. Comparing the
// checksums also detects a file that was replaced by one of another backup or database.

#include "codec/commit_note.hpp"
#include "codec/meta.hpp"
#include "engine/backup/backup_directory.hpp"
#include "engine/files/new_directory.hpp"
#include "engine/store/metadata_file.hpp"

#include <sys/file.h>
#include <sys/stat.h>

#include <map>

namespace cairn {

namespace engine {

Error changed_file(const std::filesystem::path& file, std::string_view problem) {
  return Error{ErrorCode::corruption,
               "the backup's file " + file.string() + " " + std::string(problem) +
                   "; make a new backup into another directory",
               {}};
}

BackupReport report_of(const codec::BackupManifest& manifest) {
  BackupReport report;
  report.database_id = manifest.database_id;
  report.commit = manifest.commit;
  report.made_at = manifest.made_at;
  report.files = manifest.files.size();
  for (const codec::BackupFile& file : manifest.files) report.bytes += file.bytes;
  return report;
}

Result<BackupReader> BackupReader::open(const std::filesystem::path& directory) {
  const Error none{
      ErrorCode::not_found, "there is no backup in " + directory.string() + "; check the path", {}};
  auto root = Directory::open(directory);
  if (!root) return root.error().code == ErrorCode::not_found ? none : root.error();
  if (::flock(root->descriptor(), LOCK_SH | LOCK_NB) != 0)
    return Error{
        ErrorCode::busy,
        "a backup is being written into " + directory.string() + "; try again when it is complete",
        {}};
  const auto bytes = root->read_file(backup_list, most_backup_list_bytes);
  if (!bytes) return bytes.error().code == ErrorCode::not_found ? none : bytes.error();
  auto manifest = codec::decode_backup_manifest(*bytes);
  if (manifest) return BackupReader(*std::move(root), *std::move(manifest));
  if (manifest.error().code != ErrorCode::corruption) return manifest.error();
  return changed_file(directory / backup_list, "is damaged");
}

std::filesystem::path BackupReader::path_of(const codec::BackupFile& file) const {
  return root_.path() / generation_name(file.generation) / file.name;
}

Result<FileDescriptor> BackupReader::open_file(const codec::BackupFile& file) const {
  const auto [inside, name] = split_name(file.name);
  auto directory = root_.open_directory(generation_name(file.generation));
  if (directory && !inside.empty()) directory = directory->open_directory(inside);
  auto opened = directory ? directory->open_file(name) : Result<FileDescriptor>(directory.error());
  if (!opened && opened.error().code == ErrorCode::not_found)
    return changed_file(path_of(file), "is missing");
  if (!opened) return opened.error();
  struct stat status = {};
  if (::fstat(opened->value(), &status) != 0)
    return file_error("cannot read the attributes of", path_of(file));
  if (static_cast<std::uint64_t>(status.st_size) == file.bytes) return opened;
  return changed_file(path_of(file), "has " + std::to_string(status.st_size) + " bytes, not " +
                                         std::to_string(file.bytes));
}

BackupReport BackupReader::report() const { return report_of(manifest_); }

Status BackupReader::check_commit() const {
  for (const codec::BackupFile& file : manifest_.files) {
    if (file.name != metadata_file::commit) continue;
    CAIRN_ASSIGN(const Directory directory, root_.open_directory(generation_name(file.generation)));
    CAIRN_ASSIGN(const std::string bytes, directory.read_file(file.name, most_metadata_file_bytes));
    const auto commit = codec::decode_commit_file(bytes);
    if (commit && *commit == codec::CommitFile{manifest_.database_id, manifest_.commit}) return {};
    return changed_file(path_of(file), "is of another backup");
  }
  return Error{ErrorCode::corruption,
               "the backup in " + root_.path().string() +
                   " has no file COMMIT; make a new backup into another directory",
               {}};
}

}  // namespace engine

Result<BackupReport> verify_backup(const std::filesystem::path& directory) {
  CAIRN_ASSIGN(const engine::BackupReader backup, engine::BackupReader::open(directory));
  for (const codec::BackupFile& file : backup.manifest().files) {
    CAIRN_ASSIGN(const engine::FileDescriptor opened, backup.open_file(file));
    CAIRN_ASSIGN(const engine::FileContent content,
                 engine::hash_content(opened, backup.path_of(file)));
    if (content != engine::FileContent{file.bytes, file.hash})
      return engine::changed_file(backup.path_of(file), "was changed");
  }
  CAIRN_TRY(backup.check_commit());
  return backup.report();
}

// A database is restored into a temporary directory, which is renamed last (make_new_directory()). By then each file was
// compared with its checksum and synced, and its directories are synced.

namespace engine {
namespace {

/// Copies one file and compares it with the list. Errors: also corruption, naming the file.
Status restore_file(const BackupReader& backup, const codec::BackupFile& file,
                    const Directory& directory, const std::string& name) {
  CAIRN_ASSIGN(const FileDescriptor from, backup.open_file(file));
  CAIRN_ASSIGN(const FileDescriptor to, directory.create_file(name));
  CAIRN_ASSIGN(const FileContent content,
               copy_content(from, backup.path_of(file), to, directory.path() / name));
  if (content == FileContent{file.bytes, file.hash}) return {};
  return changed_file(backup.path_of(file), "was changed");
}

/// Writes the file TAIL, so that opening the database does not report it as missing. A backup does not have this file, as
/// all of its commits are in table files.
Status restore_tail(const BackupReader& backup, const Directory& database) {
  const codec::BackupManifest& manifest = backup.manifest();
  const codec::TailFile tail{manifest.database_id, manifest.commit, true, true};
  const std::string name(metadata_file::tail);
  CAIRN_TRY(database.prepare_file(name, codec::encode(tail)));
  return database.take_prepared(name);
}

Status restore_files(const BackupReader& backup, const Directory& database) {
  std::map<std::string, Directory> inside;
  // Made even if the backup lists no file in it: every database has this directory.
  CAIRN_ASSIGN(Directory store, database.enter(std::string(metadata_file::store_directory)));
  inside.emplace(metadata_file::store_directory, std::move(store));
  for (const codec::BackupFile& file : backup.manifest().files) {
    const auto [directory, name] = split_name(file.name);
    if (!directory.empty() && !inside.contains(directory)) {
      CAIRN_ASSIGN(Directory made, database.enter(directory));
      inside.emplace(directory, std::move(made));
    }
    const Directory& where = directory.empty() ? database : inside.at(directory);
    CAIRN_TRY(restore_file(backup, file, where, name));
  }
  for (const auto& [name, directory] : inside) CAIRN_TRY(directory.sync());
  CAIRN_TRY(restore_tail(backup, database));
  return database.sync();
}

}  // namespace
}  // namespace engine

Result<BackupReport> restore_backup(const std::filesystem::path& directory,
                                    const std::filesystem::path& database) {
  CAIRN_ASSIGN(const engine::BackupReader backup, engine::BackupReader::open(directory));
  CAIRN_TRY(backup.check_commit());
  CAIRN_ASSIGN(const engine::FilePlace place, engine::FilePlace::of(database));
  CAIRN_TRY(engine::make_new_directory(
      place, [&](const engine::Directory& made) { return engine::restore_files(backup, made); }));
  BackupReport report = backup.report();
  report.copied_bytes = report.bytes;
  return report;
}

}  // namespace cairn
