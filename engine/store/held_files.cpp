// RocksDB's own list of live files, asked for while nobody writes. The flush that precedes it is of what was written since
// the caller's own flush; so writers wait for little.
//
// tables     as they are                      never changed
// MANIFEST   its first bytes                  only appended to
// CURRENT    as RocksDB would write it now
// OPTIONS    as it is
// log        its bytes of now                 mostly none, as all is in tables; read here, since a log that
//                                             grows is written over zeros that it has already
#include "engine/store/held_files.hpp"

#include "engine/store/rocks_store_impl.hpp"

#include <rocksdb/metadata.h>
#include <rocksdb/options.h>

namespace cairn::engine {
namespace {

/// Destroyed, it lets RocksDB delete files again. Deletions are counted by those who hold.
std::shared_ptr<void> hold_deletions(rocksdb::DB& database) {
  const Process process;
  return {&database, [process](void* held) {
            if (!process.is_this()) return;
            static_cast<rocksdb::DB*>(held)->EnableFileDeletions(false).PermitUncheckedError();
          }};
}

Result<HeldFile> held_file(rocksdb::LiveFileStorageInfo& file, rocksdb::Env& env) {
  HeldFile held{file.relative_filename, file.size, file.file_type == rocksdb::kTableFile};
  if (!file.replacement_contents.empty()) held.content = std::move(file.replacement_contents);
  if (file.file_type != rocksdb::kWalFile) return held;
  const std::string path = file.directory + "/" + file.relative_filename;
  std::string bytes;
  const auto status = rocksdb::ReadFileToString(&env, path, &bytes);
  if (!status.ok()) return to_error(status, "log " + path);
  held.bytes = bytes.size();
  held.content = std::move(bytes);
  return held;
}

}  // namespace

Result<HeldFiles> RocksStore::hold_files() {
  CAIRN_TRY(impl_->process.check());
  const std::lock_guard nobody_writes(impl_->log_mutex);
  if (impl_->log_failure) return *impl_->log_failure;
  if (const auto failed = impl_->log_latch->failure(); !failed.ok())
    return to_error(failed, "log of the store");
  rocksdb::DB& database = *impl_->database;
  const auto disabled = database.DisableFileDeletions();
  if (!disabled.ok()) return to_error(disabled, "files of the store");
  auto hold = hold_deletions(database);
  std::vector<rocksdb::LiveFileStorageInfo> live;
  const auto listed = database.GetLiveFilesStorageInfo({}, &live);
  if (!listed.ok()) return to_error(listed, "files of the store");
  std::vector<HeldFile> files;
  for (rocksdb::LiveFileStorageInfo& file : live) {
    CAIRN_ASSIGN(HeldFile held, held_file(file, *impl_->env));
    files.push_back(std::move(held));
  }
  return HeldFiles(std::move(hold), std::move(files));
}

}  // namespace cairn::engine
