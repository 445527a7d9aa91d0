#pragma once
// The first two steps of a query: text to syntax tree to bound statement.

#include "query/bind/bound_query.hpp"

#include <cairn/result.hpp>

#include <string_view>

namespace cairn::query {

/// Limits that hold before a statement runs.
struct ParseLimits {
  std::size_t statement_bytes = std::size_t{1} << 20;
  std::uint32_t nesting_levels = 128;
};

/// Parse and bind one statement (a final semicolon is allowed).
///
/// Errors: parse_error with range, line, column; the message has the caret line and what was
/// expected, or the name that is not in scope with the nearest one that is.
[[nodiscard]] Result<BoundStatement> parse_statement(std::string_view text,
                                                     const ParseLimits& limits = {});

}  // namespace cairn::query
