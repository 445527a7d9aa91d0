#pragma once
// CREATE INDEX and DROP INDEX: what they change in the catalog, and the backfill. And the error for an index
// or a constraint that is not there.

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

// Names of indexes and constraints that are not there.

/// not_found: "there is no index "x"; did you mean "y"?", with the nearest of `names` if one is near.
[[nodiscard]] Error no_such(std::string_view what, std::string_view name,
                            const std::vector<std::string_view>& names);

/// Of the entries of a catalog. The views last as long as these.
template <class Entries>
[[nodiscard]] std::vector<std::string_view> names_of(const Entries& entries) {
  std::vector<std::string_view> names;
  for (const auto& [id, entry] : entries) names.push_back(entry.name);
  return names;
}

}  // namespace cairn::engine
