// Finds damaged table files, and repairs a store that has some. RocksDB's own verification stops at the first damaged
// file, and RocksDB refuses to open a store with a missing or cut file. So this file reads each table of the manifest
// separately.
#include "codec/meta.hpp"
#include "engine/store/file_system.hpp"
#include "engine/store/meta.hpp"
#include "engine/store/rocks_status.hpp"
#include "engine/store/rocks_store_impl.hpp"

#include <rocksdb/metadata.h>
#include <rocksdb/sst_file_reader.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace cairn::engine {
namespace {

/// Returns the family with this name on disk; nullopt for the default family of RocksDB, which is not used.
std::optional<Family> family_of(std::string_view name) {
  const auto* const found = std::find_if(all_families.begin(), all_families.end(),
                                         [&](Family family) { return to_string(family) == name; });
  return found == all_families.end() ? std::nullopt : std::optional(*found);
}

/// Returns the number in a name like `000012.sst`. RocksDB uses each number once, in ascending order.
std::optional<std::uint64_t> table_number(std::string_view name) {
  constexpr std::string_view suffix = ".sst";
  if (!name.ends_with(suffix)) return std::nullopt;
  name.remove_suffix(suffix.size());
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_number = problem == std::errc() && end == name.data() + name.size();
  return is_number ? std::optional(number) : std::nullopt;
}

/// Bypasses the block cache, which may contain a block that is damaged on disk.
rocksdb::Options reader_options(rocksdb::Env* env) {
  rocksdb::Options options;
  options.env = env;
  rocksdb::BlockBasedTableOptions table;
  table.no_block_cache = true;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

/// Compares each block of a file with its checksum.
rocksdb::Status verify(rocksdb::Env* env, const std::string& path) {
  rocksdb::SstFileReader reader(reader_options(env));
  const rocksdb::Status opened = reader.Open(path);
  return opened.ok() ? reader.VerifyChecksum() : opened;
}

/// Verifies a file of known size. If the size differs, the error names the actual size.
rocksdb::Status verify(rocksdb::Env* env, const std::string& path, std::uint64_t wanted_bytes) {
  std::uint64_t bytes = 0;
  const rocksdb::Status sized = env->GetFileSize(path, &bytes);
  if (!sized.ok()) return sized;
  if (bytes != wanted_bytes)
    return rocksdb::Status::Corruption("it has " + std::to_string(bytes) + " bytes, not " +
                                       std::to_string(wanted_bytes));
  return verify(env, path);
}

/// Returns the commit number that a table of `meta` contains; 0 if it contains none.
std::uint64_t commit_in(rocksdb::Env* env, const std::string& path) {
  rocksdb::SstFileReader reader(reader_options(env));
  if (!reader.Open(path).ok()) return 0;
  if (reader.GetTableProperties()->column_family_name != to_string(Family::meta)) return 0;
  const std::unique_ptr<rocksdb::Iterator> entry(reader.NewIterator(rocksdb::ReadOptions()));
  const std::string key(codec::meta_key::commit);
  entry->Seek(key);
  if (!entry->Valid() || entry->key() != key) return 0;
  const auto number = codec::decode_number(entry->value().ToStringView());
  return number ? *number : 0;
}

/// Prevents compactions from deleting a file while it is read. A store for reading only deletes nothing anyway.
class KeepFiles {
 public:
  explicit KeepFiles(rocksdb::DB& database) : database_(database) {
    database_.DisableFileDeletions().PermitUncheckedError();
  }
  KeepFiles(const KeepFiles&) = delete;
  KeepFiles& operator=(const KeepFiles&) = delete;
  ~KeepFiles() { database_.EnableFileDeletions(false).PermitUncheckedError(); }

 private:
  rocksdb::DB& database_;
};

}  // namespace

Result<std::vector<DamagedFile>> RocksStore::damaged_files() const {
  const KeepFiles keep(*impl_->database);
  std::vector<rocksdb::LiveFileMetaData> files;
  impl_->database->GetLiveFilesMetaData(&files);
  std::sort(files.begin(), files.end(),
            [](const auto& a, const auto& b) { return a.file_number < b.file_number; });
  std::vector<DamagedFile> damaged;
  for (const rocksdb::LiveFileMetaData& file : files) {
    const auto family = family_of(file.column_family_name);
    if (!family) continue;
    const rocksdb::Status status =
        verify(impl_->env.get(), impl_->directory + "/" + file.relative_filename, file.size);
    if (status.ok()) continue;
    // A lack of memory does not mean that the file is damaged.
    if (status.IsMemoryLimit()) return to_error(status, file.relative_filename);
    damaged.push_back(
        {*family, file.relative_filename, file.smallestkey, file.largestkey,
         status.IsNotFound() || status.IsPathNotFound() ? "it is missing" : status.ToString()});
  }
  return damaged;
}

// A crashed process may have left the output of a flush or a compaction. The commits in it are also in the log, or in
// the inputs of the compaction. A log is deleted after all families with changes in it were flushed, so the commit
// number is in a table then.
Result<std::vector<std::string>> RocksStore::newer_files() const {
  std::vector<rocksdb::LiveFileMetaData> named;
  impl_->database->GetLiveFilesMetaData(&named);
  std::uint64_t newest = 0;
  for (const rocksdb::LiveFileMetaData& file : named) newest = std::max(newest, file.file_number);
  std::vector<std::string> files;
  const auto status = impl_->env->GetChildren(impl_->directory, &files);
  if (!status.ok()) return to_error(status, impl_->directory);
  std::erase_if(files, [&](const std::string& name) {
    const auto number = table_number(name);
    return !number || *number <= newest ||
           !verify(impl_->env.get(), impl_->directory + "/" + name).ok();
  });
  std::sort(files.begin(), files.end());
  CAIRN_ASSIGN(const std::uint64_t commit, MetaReader(*this).commit());
  const bool has_later = std::ranges::any_of(files, [&](const std::string& name) {
    return commit_in(impl_->env.get(), impl_->directory + "/" + name) > commit;
  });
  return has_later ? files : std::vector<std::string>();
}

// The new family has another number, so a replay ignores the changes of the old family in the log. After a crash
// between the two steps the family is missing, and the next opening creates it.
Status RocksStore::clear(Family family) {
  rocksdb::ColumnFamilyHandle*& handle = impl_->handles[position(family)];
  return impl_->log("family " + std::string(to_string(family)), [&] {
    rocksdb::Status status = impl_->database->DropColumnFamily(handle);
    if (!status.ok()) return status;
    status = impl_->database->DestroyColumnFamilyHandle(handle);
    handle = nullptr;
    if (!status.ok()) return status;
    return impl_->database->CreateColumnFamily(
        family_options(family, impl_->options, impl_->memory), std::string(to_string(family)),
        &handle);
  });
}

Status RocksStore::end_repair() {
  impl_->close();
  impl_->options.repair = false;
  const auto status = impl_->open({});
  return status.ok() ? Status() : to_error(status, "store " + impl_->directory);
}

}  // namespace cairn::engine
