// The =~ operator, by RE2: linear in the text's length, whatever the pattern. The one home of the
// regular expression library.
// Java's expressions, which Neo4j has, may take exponential time on a text of thirty letters; RE2
// gives up backreferences and lookaround for that.

#include "query/functions/call.hpp"
#include "query/functions/pattern_search.hpp"
#include "query/functions/value_semantics.hpp"

#include <re2/re2.h>

#include <memory>
#include <string>
#include <unordered_map>

namespace cairn::query {
namespace {

using Pattern = std::shared_ptr<const re2::RE2>;  // owners: the cache and the match that runs

/// Memory is bounded, because patterns come from users; beyond it RE2 falls back to a slower
/// automaton, still linear. Errors are returned, not printed.
re2::RE2::Options options() {
  re2::RE2::Options chosen;
  chosen.set_log_errors(false);
  chosen.set_max_mem(std::int64_t{8} << 20);
  return chosen;
}

/// Patterns of this thread by their text. A pattern taken from the data is another one in each row,
/// so the cache is emptied rather than let grow.
Pattern compiled(const std::string& text) {
  constexpr std::size_t most_patterns = 64;
  thread_local std::unordered_map<std::string, Pattern> cache;
  if (const auto found = cache.find(text); found != cache.end()) return found->second;
  if (cache.size() >= most_patterns) cache.clear();
  return cache.emplace(text, std::make_shared<const re2::RE2>(text, options())).first->second;
}

Error no_pattern(const std::string& text, const re2::RE2& pattern) {
  return {ErrorCode::invalid_argument,
          "not a regular expression: " + shown(Value(text)) + ": " + pattern.error() +
              " (RE2 syntax; there are no backreferences and no lookaround)",
          {}};
}

}  // namespace

Status check_pattern(const std::string& pattern) {
  const Pattern one = compiled(pattern);
  return one->ok() ? Status() : Status(no_pattern(pattern, *one));
}

// Anywhere in the text, where =~ needs all of it.
Result<bool> finds_pattern(const std::string& text, const std::string& pattern) {
  const Pattern one = compiled(pattern);
  if (!one->ok()) return no_pattern(pattern, *one);
  return re2::RE2::PartialMatch(text, *one);
}

// A value that is no text matches nothing, but not wrongly so: null, as for STARTS WITH. A pattern
// that is no pattern is the author's mistake and an error.
Result<Value> matches_pattern(const Value& text, const Value& pattern) {
  if (text.is_null() || pattern.is_null()) return Value();
  if (!pattern.string())
    return Error{ErrorCode::type_error,
                 "=~ needs a regular expression on its right, got " + described(pattern),
                 {}};
  const Pattern compiled_pattern = compiled(pattern.as_string());
  if (!compiled_pattern->ok()) return no_pattern(pattern.as_string(), *compiled_pattern);
  if (!text.string()) return Value();
  return Value(re2::RE2::FullMatch(text.as_string(), *compiled_pattern));
}

}  // namespace cairn::query
