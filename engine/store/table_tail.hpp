#pragma once
// The end of a table file, which says how to read the rest. Private to this folder.

#include <rocksdb/file_system.h>

#include <cstdint>

namespace cairn::engine {

/// Compare what follows the data of a table file with its checksums, but for its index and filters.
///
/// RocksDB goes on where it cannot read the range deletions, with a line in its message log: erased keys are
/// back in a scan, which ends well. It checks the index itself, and without a filter it reads what it could have
/// passed over.
/// Errors: corruption, with what is wrong; those of reading. Cost: a read of 4 KiB, and one of each block that
/// reaches further back.
[[nodiscard]] rocksdb::IOStatus check_table_tail(rocksdb::FSRandomAccessFile& file,
                                                 std::uint64_t file_bytes);

}  // namespace cairn::engine
