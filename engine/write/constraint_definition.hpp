#pragma once
// CREATE CONSTRAINT and DROP CONSTRAINT, and the look at what a transaction changed.

#include "engine/graph/graph_view.hpp"
#include "engine/transaction/catalog_editor.hpp"
#include "engine/transaction/write_set.hpp"
#include "engine/write/constraint_request.hpp"
#include "engine/write/graph_editor.hpp"

#include <cairn/result.hpp>

#include <cstdint>
#include <functional>
#include <string_view>

namespace cairn::engine {

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

}  // namespace cairn::engine
