// Lists the live files of the store while no other thread writes. RocksDB flushes first. This takes little time,
// because the caller has flushed before; so writers are blocked only briefly.
//
// tables     as they are                      never changed
// MANIFEST   a prefix                         only appended to
// CURRENT    the content that RocksDB would write now
// OPTIONS    as it is
// log        its current content              usually empty, because tables contain everything; read here, because
//                                             the growing log overwrites zeros
#include "engine/store/held_files.hpp"

#include "engine/store/rocks_store_impl.hpp"

#include <rocksdb/metadata.h>
#include <rocksdb/options.h>

namespace cairn::engine {
namespace {

/// Permits RocksDB to delete files again when it is destroyed. RocksDB counts the holders.
std::shared_ptr<void> hold_deletions(rocksdb::DB& database) {
  const Process process;
  return {&database, [process](void* held) {
            if (!process.is_this()) return;
            static_cast<rocksdb::DB*>(held)->EnableFileDeletions(false).PermitUncheckedError();
          }};
}

/// Converts the entry of a file. Reads the content of a log.
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
