#pragma once
// Upgrade: what is derived is rebuilt from the truth whenever its layout is not the present one.

#include "engine/catalog/catalog.hpp"
#include "engine/store/rocks_store.hpp"

#include <cairn/result.hpp>

#include <memory>
#include <string>
#include <vector>

namespace cairn::engine {

/// Rebuild every derived family of another layout; a sentence for each goes to `remarks`.
///
/// Interrupted, it begins anew at the next open, because the layout is written last.
/// Errors: unsupported, where the database is opened read-only and would have to be rebuilt.
/// Cost: reads the whole truth, if anything is to be rebuilt.
[[nodiscard]] Status upgrade_derived(RocksStore& store, bool read_only,
                                     std::vector<std::string>& remarks);

/// Put the layouts that this program writes, for a new store.
void put_present_layouts(StoreBatch& batch);

/// The catalog of the newest commit. Errors: corruption.
[[nodiscard]] Result<std::shared_ptr<const Catalog>> load_catalog(const RocksStore& store);

}  // namespace cairn::engine
