// The =~ operator, by RE2: linear in the text's length, whatever the pattern. The one home of the
// regular expression library.
// Java's expressions, which Neo4j has, may take exponential time on a text of thirty letters; RE2
// gives up backreferences and lookaround for that.
//
// RE2 cannot be stopped, and takes 2 to 1,350 ns for a byte. A long text is therefore matched by a thread of its own:
// who waits for it looks at the limits of the statement, and goes when they are over; the thread ends its match
// and is heard by nobody. It holds a copy of the text and its pattern, and nothing of the database.
#include "query/functions/pattern_match.hpp"

#include "query/functions/call.hpp"
#include "query/functions/value_semantics.hpp"

#include <re2/re2.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <utility>

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

enum class Extent : std::uint8_t { whole, part };

bool matches(const re2::RE2& pattern, const std::string& text, Extent extent) {
  return extent == Extent::whole ? re2::RE2::FullMatch(text, pattern)
                                 : re2::RE2::PartialMatch(text, pattern);
}

/// Below it a match takes some 40 ms at most, and a thread would cost more than most matches.
constexpr std::size_t short_text = 32 * 1024;

/// Matches of this process on threads of their own; those that nobody waits for any more among them.
class LongMatches {
 public:
  /// Nothing where there are as many as may be.
  static std::optional<std::future<bool>> start(const Pattern& pattern, const std::string& text,
                                                Extent extent) {
    if (count().fetch_add(1) >= most) {
      count().fetch_sub(1);
      return std::nullopt;
    }
    std::packaged_task<bool()> task([pattern, text, extent] {
      const Leave leave;
      return matches(*pattern, text, extent);
    });
    auto found = task.get_future();
    try {
      std::thread(std::move(task)).detach();
    } catch (const std::system_error&) {  // no thread can be had
      count().fetch_sub(1);
      return std::nullopt;
    }
    return found;
  }

 private:
  static constexpr int most = 16;
  static std::atomic<int>& count() {
    static std::atomic<int> running = 0;
    return running;
  }
  struct Leave {
    Leave() = default;
    Leave(const Leave&) = delete;
    Leave& operator=(const Leave&) = delete;
    ~Leave() { count().fetch_sub(1); }
  };
};

/// Errors: those of the limits, within some milliseconds, whatever the match takes.
Result<bool> match_long(const Pattern& pattern, const std::string& text, Extent extent,
                        engine::Limits& limits) {
  constexpr std::uint64_t at_once = 256;  // steps, by which the clock is looked at
  constexpr std::chrono::milliseconds between_looks{2};
  CAIRN_TRY(limits.check_room(text.size()));
  auto match = LongMatches::start(pattern, text, extent);
  for (; !match; match = LongMatches::start(pattern, text, extent)) {
    CAIRN_TRY(limits.step(at_once));
    std::this_thread::sleep_for(between_looks);
  }
  while (match->wait_for(between_looks) != std::future_status::ready)
    CAIRN_TRY(limits.step(at_once));
  return match->get();
}

Result<bool> match(const Pattern& pattern, const std::string& text, Extent extent,
                   engine::Limits* limits) {
  if (limits == nullptr || text.size() <= short_text) return matches(*pattern, text, extent);
  return match_long(pattern, text, extent, *limits);
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
Result<bool> finds_pattern(const std::string& text, const std::string& pattern,
                           engine::Limits* limits) {
  const Pattern one = compiled(pattern);
  if (!one->ok()) return no_pattern(pattern, *one);
  return match(one, text, Extent::part, limits);
}

// A value that is not a text gives null, as with STARTS WITH. An invalid pattern is a mistake of the
// author and an error.
Result<Value> matches_pattern(const Value& text, const Value& pattern, engine::Limits* limits) {
  if (text.is_null() || pattern.is_null()) return Value();
  if (!pattern.string())
    return Error{ErrorCode::type_error,
                 "=~ needs a regular expression on its right, got " + described(pattern),
                 {}};
  const Pattern compiled_pattern = compiled(pattern.as_string());
  if (!compiled_pattern->ok()) return no_pattern(pattern.as_string(), *compiled_pattern);
  if (!text.string()) return Value();
  CAIRN_ASSIGN(const bool found, match(compiled_pattern, text.as_string(), Extent::whole, limits));
  return Value(found);
}

}  // namespace cairn::query
