#pragma once
// The end of a manifest that a power cut tore. Private to this folder.
//
// A manifest is a log of RocksDB's, see log_reader.hpp. RocksDB appends the records of several column families, syncs
// once, and deletes what older records name only then. So a record with a sector that was never written was never relied
// on, and neither was any after it, but RocksDB refuses a store for it where the file has its full size.
//
// A sector of an older record that came to read as zeros looks the same. What its loss takes along is found elsewhere: a
// table that is not there any more by RocksDB, a commit by COMMIT.

#include <rocksdb/file_system.h>

#include <memory>
#include <string>

namespace cairn::engine {

/// Let `file`, the manifest `name` of `files`, end before the first record that was never wholly written; the file itself
/// stays as it is. Any other damage is left to RocksDB, which refuses it.
/// Cost: reads the manifest once. Errors: of reading.
[[nodiscard]] rocksdb::IOStatus end_before_torn_record(
    rocksdb::FileSystem& files, const std::string& name,
    std::unique_ptr<rocksdb::FSSequentialFile>* file);

/// A warning about such a record of the manifest that is in use; empty where it has none.
[[nodiscard]] std::string torn_manifest(rocksdb::FileSystem& files, const std::string& directory);

}  // namespace cairn::engine
