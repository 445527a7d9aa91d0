#pragma once
// A read that fails while the store is opened ends the opening. Private to this folder.
//
// RocksDB takes some such errors for damage. Where it may stop at damage in a log, it then deletes the rest of that log.
// Steps that only look do the like, as the one that decides what a torn log may drop. A disk that fails once may work
// for the next step, so that no single step can be left to notice.

#include "engine/store/log_latch.hpp"

#include <rocksdb/file_system.h>

#include <memory>

namespace cairn::engine {

/// A file that is read, or `status` where it could not be opened. While the latch is told that the store is opened, an
/// error fails it; that a file is not there is none.
[[nodiscard]] rocksdb::IOStatus latch_reading(rocksdb::IOStatus status,
                                              std::unique_ptr<rocksdb::FSSequentialFile>& file,
                                              LogLatchPtr latch);
[[nodiscard]] rocksdb::IOStatus latch_reading(rocksdb::IOStatus status,
                                              std::unique_ptr<rocksdb::FSRandomAccessFile>& file,
                                              LogLatchPtr latch);

}  // namespace cairn::engine
