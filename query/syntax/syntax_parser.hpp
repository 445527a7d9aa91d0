#pragma once
// Text to syntax tree: the first half of parser.hpp's parse_statement.

#include "query/syntax/ast.hpp"
#include "query/syntax/source_text.hpp"

#include <cairn/result.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cairn::query {

/// Limits that hold before a statement runs.
struct ParseLimits {
  std::size_t statement_bytes = std::size_t{1} << 20;
  std::uint32_t nesting_levels = 128;
};

/// Parse one statement (a final semicolon is allowed).
///
/// Errors: parse_error at the furthest place the grammar came to, with what it would have taken
/// there; resource_limit where a limit is exceeded. Cost: linear in the text.
[[nodiscard]] Result<ast::Statement> parse_syntax(const SourceText& source,
                                                  const ParseLimits& limits = {});

}  // namespace cairn::query
