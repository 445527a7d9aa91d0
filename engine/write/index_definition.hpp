#pragma once
// CREATE INDEX and DROP INDEX: what they change in the catalog, and the backfill.

#include "engine/graph/graph_view.hpp"
#include "engine/transaction/catalog_editor.hpp"
#include "engine/write/graph_editor.hpp"
#include "engine/write/writer.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace cairn::engine {

/// A range index pins the paths of its properties, a vector index turns lists into vectors.
/// The backfill asks `within_limits` after each record, so that it never outgrows the transaction.
/// Errors: already_exists, invalid_argument, those of `within_limits`.
[[nodiscard]] Status define_index(const IndexRequest& request, const GraphView& view,
                                  CatalogEditor& catalog, GraphEditor& editor,
                                  const std::function<Status()>& within_limits);
/// Errors: not_found with the nearest name.
[[nodiscard]] Status undefine_index(std::string_view name, CatalogEditor& catalog);

/// Keep the paths of these properties indexed, whatever else is; one that was left out is entered for all records.
[[nodiscard]] Status pin_properties(codec::EntityKind kind,
                                    const std::vector<std::uint32_t>& properties,
                                    const GraphView& view, CatalogEditor& catalog,
                                    GraphEditor& editor,
                                    const std::function<Status()>& within_limits);
/// The reverse, for those that no index and no constraint needs any more.
void unpin_properties(codec::EntityKind kind, const std::vector<std::uint32_t>& properties,
                      CatalogEditor& catalog);

/// The name that an index without one gets: its kind, labels and properties joined by '_'.
[[nodiscard]] std::string default_index_name(const IndexRequest& request);

}  // namespace cairn::engine
