#include "engine/store/notes.hpp"

namespace cairn::engine {

Result<std::vector<Note>> read_notes(const RocksStore& store, std::string_view prefix,
                                     const StoreSnapshot* snapshot) {
  std::vector<Note> notes;
  Cursor cursor = store.scan(Family::meta, range_of_prefix(prefix), snapshot);
  for (; cursor.valid(); cursor.next())
    notes.push_back({std::string(cursor.key()), std::string(cursor.value())});
  CAIRN_TRY(cursor.status());
  return notes;
}

}  // namespace cairn::engine
