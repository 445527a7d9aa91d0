// A restored database gets its name last, when each of its files was compared with its checksum on the way and is on the
// disk: before that nobody can open it, and a crash leaves a directory that the next restoration erases.
//
// DB.restoring/      files are copied, hashed, synced; then the directories are synced
// DB                 by a rename, in place of nothing or of an empty directory
#include "codec/commit_note.hpp"
#include "engine/backup/backup_directory.hpp"
#include "engine/backup/file_content.hpp"
#include "engine/store/metadata_file.hpp"

#include <map>

namespace cairn {
namespace engine {
namespace {

constexpr int restored_levels = 2;

Error is_used(const FilePlace& place) {
  return Error{ErrorCode::invalid_argument,
               place.path().string() +
                   " is there and not empty; name a new directory for the restored database",
               {}};
}

Status check_unused(const FilePlace& place) {
  if (!place.directory.has(place.name)) return {};
  const auto directory = place.directory.open_directory(place.name);
  if (!directory) return is_used(place);
  CAIRN_ASSIGN(const auto names, directory->names());
  return names.empty() ? Status() : is_used(place);
}

Status restore_file(const BackupReader& backup, const codec::BackupFile& file,
                    const Directory& directory, const std::string& name) {
  CAIRN_ASSIGN(const FileDescriptor from, backup.open_file(file));
  CAIRN_ASSIGN(const FileDescriptor to, directory.create_file(name));
  CAIRN_ASSIGN(const FileContent content,
               copy_content(from, backup.path_of(file), to, directory.path() / name));
  if (content == FileContent{file.bytes, file.hash}) return {};
  return changed_file(backup.path_of(file), "was changed");
}

/// A backup has none, as all of its commits are in files. An opening misses one that is not there.
Status restore_tail(const BackupReader& backup, const Directory& database) {
  const codec::BackupManifest& manifest = backup.manifest();
  const codec::TailFile tail{manifest.database_id, manifest.commit, true, true};
  const std::string name(metadata_file::tail);
  CAIRN_TRY(database.prepare_file(name, codec::encode(tail)));
  return database.take_prepared(name);
}

Status restore_files(const BackupReader& backup, const Directory& database) {
  std::map<std::string, Directory> inside;
  // A database has it also where it is empty.
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

Status restore_beside(const BackupReader& backup, const FilePlace& place) {
  const std::string unfinished = place.name + ".restoring";
  CAIRN_TRY(place.directory.erase_all(unfinished, restored_levels));
  Status restored;
  {
    CAIRN_ASSIGN(const Directory database, place.directory.enter(unfinished));
    restored = restore_files(backup, database);
  }
  if (restored) restored = place.directory.rename(unfinished, place.name);
  if (restored) return place.directory.sync();
  // What is left of it helps nobody; that it cannot be erased is not what went wrong.
  static_cast<void>(place.directory.erase_all(unfinished, restored_levels));
  return restored;
}

}  // namespace
}  // namespace engine

Result<BackupReport> restore_backup(const std::filesystem::path& directory,
                                    const std::filesystem::path& database) {
  CAIRN_ASSIGN(const engine::BackupReader backup, engine::BackupReader::open(directory));
  CAIRN_TRY(backup.check_commit());
  CAIRN_ASSIGN(const engine::FilePlace place, engine::FilePlace::of(database));
  CAIRN_TRY(engine::check_unused(place));
  CAIRN_TRY(engine::restore_beside(backup, place));
  BackupReport report = backup.report();
  report.copied_bytes = report.bytes;
  return report;
}

}  // namespace cairn
