#pragma once
// Notes: entries of family `meta` about the database itself, for instance the places of its backups.

#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// An entry of family `meta`.
struct Note {
  std::string key;
  std::string value;
};

/// Returns the notes whose keys start with `prefix`, in ascending order, as of `snapshot`. Errors: errors of the
/// store.
[[nodiscard]] Result<std::vector<Note>> read_notes(const RocksStore& store, std::string_view prefix,
                                                   const StoreSnapshot* snapshot);

}  // namespace cairn::engine
