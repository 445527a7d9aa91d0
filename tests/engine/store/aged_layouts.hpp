#pragma once
// age_layouts(): makes the derived data of a database look as if other code had written it.

#include "engine/store/column_family.hpp"
#include "engine/store/meta.hpp"
#include "engine/store/metadata_file.hpp"
#include "engine/store/rocks_store.hpp"
#include "tests/support/graph_builder.hpp"

#include <filesystem>

namespace cairn::test {

/// Empties every derived family of a closed database and gives it a layout that this code does not know, so that an
/// open rebuilds it.
inline void age_layouts(const std::filesystem::path& database) {
  using engine::Family;
  const auto store =
      must(engine::RocksStore::open(database / engine::metadata_file::store_directory, {}));
  engine::StoreBatch batch(*store);
  engine::MetaWriter meta(batch);
  for (const Family family : engine::all_families) {
    if (!engine::is_derived(family)) continue;
    must(store->clear(family));
    meta.put_layout(to_string(family), 999);
  }
  must(store->write(batch, engine::WriteMode::sync));
}

}  // namespace cairn::test
