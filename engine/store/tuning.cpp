// How RocksDB is set up, and why where its default is not taken.
//
// Memory: one LRU cache is the budget. Data blocks, indexes and filters live in it, and write
// buffers are charged to it, so that memory_bytes() is one number and limit_cache() can give a part
// away to vectors. Not charged: the lists of keys of a write buffer, 24 to 48 bytes a key, though they
// count for when it is full.
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

// RocksDB takes sizes in bytes.
constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// An index key without its chunk: all chunks of one posting list share one bloom filter entry, so
/// that asking for a value that is not there reads no block.
/// On disk as a name in the files' properties: a changed rule needs a new one, or filters would
/// deny what is there.
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

/// Writes nothing: even a read-only opening would make a log file otherwise.
class SilentLogger final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

/// Families that hold most of the bytes get large write buffers, so that a load flushes seldom.
bool is_large(Family family) {
  return family == Family::nodes || family == Family::relationships || family == Family::index ||
         family == Family::vectors || family == Family::text;
}

/// Families of which a commit brings many keys, in their order.
bool comes_in_batches(Family family) {
  return is_large(family) || family == Family::adj_out || family == Family::adj_in ||
         family == Family::external_ids;
}

/// Families that are read by whole keys which nearly always are there.
bool is_read_by_id(Family family) {
  return family == Family::nodes || family == Family::relationships;
}

/// Families of which a get finds its key within a block by a hash.
bool is_got_by_key(Family family) {
  return is_read_by_id(family) || family == Family::external_ids;
}

/// The layout of table files.
rocksdb::BlockBasedTableOptions table_options(Family family, const StoreMemory& memory) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = memory.cache;
  // A vector of 768 components is 3 KiB: larger blocks hold ten of them, smaller ones of other
  // families waste less of the cache on a single record.
  // The hash within a block knows 253 places: external ids are short.
  table.block_size = family == Family::vectors        ? 32 * 1024
                     : family == Family::external_ids ? 4 * 1024
                                                      : 16 * 1024;
  // Ten bits a key: one in a hundred absent keys costs a block.
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  // Where a prefix is set it is what is asked for; a filter on whole keys would never be used.
  table.whole_key_filtering =
      family != Family::index && family != Family::adj_out && family != Family::adj_in;
  // Charged to the one budget like all else, at the price of reading them again under pressure.
  table.cache_index_and_filter_blocks = true;
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  if (is_got_by_key(family)) {
    // A get finds its key in its block by a hash, not by a walk over records.
    table.data_block_index_type = rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash;
    table.block_restart_interval = 1;
  }
  // It looks for that block in the cache and for nothing else. What is pinned are some bytes a block of
  // 16 KiB: the last level has no filter. External ids have one, ten bits each, which must be able to go.
  if (is_read_by_id(family))
    table.metadata_cache_options.unpartitioned_pinning = rocksdb::PinningTier::kAll;
  // What table_tail.cpp can read.
  table.format_version = 5;
  table.checksum = rocksdb::kXXH3;
  return table;
}

/// What the keys of a family are sought by.
void set_prefix(Family family, rocksdb::ColumnFamilyOptions& options) {
  if (family == Family::index) {
    options.prefix_extractor = std::make_shared<PostingPrefix>();
    options.merge_operator = std::make_shared<PostingMerge>();
    options.compaction_filter = empty_posting_filter();
  } else if (family == Family::text) {
    options.merge_operator = std::make_shared<TextMerge>();
    options.compaction_filter = empty_text_filter();
  } else if (family == Family::adj_out || family == Family::adj_in) {
    options.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(8));  // the node
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
  // Damage found in the background turns writes off instead of being carried on.
  database.paranoid_checks = true;
  // Synced logs are listed in the manifest with their sizes: one that is missing or shorter refuses
  // the open.
  database.track_and_verify_wals_in_manifest = true;
  // The default of this level depends on how the program that includes the header was built.
  database.info_log_level = rocksdb::InfoLogLevel::WARN_LEVEL;
  if (options.read_only) database.info_log = std::make_shared<SilentLogger>();
  // RocksDB's own protocol (LOG), not the write-ahead log.
  database.keep_log_file_num = 4;
  database.max_log_file_size = mebibyte;
  // The manifest names the first and last key of tables. A scrub begins a new one by exceeding this.
  database.max_manifest_file_size = most_manifest_bytes;
  database.write_buffer_manager = memory.buffers;
  // Writes come one at a time as it is, and run tables demand it.
  database.allow_concurrent_memtable_write = false;
  database.max_total_wal_size = 64 * mebibyte;  // bounds what an open has to read again
  database.max_background_jobs = background_jobs(options);
  // More would each be a new thread at every opening, for 16 tables at most. One that cannot be had ends the
  // process.
  database.max_file_opening_threads = 1;
  // Half of the 1,024 descriptors that a process usually has; the rest is the program's.
  database.max_open_files = 512;
  // Flushes and compactions hand their pages to the disk as they go, not all at the end in front of
  // a commit's sync.
  database.bytes_per_sync = mebibyte;
  return database;
}

rocksdb::ColumnFamilyOptions family_options(Family family, const StoreOptions& options,
                                            const StoreMemory& memory) {
  rocksdb::ColumnFamilyOptions result;
  // Summed over twelve families this is more than the budget's third: the manager flushes before
  // that.
  result.write_buffer_size = (is_large(family) ? (options.bulk ? 64 : 32) : 8) * mebibyte;
  // Floats of embeddings do not compress: lz4 would cost time for nothing.
  result.compression =
      family == Family::vectors ? rocksdb::kNoCompression : rocksdb::kLZ4Compression;
  // Small numbers, which lz4 hardly packs; what is read often is cached in decoded form.
  if (family == Family::text) result.bottommost_compression = rocksdb::kZSTD;
  result.level_compaction_dynamic_level_bytes = true;
  // Nine tenths lie on the last level so, whatever the size of the store.
  // The last level holds most records: a filter there would nearly always say yes.
  result.optimize_filters_for_hits = is_read_by_id(family);
  // A load has no reader to be slowed by many files of level 0.
  if (options.bulk) result.level0_slowdown_writes_trigger = 40;
  if (options.bulk) result.level0_stop_writes_trigger = 60;
  result.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table_options(family, memory)));
  if (comes_in_batches(family)) result.memtable_factory = std::make_shared<MemtableFactory>();
  set_prefix(family, result);
  // For scrubs: which tables hold what was erased, and where those that take its place end.
  result.table_properties_collector_factories.push_back(mark_collector(family));
  result.sst_partitioner_factory = std::make_shared<TableCuts>();
  return result;
}

}  // namespace cairn::engine
