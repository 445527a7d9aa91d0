#pragma once
// Erases a range of keys without RocksDB's range deletion.

#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>

namespace cairn::engine {

/// Erases the keys of a range one by one, in this copy of the database only, and not atomically. Does not wait for the
/// disk. Cost: reads the range. Errors: those of the store.
[[nodiscard]] Status erase_keys(RocksStore& store, Family family, const KeyRange& range);

}  // namespace cairn::engine
