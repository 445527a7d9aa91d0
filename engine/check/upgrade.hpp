#pragma once
// Upgrade: what is derived is rebuilt from the truth whenever its layout is not the present one.

#include "engine/catalog/catalog.hpp"
#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cairn::engine {

enum class Rebuild : std::uint8_t {
  outdated,    ///< what has another layout
  everything,  ///< all that is derived, for a repair
  nothing,     ///< read-only: refuse where something is outdated
};

/// Rebuild derived families; a sentence for each outdated one goes to `remarks`.
///
/// Interrupted, it starts again at the next open: the layout is 0 from before the first change until
/// after the last. Where a record cannot be read, nothing is changed.
/// Errors: corruption, naming what cannot be read; unsupported, where the database is opened read-only
/// and would have to be rebuilt. Cost: reads the records twice, if anything is to be rebuilt.
[[nodiscard]] Status upgrade_derived(RocksStore& store, Rebuild extent,
                                     std::vector<std::string>& remarks);

/// Put the layouts that this program writes, for a new store.
void put_present_layouts(StoreBatch& batch);

/// The catalog of the newest commit. Errors: corruption.
[[nodiscard]] Result<std::shared_ptr<const Catalog>> load_catalog(const RocksStore& store);

}  // namespace cairn::engine
