#pragma once
// Limits other than a full disk that leave no space for a file. Private to this folder.

#include "engine/store/log_latch.hpp"

#include <rocksdb/io_status.h>

#include <cstdint>

namespace cairn::engine {

/// Converts errors of a quota (EDQUOT) or of the file size limit (EFBIG), which RocksDB reports only as text, to
/// NoSpace. Returns any other status unchanged.
[[nodiscard]] rocksdb::IOStatus as_no_space(rocksdb::IOStatus status);
/// Wraps a file, so that it reports these errors as NoSpace.
[[nodiscard]] WritableFilePtr with_room_errors(WritableFilePtr file);

/// Returns the limit of this process for the size of a file (RLIMIT_FSIZE). Cost: a system call.
[[nodiscard]] std::uint64_t most_file_bytes() noexcept;

}  // namespace cairn::engine
