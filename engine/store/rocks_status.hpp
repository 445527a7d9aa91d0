#pragma once
// RocksDB's status as our error. Private to this folder.

#include <cairn/result.hpp>

#include <string_view>

namespace rocksdb {
class Status;
}

namespace cairn::engine {

/// `place` names what was read or written.
[[nodiscard]] Error to_error(const rocksdb::Status& status, std::string_view place);

}  // namespace cairn::engine
