// The settings of RocksDB, and the reasons for those that differ from its defaults.
//
// Memory: one LRU cache is the budget. It contains data blocks, indexes and filters, and write buffers are charged to
// it. So memory_bytes() is a single number, and limit_cache() can give a part of the budget to vectors. The key lists
// of a write buffer take 24 to 48 bytes per key. They are not charged to the cache, but count towards the size at which
// the buffer is full.
#include "engine/store/tuning.hpp"

#include "engine/store/memtable.hpp"
#include "engine/store/merge_operators.hpp"
#include "engine/store/table_cuts.hpp"
#include "engine/store/table_marks.hpp"

#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>
#include <rocksdb/write_buffer_manager.h>

#include <algorithm>
#include <cstdarg>

namespace cairn::engine {
namespace {

// RocksDB expects sizes in bytes.
constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// The prefix of an index key is the key without its chunk. So all chunks of a posting list share one entry of the
/// bloom filter, and looking up a missing value reads no block.
/// The name is stored in the properties of table files. If the rule changes, the name must change too, or existing
/// filters would deny keys that exist.
class PostingPrefix final : public rocksdb::SliceTransform {
 public:
  const char* Name() const override { return "cairn.PostingPrefix"; }
  rocksdb::Slice Transform(const rocksdb::Slice& key) const override {
    return {key.data(), key.size() - chunk_bytes};
  }
  bool InDomain(const rocksdb::Slice& key) const override { return key.size() > chunk_bytes; }

 private:
  static constexpr std::size_t chunk_bytes = 6;
};

/// Writes nothing. Otherwise even an opening for reading would create a message log.
class SilentLogger final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

/// Families with most of the data. They get large write buffers, so that a load flushes rarely.
bool is_large(Family family) {
  return family == Family::nodes || family == Family::relationships || family == Family::index ||
         family == Family::vectors || family == Family::text;
}

/// Families to which a commit adds many keys in ascending order.
bool comes_in_batches(Family family) {
  return is_large(family) || family == Family::adj_out || family == Family::adj_in ||
         family == Family::external_ids;
}

/// Families whose lookups nearly always find their key.
bool is_read_by_id(Family family) {
  return family == Family::nodes || family == Family::relationships;
}

/// Families in which a lookup finds its key within a block by a hash.
bool is_got_by_key(Family family) {
  return is_read_by_id(family) || family == Family::external_ids;
}

/// The format of table files.
rocksdb::BlockBasedTableOptions table_options(Family family, const StoreMemory& memory) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = memory.cache;
  // A vector of 768 components takes 3 KiB, so a large block contains ten of them. In other families smaller blocks
  // waste less of the cache for a single record. The hash index of a block has at most 253 entries; external ids are
  // short, so that only a small block has no more of them.
  table.block_size = family == Family::vectors        ? 32 * 1024
                     : family == Family::external_ids ? 4 * 1024
                                                      : 16 * 1024;
  // Ten bits per key: a lookup of a missing key reads a block in one of a hundred cases.
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  // If a family has a prefix, lookups use the prefix; a filter of whole keys would never be used.
  table.whole_key_filtering =
      family != Family::index && family != Family::adj_out && family != Family::adj_in;
  // Indexes and filters are charged to the common budget, at the price that they may have to be read again.
  table.cache_index_and_filter_blocks = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  if (is_got_by_key(family)) {
    // A lookup finds its key in the block by a hash instead of a search through records.
    table.data_block_index_type = rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash;
    table.block_restart_interval = 1;
  }
  // The index is pinned, so a lookup only has to find the data block in the cache. The index takes some bytes per block
  // of 16 KiB, and the last level has no filter. The family of external ids has a filter of ten bits per key on every
  // level. This filter must be evictable, so nothing of this family is pinned.
  if (is_read_by_id(family))
    table.metadata_cache_options.unpartitioned_pinning = rocksdb::PinningTier::kAll;
  // The only format that table_tail.cpp can read.
  table.format_version = 5;
  table.checksum = rocksdb::kXXH3;
  return table;
}

/// Sets the prefix, the merge operator and the compaction filter of a family.
void set_prefix(Family family, rocksdb::ColumnFamilyOptions& options) {
  if (family == Family::index) {
    options.prefix_extractor = std::make_shared<PostingPrefix>();
    options.merge_operator = std::make_shared<PostingMerge>();
    options.compaction_filter = empty_posting_filter();
  } else if (family == Family::text) {
    options.merge_operator = std::make_shared<TextMerge>();
    options.compaction_filter = empty_text_filter();
  } else if (family == Family::adj_out || family == Family::adj_in) {
    options.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(8));  // the id of the node
  }
}

}  // namespace

