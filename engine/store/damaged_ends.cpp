// Tables whose end is damaged, which nothing can be read of (table_tail.hpp). RocksDB opens some tables of a
// family at once and the others when they are read; here all are looked at before it begins to compact.
//
// no table of that kind, or of none that the manifest names  --> nothing to do
// a table of records, or one that is missing or cut          --> refuse
// valid commits behind damage of a log                       --> nothing: the opening decides about that
// logs that lack promised commits (log_check.hpp)            --> refuse
// else all are of derived families: layout := 0, synced; clear the family. upgrade_derived() fills it.
//
// A crash in between leaves the damage, or a layout of 0; either is met by the next opening.
#include "engine/store/file_system.hpp"
#include "engine/store/log_check.hpp"
#include "engine/store/log_reader.hpp"
#include "engine/store/meta.hpp"
#include "engine/store/rocks_store_impl.hpp"

#include <rocksdb/metadata.h>

#include <algorithm>
#include <set>
#include <utility>

namespace cairn::engine {
namespace {

struct DamagedEnd {
  Family family;
  std::string name;
  rocksdb::Status problem;
  bool has_its_size;
};

/// By the check of our file system.
rocksdb::Status check_end(rocksdb::Env& env, const std::string& path) {
  std::unique_ptr<rocksdb::RandomAccessFile> file;
  return env.NewRandomAccessFile(path, &file, rocksdb::EnvOptions());
}

/// Among all tables. What a process that died left of one may be anything, so that the manifest is asked next.
bool has_damaged_end(rocksdb::Env& env, const std::string& directory) {
  std::vector<std::string> names;
  if (!env.GetChildren(directory, &names).ok()) return false;
  return std::ranges::any_of(names, [&](const std::string& name) {
    return name.ends_with(".sst") && check_end(env, directory + "/" + name).IsCorruption();
  });
}

/// Of those that the manifest names.
std::vector<DamagedEnd> damaged_ends(rocksdb::DB& database, rocksdb::Env& env,
                                     const std::string& directory) {
  std::vector<rocksdb::LiveFileMetaData> files;
  database.GetLiveFilesMetaData(&files);
  std::vector<DamagedEnd> damaged;
  for (const rocksdb::LiveFileMetaData& file : files) {
    const auto* const family = std::ranges::find(all_families, file.column_family_name,
                                                 [](Family one) { return to_string(one); });
    if (family == all_families.end()) continue;
    const rocksdb::Status status = check_end(env, directory + "/" + file.relative_filename);
    std::uint64_t bytes = 0;
    const bool has_its_size =
        env.GetFileSize(directory + "/" + file.relative_filename, &bytes).ok() &&
        bytes == file.size;
    if (!status.ok() || !has_its_size)
      damaged.push_back({*family, file.relative_filename, status, has_its_size});
  }
  return damaged;
}

std::string made_anew(const DamagedEnd& end) {
  std::string text(to_string(end.family));
  text.append(" is made anew from the records, as ").append(end.name).append(" is damaged: ");
  return text.append(end.problem.ToString());
}

/// `store` leaves damaged tables as they are.
Status clear_all(RocksStore& store, const std::set<Family>& families) {
  StoreBatch batch(store);
  for (const Family family : families) MetaWriter(batch).put_layout(to_string(family), 0);
  CAIRN_TRY(store.write(batch, WriteMode::sync));
  for (const Family family : families) CAIRN_TRY(store.clear(family));
  return {};
}

}  // namespace

Result<std::vector<std::string>> RocksStore::Impl::mend_ends() const {
  std::vector<std::string> warnings;
  if (!has_damaged_end(*env, directory)) return warnings;
  std::vector<DamagedEnd> ends;
  {
    const auto inspected = open_to_inspect(directory, options);
    if (!inspected) return warnings;  // the opening says what is wrong
    ends = damaged_ends(*(*inspected)->impl_->database, *env, directory);
  }
  // One that is missing or cut tells of a copy that went wrong, where nobody knows what else did.
  for (const DamagedEnd& end : ends)
    if (!is_derived(end.family) || !end.has_its_size)
      return to_error(end.problem, "store " + directory);
  if (ends.empty()) return warnings;
  CAIRN_ASSIGN(const LogDamage log, inspect_logs(*env, directory));
  if (log.valid_behind) return warnings;
  // Opened for repair the store would give up what its logs lack; the opening that is wanted refuses.
  std::vector<std::string> repeated;  // given again by that opening
  CAIRN_ASSIGN(LogPromise promise,
               read_promise(std::filesystem::path(directory).parent_path(), repeated));
  LogCheck logs(*env, directory, options, std::move(promise));
  CAIRN_TRY(logs.run(warnings));

  StoreOptions repairing = options;
  repairing.repair = true;
  CAIRN_ASSIGN(const auto store, RocksStore::open(directory, repairing));
  if (!log.file.empty()) warnings.push_back(store->warnings().back());  // it dropped a torn tail
  std::set<Family> families;
  for (const DamagedEnd& end : ends) {
    families.insert(end.family);
    warnings.push_back(made_anew(end));
  }
  CAIRN_TRY(clear_all(*store, families));
  return warnings;
}

}  // namespace cairn::engine
