#pragma once
// The first two steps of a query: text to syntax tree, and syntax tree to bound statement.

#include "query/bind/bound_query.hpp"
#include "query/builtins/foreign_names.hpp"
#include "query/registered/registered_calls.hpp"
#include "query/syntax/syntax_parser.hpp"

#include <cairn/result.hpp>

#include <string_view>

namespace cairn::query {

/// Parses and binds one statement. A final semicolon is allowed.
///
/// Errors: parse_error with range, line and column. The message shows the line and what was expected; for an unknown
/// name, the message suggests the most similar visible name. invalid_argument if the value of a parameter in place of a
/// filter is not a filter.
///
/// If `parameters` are given, filters in them become part of the statement; `operands` says how their operands are
/// bound. The result shares ownership of `registered`, the functions and procedures of the program. `is_procedure` makes
/// the error about a procedure that is called as a function say so.
[[nodiscard]] Result<BoundStatement> parse_statement(
    std::string_view text, const ParseLimits& limits = {}, const Parameters* parameters = nullptr,
    RegisteredCallsPtr registered = nullptr, FilterOperands operands = FilterOperands::literals,
    IsProcedure is_procedure = nullptr);

}  // namespace cairn::query
