// The backup of an open database, as of one commit. The steps:
//
//   checkpoint     saves vector files, and flushes nearly all of the store to tables. Commits continue
//   vector files   are linked or copied. The store has the log of later changes to vectors
//   no commits     while RocksDB flushes the rest and lists its files. The backup is of the commit that is published then
//   store files    are linked or copied; RocksDB does not delete them meanwhile. Commits continue
//   BACKUP         the list of files replaces the list of the earlier backup
//   note           is written to the store, for SHOW BACKUPS
//
// The backup can be stopped until its list replaces the earlier one; the earlier backup then stays valid.
//
// If a segment is saved between the steps for vector files and store files, then the log in the backup may begin after the
// vector file in the backup. Opening the restored database detects that and rebuilds the index, as after a crash.
#include "engine/backup/backup_directory.hpp"
#include "engine/database/core.hpp"
#include "engine/store/held_files.hpp"
#include "engine/store/meta.hpp"
#include "engine/store/metadata_file.hpp"
#include "engine/system/clock.hpp"

#include <cairn/backup.hpp>

#include <system_error>

namespace cairn::engine {
namespace {

std::string in_directory(std::string_view directory, const std::string& name) {
  return std::string(directory).append("/").append(name);
}

/// True for a finished vector file. A file that is still being written has another extension.
bool is_segment(const std::filesystem::path& file) { return file.extension() == ".segment"; }

/// Errors: conflict, unsupported, if a database in this mode cannot be backed up.
Status check_mode(OpenMode mode) {
  if (mode == OpenMode::bulk_load)
    return Error{ErrorCode::conflict,
                 "a bulk load ends only when its database is closed; close it, open it again, then "
                 "back it up",
                 {}};
  if (mode == OpenMode::read_only)
    return Error{ErrorCode::unsupported,
                 "a backup needs the database open for writing, because its newest changes must be "
                 "written to files first",
                 {}};
  return {};
}

}  // namespace

Result<BackupReport> Core::backup(const FilePlace& place, const std::stop_token& cancel) {
  CAIRN_TRY(process_.check());
  CAIRN_TRY(check_mode(options_.mode));
  const std::lock_guard one_at_a_time(backup_mutex_);
  // Checks the directory before the checkpoint, which may take long.
  CAIRN_ASSIGN(BackupWriter backup, BackupWriter::begin(place, directory_, database_id_, cancel));
  auto report = write_backup(backup, cancel);
  if (!report && report.error().code == ErrorCode::cancelled) return backup.stopped();
  if (report) CAIRN_TRY(note_backup(place.path(), *report));
  return report;
}

Result<BackupReport> Core::write_backup(BackupWriter& backup, const std::stop_token& cancel) {
  CAIRN_TRY(checkpoint(cancel));
  CAIRN_TRY(add_vector_files(backup));
  CAIRN_ASSIGN(const std::uint64_t commit, add_store_files(backup));
  CAIRN_ASSIGN(const auto format, MetaReader(*store_).format());
  CAIRN_TRY(backup.add_content(std::string(metadata_file::format),
                               codec::encode(format.value_or(codec::FormatRecord{}))));
  CAIRN_TRY(backup.add_content(std::string(metadata_file::commit),
                               codec::encode(codec::CommitFile{database_id_, commit})));
  // If the directory was replaced meanwhile, these may be files of another database.
  if (!is_read_only()) CAIRN_TRY(store_->sync_log());
  return backup.finish(commit, system_time());
}

// Vector files are derived data. A file that disappears meanwhile, because its index was dropped, is skipped.
Status Core::add_vector_files(BackupWriter& backup) const {
  const auto directory = directory_ / metadata_file::vector_directory;
  std::error_code problem;
  std::filesystem::directory_iterator file(directory, problem), end;
  for (; !problem && file != end; file.increment(problem)) {
    if (!is_segment(file->path())) continue;
    const std::string name =
        in_directory(metadata_file::vector_directory, file->path().filename().string());
    const Status added = backup.add_unchanging(name, file->path());
    if (!added && added.error().code != ErrorCode::not_found) return added;
  }
  if (!problem || problem == std::errc::no_such_file_or_directory) return {};
  return Error{ErrorCode::io_error,
               "cannot read the directory " + directory.string() + ": " + problem.message(),
               {}};
}

// Commits wait while the changes since the checkpoint are flushed, but not while files are copied.
Result<std::uint64_t> Core::add_store_files(BackupWriter& backup) {
  std::uint64_t commit = 0;
  const auto hold = [&]() -> Result<HeldFiles> {
    const std::lock_guard no_commit(commit_mutex_);
    if (failure_) return *failure_;
    commit = state()->commit;
    return store_->hold_files();
  };
  CAIRN_ASSIGN(const HeldFiles held, hold());
  for (const HeldFile& file : held.files()) {
    const std::string name = in_directory(metadata_file::store_directory, file.name);
    const auto source = directory_ / metadata_file::store_directory / file.name;
    Status added;
    if (file.content)
      added = backup.add_content(name, *file.content);
    else if (file.is_table)
      added = backup.add_unchanging(name, source);
    else
      added = backup.add_copy(name, source, file.bytes);
    CAIRN_TRY(added);
  }
  return commit;
}

Status Core::note_backup(const std::filesystem::path& place, const BackupReport& report) {
  const codec::BackupNote note{place.string(), report.commit, report.made_at};
  CAIRN_TRY(write_note(codec::backup_note_key(note.path), codec::encode(note)));
  return {};
}

}  // namespace cairn::engine
