#pragma once
// Definitions that change the schema of a database: indexes, constraints, and the embedding model of a vector index.

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

// CREATE INDEX and DROP INDEX: the changes of the catalog, and the backfill of existing records.

/// Creates an index. A range index pins the paths of its properties; a vector index converts lists of numbers to
/// vectors.
/// Calls `within_limits` after each record, so that the transaction stays within its memory limit and can be ended.
/// Errors: already_exists; invalid_argument; any error of `within_limits`.
[[nodiscard]] Status define_index(const IndexRequest& request, const GraphView& view,
                                  CatalogEditor& catalog, GraphEditor& editor,
                                  const std::function<Status()>& within_limits);
/// Drops the index `name`. Errors: not_found, which proposes the nearest name.
[[nodiscard]] Status undefine_index(std::string_view name, CatalogEditor& catalog);

/// Indexes the paths of these properties permanently. If a path is not indexed yet because of the limit of paths,
/// enters all records into it.
[[nodiscard]] Status pin_properties(codec::EntityKind kind,
                                    const std::vector<std::uint32_t>& properties,
                                    const GraphView& view, CatalogEditor& catalog,
                                    GraphEditor& editor,
                                    const std::function<Status()>& within_limits);
/// Reverses pin_properties() for properties that no index and no constraint needs any more.
void unpin_properties(codec::EntityKind kind, const std::vector<std::uint32_t>& properties,
                      CatalogEditor& catalog);

/// Returns the name for an index without a name: its kind, labels and properties joined by '_'.
[[nodiscard]] std::string default_index_name(const IndexRequest& request);

// Errors for unknown names of indexes and constraints.

/// Returns the error not_found: `there is no index "x"; did you mean "y"?`. `y` is the most similar of `names`, if
/// one is similar.
[[nodiscard]] Error no_such(std::string_view what, std::string_view name,
                            const std::vector<std::string_view>& names);

/// Returns the names of catalog entries. The views are valid as long as the entries.
template <class Entries>
[[nodiscard]] std::vector<std::string_view> names_of(const Entries& entries) {
  std::vector<std::string_view> names;
  for (const auto& [id, entry] : entries) names.push_back(entry.name);
  return names;
}

// CREATE CONSTRAINT and DROP CONSTRAINT, and the check of the records that a transaction changed.

/// The state that a definition of a constraint reads and changes.
struct SchemaChange {
  const GraphView& view;
  WriteSet& write_set;
  CatalogEditor& catalog;
  GraphEditor& editor;
  /// Microseconds since 1970; records that expire up to this time violate no constraint.
  std::int64_t now;
};

/// Creates a constraint, if all existing records fulfil it. Calls `pulse` after each record; an error of `pulse` ends
/// the check.
/// Errors: already_exists and invalid_argument, which change nothing; any error of `pulse`.
[[nodiscard]] Status define_constraint(const ConstraintRequest& request, const SchemaChange& change,
                                       const std::function<Status()>& pulse);
/// Drops the constraint `name`. Errors: not_found, which proposes the nearest name.
[[nodiscard]] Status undefine_constraint(std::string_view name, CatalogEditor& catalog);

/// Checks the constraints for the records that were changed since the last call, and forgets these records if none
/// violates a constraint. Calls `pulse` after each check. Errors: already_exists or invalid_argument, which name the
/// records and the constraint; any error of `pulse`.
[[nodiscard]] Status check_changed_records(const GraphView& view, WriteSet& write_set,
                                           std::int64_t now, const std::function<Status()>& pulse);

// The embedding model of a vector index.

/// Records the model of a vector index before an embedder writes vectors into it. Does nothing if the index has this
/// model already. Returns a warning if the index has no model but already has vectors, because their model is
/// unknown; else returns an empty text.
/// `view` is the view of the transaction with this write_set and catalog.
/// Errors: not_found; invalid_argument if the index has another model or dimension.
[[nodiscard]] Result<std::string> declare_model(std::string_view index, const EmbeddingModel& model,
                                                const GraphView& view, const WriteSet& write_set,
                                                CatalogEditor& catalog);

}  // namespace cairn::engine
