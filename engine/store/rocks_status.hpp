#pragma once
// Converts a status of RocksDB to an Error. Private to this folder.

#include <cairn/result.hpp>

#include <string_view>

namespace rocksdb {
class Status;
}

namespace cairn::engine {

/// Returns the error for `status`. `place` names what was read or written.
[[nodiscard]] Error to_error(const rocksdb::Status& status, std::string_view place);

}  // namespace cairn::engine