StoreMemory make_store_memory(const StoreOptions& options) {
  const std::size_t total = std::max(options.memory_bytes, 16 * mebibyte);
  StoreMemory memory;
  memory.cache = rocksdb::NewLRUCache(total);
  const std::size_t buffers = options.bulk ? total / 2 : total / 3;
  memory.buffers = std::make_shared<rocksdb::WriteBufferManager>(buffers, memory.cache);
  return memory;
}

int background_jobs(const StoreOptions& options) {
  return static_cast<int>(std::max(options.background_threads, 1u)) + 1;
}

rocksdb::DBOptions database_options(const StoreOptions& options, const StoreMemory& memory,
                                    rocksdb::Env* env) {
  rocksdb::DBOptions database;
  database.env = env;
  database.create_if_missing = options.create_if_missing && !options.read_only;
  database.create_missing_column_families = true;
  // Damage found by a background job stops all writes instead of spreading.
  database.paranoid_checks = true;
  // The manifest lists synced logs with their sizes. If one is missing or shorter, the opening fails.
  database.track_and_verify_wals_in_manifest = true;
  // The default of this level depends on the build type of the program that includes the header.
  database.info_log_level = rocksdb::InfoLogLevel::WARN_LEVEL;
  if (options.read_only) database.info_log = std::make_shared<SilentLogger>();
  // RocksDB's message log (LOG), not the write-ahead log.
  database.keep_log_file_num = 4;
  database.max_log_file_size = mebibyte;
  // The manifest contains the first and last keys of tables. A scrub makes RocksDB begin a new one by exceeding this
  // size.
  database.max_manifest_file_size = most_manifest_bytes;
  database.write_buffer_manager = memory.buffers;
  // Writes are serialised anyway, and the memtable requires that.
  database.allow_concurrent_memtable_write = false;
  database.max_total_wal_size = 64 * mebibyte;  // limits what an opening has to replay
  // One flush at a time: while a flush that found no space stops RocksDB, no other may wait for its thread.
  database.max_background_flushes = 1;
  database.max_background_compactions = std::max(background_jobs(options) - 1, 1);
  // More threads would be started at every opening, for at most 16 tables. If a thread cannot be started there, the
  // process ends.
  database.max_file_opening_threads = 1;
  // Half of the usual limit of 1,024 file descriptors; the rest is for the program.
  database.max_open_files = 512;
  // Flushes and compactions write their pages to the disk gradually, so that a sync of a commit does not have to wait
  // for all of them.
  database.bytes_per_sync = mebibyte;
  return database;
}

rocksdb::ColumnFamilyOptions family_options(Family family, const StoreOptions& options,
                                            const StoreMemory& memory) {
  rocksdb::ColumnFamilyOptions result;
  // The sum over twelve families exceeds the third of the budget; the write buffer manager flushes before that.
  result.write_buffer_size = (is_large(family) ? (options.bulk ? 64 : 32) : 8) * mebibyte;
  // Floats of embeddings do not compress, so lz4 would only cost time.
  result.compression =
      family == Family::vectors ? rocksdb::kNoCompression : rocksdb::kLZ4Compression;
  // Postings of texts are small numbers, which lz4 hardly compresses. Frequently read ones are cached in decoded
  // form.
  if (family == Family::text) result.bottommost_compression = rocksdb::kZSTD;
  result.level_compaction_dynamic_level_bytes = true;
  // Nine tenths of the data are on the last level for any size of the store. A lookup of a record by its id nearly
  // always finds the record, so a filter of the last level would save nothing.
  result.optimize_filters_for_hits = is_read_by_id(family);
  // A bulk load has no readers that many files of level 0 could slow down.
  if (options.bulk) result.level0_slowdown_writes_trigger = 40;
  if (options.bulk) result.level0_stop_writes_trigger = 60;
  result.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table_options(family, memory)));
  if (comes_in_batches(family)) result.memtable_factory = std::make_shared<MemtableFactory>();
  set_prefix(family, result);
  // For scrubs: statistics of erased content per table, and where written tables end.
  result.table_properties_collector_factories.push_back(mark_collector(family));
  result.sst_partitioner_factory = std::make_shared<TableCuts>();
  return result;
}

}  // namespace cairn::engine
