#pragma once
// Upgrade: rebuilds derived families (indexes and so on) from the records if their layout is not the current one.

#include "engine/catalog/catalog.hpp"
#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cairn::engine {

/// Which derived families an upgrade rebuilds.
enum class Rebuild : std::uint8_t {
  outdated,    ///< rebuild families with another layout
  everything,  ///< rebuild all derived families, for a repair
  nothing,     ///< rebuild nothing, and fail if a family is outdated: for a read-only database
};

/// Rebuilds derived families, and appends a sentence to `remarks` for each outdated family.
///
/// If it is interrupted, the next open starts it again: the stored layout is 0 during the rebuild. If a record cannot be
/// read, nothing is changed.
/// Errors: corruption, naming what cannot be read; unsupported if a family is outdated and `extent` is `nothing`.
/// Cost: reads the records twice if anything must be rebuilt.
[[nodiscard]] Status upgrade_derived(RocksStore& store, Rebuild extent,
                                     std::vector<std::string>& remarks);

/// Writes the current layout versions, for a new store.
void put_present_layouts(StoreBatch& batch);

/// Reads the catalog of the newest commit. Errors: corruption.
[[nodiscard]] Result<std::shared_ptr<const Catalog>> load_catalog(const RocksStore& store);

}  // namespace cairn::engine
