#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace rocksdb {
class FileSystem;
}

namespace cairn::engine {

/// How to open the store; a translation of the public Options for this folder alone.
struct StoreOptions {
  bool create_if_missing = true;
  bool read_only = false;
  /// Lose the commits behind damage of the log, with a warning, and open with damaged table files, which
  /// nothing is compacted with until RocksStore::end_repair().
  bool repair = false;
  bool bulk = false;                                  ///< no log; large write buffers
  bool syncs_commits = false;                         ///< what is logged is waited for soon
  std::size_t memory_bytes = std::size_t{256} << 20;  ///< block cache and write buffers together
  std::uint32_t background_threads = 1;
  /// The file system under ours, for tests that inject faults; null is the real one.
  std::shared_ptr<rocksdb::FileSystem> file_system;  // owners: the test and the store
};

}  // namespace cairn::engine
