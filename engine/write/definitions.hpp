#pragma once
// What the schema of a database changes by: definitions of indexes and constraints, and the model of a vector index.

#include "engine/graph/embedding_model.hpp"
#include "engine/graph/graph_view.hpp"
#include "engine/transaction/catalog_editor.hpp"
#include "engine/transaction/write_set.hpp"
#include "engine/write/constraint_request.hpp"
#include "engine/write/graph_editor.hpp"
#include "engine/write/writer.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::engine {

// CREATE INDEX and DROP INDEX: what they change in the catalog, and the backfill. And the error for an index
// or a constraint that is not there.

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

// CREATE CONSTRAINT and DROP CONSTRAINT, and the look at what a transaction changed.

/// What a definition reads and changes.
struct SchemaChange {
  const GraphView& view;
  WriteSet& write_set;
  CatalogEditor& catalog;
  GraphEditor& editor;
  std::int64_t now;  ///< microseconds: what expires by then keeps nobody out
};

/// Enter a constraint that all members keep to. `pulse` is asked after each, and its error ends that.
/// Errors: already_exists, invalid_argument, those of `pulse`; the first two change nothing.
[[nodiscard]] Status define_constraint(const ConstraintRequest& request, const SchemaChange& change,
                                       const std::function<Status()>& pulse);
/// Errors: not_found with the nearest name.
[[nodiscard]] Status undefine_constraint(std::string_view name, CatalogEditor& catalog);

/// Whether the records that were touched since the last such look keep to the constraints; then they are forgotten.
/// `pulse` is asked after each. Errors: already_exists or invalid_argument, naming the records and the constraint; those
/// of `pulse`.
[[nodiscard]] Status check_changed_records(const GraphView& view, WriteSet& write_set,
                                           std::int64_t now, const std::function<Status()>& pulse);

// An embedder is about to write vectors into an index: its model becomes the index's, or is refused.

/// Declare the model of a vector index that names none yet. Gives a warning where the index has vectors
/// already, of which nobody knows what made them; else an empty text.
/// `view` is the transaction's, with its write_set and its catalog.
/// Errors: not_found, and invalid_argument where the index is of another model or dimension.
[[nodiscard]] Result<std::string> declare_model(std::string_view index, const EmbeddingModel& model,
                                                const GraphView& view, const WriteSet& write_set,
                                                CatalogEditor& catalog);

}  // namespace cairn::engine
