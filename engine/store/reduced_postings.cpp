// RocksStore::visit_reduced(). Reads each table as if it were the only one. A posting from which the table only
// removes ids appears as an empty posting then.
#include "codec/posting.hpp"
#include "engine/store/rocks_store_impl.hpp"
#include "engine/store/table_marks.hpp"

#include <rocksdb/metadata.h>
#include <rocksdb/sst_file_reader.h>

#include <algorithm>

namespace cairn::engine {
namespace {

constexpr std::size_t piece_keys = 1'000;  // keys per call of the visitor

/// True if the value is an empty posting or text chunk.
bool is_empty(Family family, const rocksdb::Slice& value) {
  if (family == Family::text) return value.empty();
  const auto posting = codec::decode_posting({value.data(), value.size()});
  return posting.has_value() && posting->cardinality() == 0;
}

/// Collects the paths of the tables above the last level that remove ids. A table without marks may remove some.
rocksdb::Status reducing_tables(rocksdb::DB& database, rocksdb::ColumnFamilyHandle& family,
                                std::vector<std::string>& paths) {
  rocksdb::TablePropertiesCollection properties;
  const auto status = database.GetPropertiesOfAllTables(&family, &properties);
  if (!status.ok()) return status;
  rocksdb::ColumnFamilyMetaData found;
  database.GetColumnFamilyMetaData(&family, &found);
  int last = 0;
  for (const auto& level : found.levels)
    if (!level.files.empty()) last = level.level;
  for (const auto& level : found.levels)
    for (const auto& file : level.files) {
      if (level.level > 0 && level.level == last) continue;
      const std::string path = file.directory + "/" + file.relative_filename;
      const auto marks = properties.find(path);
      if (marks == properties.end() || marks_of(*marks->second).stale > 0) paths.push_back(path);
    }
  return status;
}

}  // namespace

// If a compaction deletes a table meanwhile, it is skipped: its content is in the output of the compaction, which the
// scrub rewrites.
Status RocksStore::visit_reduced(Family family, const VisitKeys& visit) {
  CAIRN_TRY(flush());
  rocksdb::ColumnFamilyHandle* const handle = impl_->handle(family);
  std::vector<std::string> paths;
  const auto listed = reducing_tables(*impl_->database, *handle, paths);
  if (!listed.ok()) return to_error(listed, "family " + std::string(to_string(family)));
  std::vector<std::string> keys;
  for (const std::string& path : paths) {
    rocksdb::SstFileReader reader(impl_->database->GetOptions(handle));
    if (!reader.Open(path).ok()) continue;
    rocksdb::ReadOptions options;
    options.total_order_seek = true;
    options.fill_cache = false;
    const std::unique_ptr<rocksdb::Iterator> entry(reader.NewIterator(options));
    for (entry->SeekToFirst(); entry->Valid(); entry->Next()) {
      if (is_empty(family, entry->value())) keys.push_back(entry->key().ToString());
      if (keys.size() < piece_keys) continue;
      CAIRN_TRY(visit(keys));
      keys.clear();
    }
    if (!entry->status().ok()) return to_error(entry->status(), "table " + path);
  }
  return keys.empty() ? Status() : visit(keys);
}

}  // namespace cairn::engine
