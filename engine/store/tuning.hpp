#pragma once
// The settings of RocksDB. Private to this folder.

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

/// The size from which RocksDB begins a new manifest.
inline constexpr std::size_t most_manifest_bytes = std::size_t{1} << 20;

/// The memory budget: the block cache. Write buffers are charged to it.
struct StoreMemory {
  std::shared_ptr<rocksdb::Cache> cache;                 // owners: this and RocksDB
  std::shared_ptr<rocksdb::WriteBufferManager> buffers;  // owners: this and RocksDB
};

/// Creates the memory of a store. A third of the budget is for write buffers, half of it in a bulk load. The budget
/// is at least 16 MiB.
[[nodiscard]] StoreMemory make_store_memory(const StoreOptions& options);
/// The number of background jobs: one more than options.background_threads, so that a flush need not wait for a
/// compaction.
[[nodiscard]] int background_jobs(const StoreOptions& options);
/// The settings of the database. The caller adds how the log is recovered.
[[nodiscard]] rocksdb::DBOptions database_options(const StoreOptions& options,
                                                  const StoreMemory& memory, rocksdb::Env* env);
/// The settings of a family.
[[nodiscard]] rocksdb::ColumnFamilyOptions family_options(Family family,
                                                          const StoreOptions& options,
                                                          const StoreMemory& memory);

}  // namespace cairn::engine
