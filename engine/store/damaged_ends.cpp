// Tables whose end is damaged, which nothing can be read of (check_table_tail()). RocksDB opens some tables of a
// family at once and the others when they are read; here all are looked at before it begins to compact.
//
// no table of that kind, or of none that the manifest names  --> nothing to do
// a table of records, or one that is missing or cut          --> refuse
// else all are of derived families: the store is opened and leaves them as they are, by the same rules for its logs
// as any other; layout := 0, synced; clear the family; open it again. upgrade_derived() fills it.
//
// A crash in between leaves the damage, or a layout of 0; either is met by the next opening.
#include "codec/byte_io.hpp"
#include "engine/store/file_system.hpp"
#include "engine/store/meta.hpp"
#include "engine/store/rocks_status.hpp"
#include "engine/store/rocks_store_impl.hpp"

#include <rocksdb/metadata.h>

#include <algorithm>
#include <optional>
#include <set>

namespace cairn::engine {
namespace {

/// Checks the end of a table by opening it in our file system.
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

/// Of one that the manifest names. Only damage makes it a damaged one: anything else is an error.
Result<std::optional<DamagedEnd>> look_at(const rocksdb::LiveFileMetaData& file, Family family,
                                          rocksdb::Env& env, const std::string& directory) {
  const std::string path = directory + "/" + file.relative_filename;
  const rocksdb::Status status = check_end(env, path);
  if (status.ok()) return std::optional<DamagedEnd>();
  if (!status.IsCorruption()) return to_error(status, "table " + path);
  std::uint64_t bytes = 0;
  const auto sized = env.GetFileSize(path, &bytes);
  if (!sized.ok()) return to_error(sized, "table " + path);
  // A cut table is a sign of a failed copy, which may have damaged other files too.
  if (bytes != file.size)
    return codec::corruption("table " + path + " has " + std::to_string(bytes) +
                             " bytes, and the manifest says " + std::to_string(file.size) +
                             "; restore a backup");
  if (!is_derived(family)) return to_error(status, "store " + directory);
  return std::optional(DamagedEnd{family, file.relative_filename, status.ToString()});
}

std::string rebuilt(const DamagedEnd& end) {
  std::string text(to_string(end.family));
  text.append(" is rebuilt from the records, as ").append(end.name).append(" is damaged: ");
  return text.append(end.problem);
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

Result<std::vector<DamagedEnd>> RocksStore::Impl::find_damaged_ends() const {
  std::vector<DamagedEnd> ends;
  if (!has_damaged_end(*env, directory)) return ends;
  const auto inspected = open_to_inspect(directory, options);
  if (!inspected) return ends;  // the opening says what is wrong
  std::vector<rocksdb::LiveFileMetaData> files;
  (*inspected)->impl_->database->GetLiveFilesMetaData(&files);
  for (const rocksdb::LiveFileMetaData& file : files) {
    const auto* const family = std::ranges::find(all_families, file.column_family_name,
                                                 [](Family one) { return to_string(one); });
    if (family == all_families.end()) continue;
    CAIRN_ASSIGN(auto end, look_at(file, *family, *env, directory));
    if (end) ends.push_back(*std::move(end));
  }
  return ends;
}

Status RocksStore::rebuild(const std::vector<DamagedEnd>& ends) {
  std::set<Family> families;
  for (const DamagedEnd& end : ends) {
    families.insert(end.family);
    warnings_.push_back(rebuilt(end));
  }
  CAIRN_TRY(clear_all(*this, families));
  impl_->close();
  impl_->leaves_tables = false;
  const auto again = impl_->open({});
  return again.ok() ? Status() : to_error(again, "store " + impl_->directory);
}

}  // namespace cairn::engine
