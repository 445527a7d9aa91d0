// Files that a scrub has replaced: makes RocksDB delete them, and finds those that remain.
#include "engine/store/rocks_store_impl.hpp"

#include <rocksdb/metadata.h>
#include <rocksdb/transaction_log.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace cairn::engine {
namespace {

/// The key of a note that is longer than any other. Its value is empty.
constexpr std::string_view padding_key = "padding/";

/// Returns the name of the current manifest.
Result<std::string> manifest_name(rocksdb::Env& env, const std::string& directory) {
  std::string name;
  const auto status = rocksdb::ReadFileToString(&env, directory + "/CURRENT", &name);
  if (!status.ok()) return to_error(status, "file " + directory + "/CURRENT");
  while (!name.empty() && name.back() == '\n') name.pop_back();
  return name;
}

/// Returns the number in names like `000012.log`, `000012.sst` or `MANIFEST-000012`.
std::uint64_t number_in(std::string_view name) {
  const auto digits = name.find_first_of("0123456789");
  std::uint64_t number = 0;
  if (digits != std::string_view::npos)
    std::from_chars(name.data() + digits, name.data() + name.size(), number);
  return number;
}

}  // namespace

// RocksDB 7.8 begins a new manifest only when the old one has exceeded a size. The manifest contains the first and
// last key of each table. So a note with a key of that size makes the manifest large enough, and the next change of a
// table begins a new one.
Status RocksStore::renew_manifest() {
  CAIRN_ASSIGN(const std::string before, manifest_name(*impl_->env, impl_->directory));
  std::string key(padding_key);
  key.append(most_manifest_bytes, '-');
  StoreBatch put(*this);
  put.put(Family::meta, key, "");
  CAIRN_TRY(write(put, WriteMode::async));
  CAIRN_TRY(flush());
  StoreBatch erase(*this);
  erase.erase(Family::meta, key);
  CAIRN_TRY(write(erase, WriteMode::async));
  CAIRN_TRY(flush());
  ScrubbedTables uncounted;
  CAIRN_TRY(impl_->scrub(Family::meta, [](const ScrubbedTables&) { return Status(); }, uncounted));
  CAIRN_ASSIGN(const std::string now, manifest_name(*impl_->env, impl_->directory));
  if (now != before) return {};
  return Error{ErrorCode::io_error,
               "store " + impl_->directory + " still uses the manifest " + before +
                   ", which may contain erased keys; open the database again and scrub again",
               {}};
}

Result<std::uint64_t> RocksStore::current_log() const {
  std::unique_ptr<rocksdb::LogFile> log;
  const auto status = impl_->database->GetCurrentWalFile(&log);
  if (!status.ok()) return to_error(status, "log of the store");
  return log->LogNumber();
}

// Ending a pause of deletions makes RocksDB check all files of the directory. A compaction checks only its own files.
Result<std::vector<std::string>> RocksStore::erase_replaced_files(std::uint64_t log) {
  impl_->database->DisableFileDeletions().PermitUncheckedError();
  impl_->database->EnableFileDeletions(false).PermitUncheckedError();
  CAIRN_ASSIGN(const std::string manifest, manifest_name(*impl_->env, impl_->directory));
  std::vector<std::string> names;
  const auto status = impl_->env->GetChildren(impl_->directory, &names);
  if (!status.ok()) return to_error(status, "directory " + impl_->directory);
  // Listed after the names, so a table that was created in between is not among the names.
  std::vector<rocksdb::LiveFileMetaData> tables;
  impl_->database->GetLiveFilesMetaData(&tables);
  std::set<std::string> live{manifest};
  for (const auto& table : tables) live.insert(table.relative_filename);
  // Numbers ascend in the order in which files are begun. Files that are being written have greater numbers than the
  // manifest.
  const std::uint64_t fence = number_in(manifest);
  std::erase_if(names, [&](const std::string& name) {
    const bool is_old = (name.ends_with(".log") && number_in(name) <= log) ||
                        (name.ends_with(".sst") && number_in(name) < fence) ||
                        name.starts_with("MANIFEST-") || name.ends_with(".aside");
    return !is_old || live.contains(name);
  });
  std::ranges::sort(names);
  return names;
}

}  // namespace cairn::engine
