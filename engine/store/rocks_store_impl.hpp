#pragma once
// What is behind a RocksStore. Private to this folder.

#include "engine/store/rocks_store.hpp"
#include "engine/store/tuning.hpp"

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/snapshot.h>
#include <rocksdb/write_batch.h>

#include <array>
#include <memory>
#include <string>

namespace cairn::engine {

/// Members are destroyed from the last to the first: handles, database, memory, environment. The
/// environment must outlive the database.
struct RocksStore::Impl {
  std::unique_ptr<rocksdb::Env> env;
  StoreMemory memory;
  std::string directory;
  StoreOptions options;
  std::unique_ptr<rocksdb::DB> database;
  std::array<rocksdb::ColumnFamilyHandle*, family_count> handles{};

  ~Impl();
  [[nodiscard]] rocksdb::ColumnFamilyHandle* handle(Family family) const {
    return handles[position(family)];
  }
  /// Open with this way of recovering the log. May be called again after it failed.
  [[nodiscard]] rocksdb::Status open(rocksdb::WALRecoveryMode mode);
};

struct StoreSnapshot::Impl {
  rocksdb::DB* database = nullptr;
  const rocksdb::Snapshot* snapshot = nullptr;
};

struct StoreBatch::Impl {
  const std::array<rocksdb::ColumnFamilyHandle*, family_count>* handles = nullptr;
  rocksdb::WriteBatch batch;
};

[[nodiscard]] inline rocksdb::Slice slice(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}

}  // namespace cairn::engine
