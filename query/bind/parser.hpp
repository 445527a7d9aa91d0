#pragma once
// The first two steps of a query: text to syntax tree to bound statement.

#include "query/bind/bound_query.hpp"
#include "query/registered/registered_calls.hpp"
#include "query/syntax/syntax_parser.hpp"

#include <cairn/result.hpp>

#include <string_view>

namespace cairn::query {

/// Parse and bind one statement (a final semicolon is allowed).
///
/// Errors: parse_error with range, line, column; the message has the caret line and what was
/// expected, or the name that is not in scope with the nearest one that is. With the `parameters` of a
/// run, filters in them become part of the statement, with their operands as `operands` says;
/// invalid_argument where one is not a filter.
/// `registered` are the functions and procedures of the program, which the result keeps.
[[nodiscard]] Result<BoundStatement> parse_statement(
    std::string_view text, const ParseLimits& limits = {}, const Parameters* parameters = nullptr,
    RegisteredCallsPtr registered = nullptr, FilterOperands operands = FilterOperands::literals);

}  // namespace cairn::query
