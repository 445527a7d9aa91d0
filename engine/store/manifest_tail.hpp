#pragma once
// The end of a manifest that a power cut tore. Private to this folder.
//
// A manifest is a log of RocksDB's, see log_reader.hpp, and is synced before anything is deleted that only its older
// records name. So a last record that did not reach the disk whole was never relied on, but RocksDB refuses a store for
// it where the file has its full size and some sectors were not written.

#include <rocksdb/file_system.h>

#include <memory>
#include <string>

namespace cairn::engine {

/// Let `file`, the manifest `name` of `files`, end before a record that was never wholly written; the file itself
/// stays as it is. Any other damage is left to RocksDB, which refuses it.
/// Cost: reads the manifest once. Errors: of reading.
[[nodiscard]] rocksdb::IOStatus end_before_torn_record(
    rocksdb::FileSystem& files, const std::string& name,
    std::unique_ptr<rocksdb::FSSequentialFile>* file);

/// A warning about such a record of the manifest that is in use; empty where it has none.
[[nodiscard]] std::string torn_manifest(rocksdb::FileSystem& files, const std::string& directory);

}  // namespace cairn::engine
