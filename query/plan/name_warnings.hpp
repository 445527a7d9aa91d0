#pragma once
// Checks of a statement before it runs: names that no record has, and operands that filters cannot use.

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

// Warnings about names that no record has. Such a name is probably misspelt. An unknown name is never an error, because
// a later write may create the name.

/// True if warnings may mention names of the catalog. The names of the catalog come from all namespaces.
[[nodiscard]] inline bool may_tell_names(const StatementOptions& options) noexcept {
  return !options.listed_name_spaces.has_value();
}

/// Returns warnings about unknown labels, types and properties that the query reads and does not create. Each warning
/// suggests the most similar known name and occurs once. Warnings about text tests with an operand that is not a text
/// come first.
[[nodiscard]] std::vector<std::string> unknown_names(const Query& query,
                                                     const engine::Catalog& catalog);

/// Returns a warning about one field of nodes or relationships, given by its keys. Returns nullopt if some record has
/// the field or may have it.
[[nodiscard]] std::optional<std::string> unknown_field(const std::vector<std::string>& keys,
                                                       const engine::Catalog& catalog);

/// Returns warnings about the labels and fields of a filter. Fields inside any_element are not checked.
[[nodiscard]] std::vector<std::string> unknown_names(const Filter& filter,
                                                     const engine::Catalog& catalog);

/// Returns warnings about the filter, the boosts and the relationship types of a recall.
[[nodiscard]] std::vector<std::string> unknown_names(const RecallOptions& options,
                                                     const engine::Catalog& catalog);

// The values of filters are checked before a statement runs, whether or not a record would reveal the error.

/// Evaluates an expression that needs no row. Returns nullopt if the evaluation fails.
using ConstantValue = std::function<std::optional<Value>(const Expression&)>;

/// Checks the constant operands of all filter tests.
/// Errors: invalid_argument for a pattern, date or list that the test cannot use.
[[nodiscard]] Status check_filter_values(const Query& query, const ConstantValue& constant);

}  // namespace cairn::query
