#pragma once
// Parses a text to a syntax tree. parse_statement() in query/bind/parser.hpp calls parse_syntax() and binds the tree.

#include "query/syntax/ast.hpp"
#include "query/syntax/source_text.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cairn::query {

/// Limits that are checked before a statement runs.
struct ParseLimits {
  std::size_t statement_bytes = std::size_t{1} << 20;  ///< of the text
  std::uint32_t nesting_levels = 128;                  ///< of brackets and other nested constructs
};

/// Parses one statement. A final semicolon is allowed.
///
/// Errors: parse_error at the furthest place that the grammar reached, with the tokens that were expected there;
/// resource_limit if a limit is exceeded. Cost: linear in the text.
[[nodiscard]] Result<ast::Statement> parse_syntax(const SourceText& source,
                                                  const ParseLimits& limits = {});

}  // namespace cairn::query
