#pragma once
// What can be said of a statement before it runs: names that no record has, and values that filters
// cannot work with.

#include "engine/catalog/catalog.hpp"
#include "query/bind/bound_query.hpp"

#include <cairn/filter.hpp>
#include <cairn/options.hpp>
#include <cairn/recall.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cairn::query {

// Warnings about names that no record has: probably misspelt, and never an error, since the graph
// may get them any time.

/// Whether warnings may name names: those are of all namespaces.
[[nodiscard]] inline bool may_tell_names(const StatementOptions& options) noexcept {
  return !options.listed_name_spaces.has_value();
}

/// Labels, types and properties that the query reads, does not make itself, and that are unknown;
/// each once, with the nearest known name. Before them, remarks on tests of texts that no text is in.
[[nodiscard]] std::vector<std::string> unknown_names(const Query& query,
                                                     const engine::Catalog& catalog);

/// The same of one field of nodes or relationships, given by its keys; nothing where some record has
/// it or may have it.
[[nodiscard]] std::optional<std::string> unknown_field(const std::vector<std::string>& keys,
                                                       const engine::Catalog& catalog);

/// The same of the labels and fields of a filter; what stands inside of any_element is left out.
[[nodiscard]] std::vector<std::string> unknown_names(const Filter& filter,
                                                     const engine::Catalog& catalog);

/// The same of what a recall filters and lifts by, and of the types that it goes along.
[[nodiscard]] std::vector<std::string> unknown_names(const RecallOptions& options,
                                                     const engine::Catalog& catalog);

// Errors in the values of filters are reported before a statement runs, whether or not records would show
// them.

/// Evaluates an expression that needs no row; nothing if that fails.
using ConstantValue = std::function<std::optional<Value>(const Expression&)>;

/// Errors: invalid_argument for a pattern, a date or a list that an operator can not work with.
[[nodiscard]] Status check_filter_values(const Query& query, const ConstantValue& constant);

}  // namespace cairn::query
