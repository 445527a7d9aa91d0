#pragma once
// Names of the catalog that no record has any more. They may be what a user wrote, so that a scrub erases them.

#include <cairn/result.hpp>

#include <cstdint>

namespace cairn::engine {

class CatalogEditor;
class GraphView;
class RocksStore;

struct UnusedNames {
  std::uint64_t erased = 0;
  /// Properties and paths that stay, as some paths are not indexed: only records could tell who has them.
  std::uint64_t unknown = 0;
};

/// Erase labels, types, properties, paths and spaces of vectors that no record, index or constraint has. `view` is that of
/// a writing transaction without changes. Hidden records count. Cost: a few keys of the index for each name; for one that
/// went, all of its emptied keys that compactions left.
[[nodiscard]] Result<UnusedNames> erase_unused_names(const RocksStore& store, const GraphView& view,
                                                     CatalogEditor& catalog);

}  // namespace cairn::engine
