#pragma once
// The end of a manifest that a power cut tore. Private to this folder.
//
// A manifest has the format of a RocksDB log, see log_reader.hpp. RocksDB appends the records of several column
// families, and syncs once. Only then it deletes the files that older records refer to. So if a sector of a record
// was never written, nothing depends on this record or on a later one. But if the file has its full size, RocksDB
// refuses to open the store.
//
// A sector of an older record that reads as zeros looks the same. Its consequences are found elsewhere: RocksDB
// reports a table that no longer exists, and COMMIT shows a lost commit.

#include <rocksdb/file_system.h>

#include <memory>
#include <string>

namespace cairn::engine {

/// Makes `file`, the manifest `name` of `files`, end before the first record that was not completely written. The
/// file on disk is not changed. RocksDB refuses any other damage.
/// Cost: reads the manifest once. Errors: read errors.
[[nodiscard]] rocksdb::IOStatus end_before_torn_record(
    rocksdb::FileSystem& files, const std::string& name,
    std::unique_ptr<rocksdb::FSSequentialFile>* file);

/// Returns a warning if the current manifest has a record that was not completely written, else an empty text.
[[nodiscard]] std::string torn_manifest(rocksdb::FileSystem& files, const std::string& directory);

}  // namespace cairn::engine
