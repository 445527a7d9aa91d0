#pragma once
// Notes: what `meta` keeps about the database beside its commits, for instance where its backups are.

#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

struct Note {
  std::string key;
  std::string value;
};

/// Those whose keys start with `prefix`, by key, as of `snapshot`. Errors: those of the store.
[[nodiscard]] Result<std::vector<Note>> read_notes(const RocksStore& store, std::string_view prefix,
                                                   const StoreSnapshot* snapshot);

}  // namespace cairn::engine
