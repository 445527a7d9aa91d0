#pragma once
// Options for opening the store.

#include <cstddef>
#include <cstdint>
#include <memory>

namespace rocksdb {
class FileSystem;
}

namespace cairn::engine {

/// How to open the store: the part of the public Options that this folder needs.
struct StoreOptions {
  bool create_if_missing = true;
  bool read_only = false;
  /// Opens a damaged store. Commits after the damage of a log are dropped, with a warning. Damaged table files are
  /// left as they are; nothing is compacted until RocksStore::end_repair().
  bool repair = false;
  bool bulk = false;           ///< bulk load: no log, large write buffers
  bool syncs_commits = false;  ///< commits wait until the log is on disk
  /// For the block cache and the write buffers together.
  std::size_t memory_bytes = std::size_t{256} << 20;
  std::uint32_t background_threads = 1;
  /// The base file system. Tests inject faults here; nullptr is the real one.
  std::shared_ptr<rocksdb::FileSystem> file_system;  // owners: the test and the store
};

}  // namespace cairn::engine
