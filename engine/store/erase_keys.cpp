// RocksDB's range deletion is not used, as RocksDB may abort the process with it: if the disk is
// too full for a new log while a write buffer has a range deletion, a later flush of that buffer
// aborts.
#include "engine/store/erase_keys.hpp"

#include <cstddef>

namespace cairn::engine {

Status erase_keys(RocksStore& store, Family family, const KeyRange& range) {
  constexpr std::size_t most_bytes = std::size_t{1} << 20;
  StoreBatch batch(store);
  Cursor cursor = store.scan(family, range, nullptr);
  for (; cursor.valid(); cursor.next()) {
    batch.erase(family, cursor.key());
    if (batch.bytes() < most_bytes) continue;
    CAIRN_TRY(store.write_local(batch, WriteMode::async));
    batch.clear();
  }
  CAIRN_TRY(cursor.status());
  return batch.size() == 0 ? Status() : store.write_local(batch, WriteMode::async);
}

}  // namespace cairn::engine
