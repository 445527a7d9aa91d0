#pragma once
// Syntax tree to canonical text: one spelling for each tree, with no more brackets than it needs.
// parse(print(tree)) == tree.

#include "query/syntax/ast.hpp"

#include <cstddef>
#include <string>

namespace cairn::query {

[[nodiscard]] std::string print(const ast::Expression& expression);
/// The base and the first `count` suffixes alone.
[[nodiscard]] std::string print_prefix(const ast::SuffixChain& chain, std::size_t count);
[[nodiscard]] std::string print(const ast::Statement& statement);

}  // namespace cairn::query
