#pragma once
// Erasing names from the catalog that no record uses any more. Users chose these names, so they may be confidential,
// and a scrub has to erase them.

#include <cairn/result.hpp>

#include <cstdint>

namespace cairn::engine {

class CatalogEditor;
class GraphView;
class RocksStore;

/// The result of erase_unused_names().
struct UnusedNames {
  std::uint64_t erased = 0;  ///< number of erased names
  /// Number of properties and paths that remain because not all paths are indexed. Only a scan of all records could
  /// show whether they are used.
  std::uint64_t unknown = 0;
};

/// Erases labels, types, properties, paths and vector spaces that no record, index or constraint uses. `view` is the
/// view of a writing transaction without changes. Hidden records count as users.
/// Cost: reads a few keys of the index per name; for an unused path, all of its empty keys that
/// compactions have not removed yet.
[[nodiscard]] Result<UnusedNames> erase_unused_names(const RocksStore& store, const GraphView& view,
                                                     CatalogEditor& catalog);

}  // namespace cairn::engine
