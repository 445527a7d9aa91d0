// Runs the grammar once and converts a failure to an error message. There are three kinds of failures: a SyntaxFailure,
// thrown where the mistake is known, an expectation failure of X3, and a grammar that does not match.
//
// Cost: linear in the length of the text. Errors need no second parse. The error code is parse_error, or resource_limit
// for size and nesting. No exception leaves this file.
#include "query/syntax/syntax_parser.hpp"

#include "codec/utf8.hpp"
#include "query/syntax/grammar.hpp"
#include "query/syntax/nearest_name.hpp"

#include <algorithm>
#include <limits>

namespace cairn::query {
namespace {

// Limits of an error message: listed alternatives, and bytes of a quoted token.
constexpr std::size_t most_expectations = 8;
constexpr std::size_t longest_token = 32;

/// Returns the end of the token at `first`, to quote it in a message.
const char* token_end(const char* first, const char* last) {
  if (*first == '\'' || *first == '"' || *first == '`') {
    const char* end = lexical::skip_quoted(first, last);
    return end != nullptr ? end : last;
  }
  const char* end = lexical::skip_name_rest(first, last);
  if (end != first) return end;
  ++first;
  while (first != last && codec::is_utf8_continuation(*first)) ++first;
  return first;
}

/// Returns "a, b or c". Lists only the first alternatives, because more than a dozen may follow an operand.
std::string join_alternatives(const std::vector<Expectation>& expected) {
  std::string result;
  const std::size_t shown = std::min(expected.size(), most_expectations);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) result += i + 1 == expected.size() ? " or " : ", ";
    result += expected[i].what;
  }
  return shown < expected.size() ? result + ", ..." : result;
}

/// Returns ", did you mean RETURN?" if a keyword is similar to `found`, else an empty text.
std::string advise_keyword(const ParseState& state, std::string_view found) {
  const std::string_view near = nearest_name(found, state.keywords());
  if (near.empty() || lexical::is_keyword(found, near)) return {};
  return ", did you mean " + std::string(near) + "?";
}

/// Returns " (the '(' of line 1, column 7 is not closed)" if a bracket before `at` is not closed, else an empty text.
std::string advise_bracket(const SourceText& source, const ParseState& state, std::size_t at) {
  const lexical::Bracket* open = state.brackets().unclosed_before(at);
  if (open == nullptr) return {};
  const TextRange where = source.range(open->open, open->open + 1);
  std::string advice = " (the '";
  advice += source.text()[open->open];
  advice.append("' of line ").append(std::to_string(where.line));
  advice.append(", column ").append(std::to_string(where.column)).append(" is not closed)");
  return advice;
}

/// The error for an unexpected token. An unclosed bracket is mentioned only at the end of the text; elsewhere the
/// token itself is the likely mistake.
Error unexpected(const SourceText& source, const ParseState& state) {
  const std::string_view text = source.text();
  const std::size_t at = state.furthest();
  const std::string wanted = "expected " + join_alternatives(state.expected());
  if (at == text.size()) {
    return source.error(
        ErrorCode::parse_error, at, at,
        wanted + " but the statement ends here" + advise_bracket(source, state, at));
  }
  const char* end = token_end(state.begin() + at, state.end());
  const std::string_view found = source.slice(at, state.offset(end));
  const bool is_long = found.size() > longest_token;
  const std::string shown = is_long ? "this" : "`" + std::string(found) + "`";
  return source.error(ErrorCode::parse_error, at, at + found.size(),
                      wanted + " but found " + shown + advise_keyword(state, found));
}

// Offsets in the tree have 32 bits, and all later code requires valid UTF-8.
Status check_text(const SourceText& source, const ParseLimits& limits) {
  const std::string_view text = source.text();
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  if (text.size() > std::min(limits.statement_bytes, most)) {
    return Error{ErrorCode::resource_limit,
                 "the statement has " + std::to_string(text.size()) + " bytes, more than the " +
                     std::to_string(limits.statement_bytes) + " allowed; pass data as parameters",
                 std::nullopt};
  }
  const std::size_t bad = lexical::find_invalid_utf8(text);
  if (bad == std::string_view::npos) return {};
  return source.error(ErrorCode::parse_error, bad, bad + 1, "this byte is not UTF-8");
}

// The error for a failure with a message of its own.
Error failure_at(const SourceText& source, const SyntaxFailure& failure) {
  const auto code = failure.is_limit ? ErrorCode::resource_limit : ErrorCode::parse_error;
  return source.error(code, failure.begin, failure.end, failure.sentence);
}

}  // namespace

Result<ast::Statement> parse_syntax(const SourceText& source, const ParseLimits& limits) {
  CAIRN_TRY(check_text(source, limits));
  ParseState state(source.text(), limits.nesting_levels);
  if (state.skip_blank(state.begin()) == state.end()) {
    return source.error(ErrorCode::parse_error, 0, 0, "the statement is empty");
  }
  const grammar::Context context(state);
  grammar::Iterator first = state.begin();
  ast::Statement result;
  try {
    if (grammar::statement.parse(first, state.end(), context, grammar::x3::unused, result)) {
      return result;
    }
  } catch (const SyntaxFailure& failure) {
    return failure_at(source, failure);
  } catch (const grammar::x3::expectation_failure<grammar::Iterator>&) {
    // The state has the furthest failure, which may be after the failed expectation point.
  }
  return unexpected(source, state);
}

}  // namespace cairn::query
