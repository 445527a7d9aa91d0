#pragma once
// Walks over a syntax tree before its names are bound.

#include "query/syntax/ast.hpp"

#include <cstddef>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace cairn::query {

/// Counts the calls of aggregating functions. Calls within subqueries are not counted.
[[nodiscard]] std::size_t count_aggregates(const ast::Expression& expression);

/// Collects every name that may be a variable, including names that the expression itself declares.
using NameSet = std::unordered_set<std::string_view>;
void collect_names(const ast::Expression& expression, NameSet& names);
void collect_names(const std::vector<ast::Clause>& clauses, NameSet& names);

}  // namespace cairn::query
