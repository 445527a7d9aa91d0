#pragma once
// What else than a full disk leaves no room for a file. Private to this folder.

#include "engine/store/log_latch.hpp"

#include <rocksdb/io_status.h>

#include <cstdint>

namespace cairn::engine {

/// NoSpace of an error that a quota (EDQUOT) or the largest size of a file (EFBIG) gave, which RocksDB knows by their words
/// only; any other status as it is.
[[nodiscard]] rocksdb::IOStatus as_no_space(rocksdb::IOStatus status);
/// A file that gives NoSpace for these errors too.
[[nodiscard]] WritableFilePtr with_room_errors(WritableFilePtr file);

/// The size beyond which this process may write no file (RLIMIT_FSIZE), as it is now. Cost: a system call.
[[nodiscard]] std::uint64_t most_file_bytes() noexcept;

}  // namespace cairn::engine
