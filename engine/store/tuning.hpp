#pragma once
// How RocksDB is set up for us. Private to this folder.

#include "engine/store/column_family.hpp"
#include "engine/store/store_options.hpp"

#include <rocksdb/options.h>

#include <cstddef>
#include <memory>

namespace rocksdb {
class Cache;
class WriteBufferManager;
}  // namespace rocksdb

namespace cairn::engine {

/// How large a manifest grows before the next one is begun.
inline constexpr std::size_t most_manifest_bytes = std::size_t{1} << 20;

/// One budget: the block cache, to which the write buffers are charged.
struct StoreMemory {
  std::shared_ptr<rocksdb::Cache> cache;                 // owners: this and RocksDB
  std::shared_ptr<rocksdb::WriteBufferManager> buffers;  // owners: this and RocksDB
};

/// A third of the budget goes to write buffers, half of it in a bulk load, at least 16 MiB in all.
[[nodiscard]] StoreMemory make_store_memory(const StoreOptions& options);
/// One more than asked for: a flush must not wait behind a compaction.
[[nodiscard]] int background_jobs(const StoreOptions& options);
/// Settings of the database as a whole. The caller adds how the log is recovered.
[[nodiscard]] rocksdb::DBOptions database_options(const StoreOptions& options,
                                                  const StoreMemory& memory, rocksdb::Env* env);
/// Settings of one family: all compare bytes, have bloom filters and, but for vectors, lz4.
[[nodiscard]] rocksdb::ColumnFamilyOptions family_options(Family family,
                                                          const StoreOptions& options,
                                                          const StoreMemory& memory);

}  // namespace cairn::engine
