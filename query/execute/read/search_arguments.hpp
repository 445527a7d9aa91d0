#pragma once
// What a SEARCH clause asks for: its index by name, and its query vector and numbers.

#include "query/bind/bound_query.hpp"
#include "query/execute/expression/evaluator.hpp"

#include <cairn/result.hpp>

#include <optional>
#include <string>
#include <vector>

namespace cairn::query {

struct SearchIndex {
  std::uint32_t id = 0;
  codec::EntityKind kind = codec::EntityKind::node;
};

/// Errors: not_found with the nearest name; invalid_argument where it is of another kind than the
/// clause says; busy where it is not online.
[[nodiscard]] Result<SearchIndex> find_search_index(const engine::Catalog& catalog,
                                                    const SearchClause& clause);

struct SearchArguments {
  std::vector<float> query;  ///< of a vector index
  std::string text;          ///< of a full-text index
  std::size_t k = 0;
  std::size_t ef_search = 0;
};

/// Nothing where the query is null. Errors: type_error, invalid_argument.
[[nodiscard]] Result<std::optional<SearchArguments>> evaluate_search(Evaluator& evaluator,
                                                                     const SearchClause& clause,
                                                                     Row row);

/// A number of rows, as in LIMIT. Errors: type_error, invalid_argument where it is negative.
[[nodiscard]] Result<std::size_t> evaluate_count(Evaluator& evaluator, const Expression& expression,
                                                 Row row, const char* what);

/// Numbers as the components of a vector. Errors: type_error.
[[nodiscard]] Result<std::vector<float>> vector_components(const Value& value,
                                                           const TextRange& where);

}  // namespace cairn::query
