// Tables whose end is damaged, so that RocksDB cannot read them (check_table_tail()). RocksDB opens only some tables
// of a family at once, and the others when they are read. This file checks all of them before RocksDB begins to
// compact.
//
// no damaged table, or none that the manifest lists                  --> nothing to do
// a damaged table of a primary family, or a missing or cut table     --> refuse
// only tables of derived families                                    --> open the store and leave these tables as they
//     are, with the usual rules for its logs; set the layout of the families to 0, synced; clear the families; open
//     the store again. upgrade_derived() fills the families.
//
// A crash in between leaves either the damage or a layout of 0. The next opening handles both.
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

/// True if any table file has a damaged end. A crashed process may have left such a file unfinished, so the manifest
/// is checked next.
bool has_damaged_end(rocksdb::Env& env, const std::string& directory) {
  std::vector<std::string> names;
  if (!env.GetChildren(directory, &names).ok()) return false;
  return std::ranges::any_of(names, [&](const std::string& name) {
    return name.ends_with(".sst") && check_end(env, directory + "/" + name).IsCorruption();
  });
}

/// Checks a table that the manifest lists. Returns nullopt if its end is whole. Any problem other than a damaged end
/// of a derived family is an error.
Result<std::optional<DamagedEnd>> look_at(const rocksdb::LiveFileMetaData& file, Family family,
                                          rocksdb::Env& env, const std::string& directory) {
  const std::string path = directory + "/" + file.relative_filename;
  const rocksdb::Status status = check_end(env, path);
  if (status.ok()) return std::optional<DamagedEnd>();
  if (!status.IsCorruption()) return to_error(status, "table " + path);
  std::uint64_t bytes = 0;
  const auto sized = env.GetFileSize(path, &bytes);
  if (!sized.ok()) return to_error(sized, "table " + path);
  // A table with another size indicates an incomplete copy, in which other files may be damaged too.
  if (bytes != file.size)
    return codec::corruption("table " + path + " has " + std::to_string(bytes) +
                             " bytes, and the manifest says " + std::to_string(file.size) +
                             "; restore a backup");
  if (!is_derived(family)) return to_error(status, "store " + directory);
  return std::optional(DamagedEnd{family, file.relative_filename, status.ToString()});
}

/// The warning about a family that is rebuilt.
std::string rebuilt(const DamagedEnd& end) {
  std::string text(to_string(end.family));
  text.append(" is rebuilt from the records, as ").append(end.name).append(" is damaged: ");
  return text.append(end.problem);
}

/// Clears the families, and sets their layout to 0. `store` is open in the mode that ignores damaged tables.
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
  if (!inspected) return ends;  // the opening reports the problem
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
