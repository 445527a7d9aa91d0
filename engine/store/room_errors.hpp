#pragma once
// Limits other than a full disk that leave no room for a file. Private to this folder.

#include "engine/store/log_latch.hpp"

#include <rocksdb/io_status.h>

#include <cstdint>

namespace cairn::engine {

/// Turns errors of a quota (EDQUOT) or of the file size limit (EFBIG), which RocksDB reports only as text, into NoSpace;
/// returns any other status unchanged.
[[nodiscard]] rocksdb::IOStatus as_no_space(rocksdb::IOStatus status);
/// A file that reports these errors as NoSpace too.
[[nodiscard]] WritableFilePtr with_room_errors(WritableFilePtr file);

/// The current limit of this process on the size of a file (RLIMIT_FSIZE). Cost: a system call.
[[nodiscard]] std::uint64_t most_file_bytes() noexcept;

}  // namespace cairn::engine
