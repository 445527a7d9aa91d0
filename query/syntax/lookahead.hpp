#pragma once
// Lookahead to choose between alternatives with the same beginning. Each lookahead is a few tokens long, because the
// ends of brackets are known. So the grammar needs no backtracking over long constructs.

#include "query/syntax/parse_state.hpp"

namespace cairn::query::grammar {

/// (a)-->...: a node pattern with a relationship after it.
[[nodiscard]] bool is_pattern(ParseState& state, const char* first);
/// ((a)-->...: a path in parentheses.
[[nodiscard]] bool is_parenthesized_path(ParseState& state, const char* first);
/// [x IN xs ...]
[[nodiscard]] bool is_list_comprehension(ParseState& state, const char* first);
/// [(a)-->(b) | ...] or [p = (a)-->(b) | ...]
[[nodiscard]] bool is_pattern_comprehension(ParseState& state, const char* first);
/// all(x IN ...
[[nodiscard]] bool is_quantifier(ParseState& state, const char* first);
/// reduce(sum = ...
[[nodiscard]] bool is_reduce(ParseState& state, const char* first);
/// f(... or a.b.f(...
[[nodiscard]] bool is_call(ParseState& state, const char* first);
/// count(*)
[[nodiscard]] bool is_count_all(ParseState& state, const char* first);
/// name {
[[nodiscard]] bool is_name_and_brace(ParseState& state, const char* first);
/// shortestPath( or allShortestPaths(
[[nodiscard]] bool is_shortest_path(ParseState& state, const char* first);
/// ANY, ALL or SHORTEST before a path
[[nodiscard]] bool is_path_selector(ParseState& state, const char* first);
/// @, the mark of system fields
[[nodiscard]] bool is_system_mark(ParseState& state, const char* first);
/// name =
[[nodiscard]] bool is_assignment(ParseState& state, const char* first);

}  // namespace cairn::query::grammar
