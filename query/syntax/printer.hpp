#pragma once
// Prints a syntax tree as canonical text: each tree has one spelling, with as few brackets as possible.
// parse(print(tree)) == tree.

#include "query/syntax/ast.hpp"

#include <cstddef>
#include <string>

namespace cairn::query {

[[nodiscard]] std::string print(const ast::Expression& expression);
/// Prints the base and the first `count` suffixes only.
[[nodiscard]] std::string print_prefix(const ast::SuffixChain& chain, std::size_t count);
[[nodiscard]] std::string print(const ast::Statement& statement);

}  // namespace cairn::query
