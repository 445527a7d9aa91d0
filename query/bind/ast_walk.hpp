#pragma once
// Walks over a syntax tree that need no names bound.

#include "query/syntax/ast.hpp"

#include <cstddef>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace cairn::query {

/// Calls of aggregating functions, those within subqueries left out.
[[nodiscard]] std::size_t count_aggregates(const ast::Expression& expression);

/// Every name that may be a variable's, wherever it was declared.
using NameSet = std::unordered_set<std::string_view>;
void collect_names(const ast::Expression& expression, NameSet& names);
void collect_names(const std::vector<ast::Clause>& clauses, NameSet& names);

}  // namespace cairn::query
